import { expect, test } from "vitest";
import { coldVoiceActivityState } from "./detector-state.ts";
import { WARM_UP_SAMPLES, WINDOW_SAMPLES, warmUpSamples } from "./detector-windows.ts";
import {
  type Detect,
  detectWarm,
  examinedQuietly,
  gapsBehind,
  MOST_GAP_SECONDS,
  pausesIn,
  raised,
  withQuietSpeech,
} from "./quiet-speech.ts";
import { loadVoiceActivityModel, speechProbabilities } from "./silero.ts";
import type { Stretch } from "./wordless-speech.ts";

const SECOND = 31;
const windows = (...parts: [seconds: number, probability: number][]) =>
  Float32Array.from(parts.flatMap(([seconds, value]) => new Array<number>(Math.round(seconds * SECOND)).fill(value)));

test("pauses of a second and more are examined, without what is next to speech, and not for longer than the detector adapts", () => {
  const found = pausesIn(windows([2, 0.9], [1, 0.1], [2, 0.9], [4, 0.1], [1, 0.9], [60, 0]));
  expect(found).toHaveLength(2);
  const [[from, to], [last, end]] = found as [[number, number], [number, number]];
  expect(from).toBeGreaterThan(5 * SECOND);
  expect(to).toBeLessThan(9 * SECOND);
  expect(last).toBeGreaterThan(10 * SECOND);
  expect((end - last) / SECOND).toBeLessThan(21);
});

test("the beginning of a recording is no pause: the detector has adapted to nothing there", () => {
  expect(pausesIn(windows([5, 0], [2, 0.9]))).toEqual([]);
});

test("speech that a pause has counts; a click does not, and what was found stays", async () => {
  const whole = windows([2, 0.9], [4, 0.1], [2, 0.8]);
  const withSpeech = await withQuietSpeech(whole, async (from, to) =>
    Float32Array.from({ length: to - from }, (_, at) => (at >= 10 && at < 60 ? 0.75 : 0)),
  );
  expect([...withSpeech].filter((value) => value === 0.75).length).toBeGreaterThanOrEqual(49);
  expect(withSpeech.slice(0, 2 * SECOND)).toEqual(whole.slice(0, 2 * SECOND));
  expect(withSpeech.slice(6 * SECOND)).toEqual(whole.slice(6 * SECOND));
  const click = async (from: number, to: number) =>
    Float32Array.from({ length: to - from }, (_, at) => (at > 10 && at < 15 ? 0.9 : 0));
  expect(await withQuietSpeech(whole, click)).toEqual(whole);
});

test("a pause is raised to the level of close speech, and silence by a bounded gain", () => {
  const loudest = (samples: Float32Array) => Math.max(...samples.map(Math.abs));
  const quiet = Float32Array.from({ length: 8_000 }, (_, at) => 0.005 * Math.sin(at));
  expect(loudest(raised(quiet))).toBeGreaterThan(0.15);
  expect(loudest(raised(Float32Array.from(quiet, (value) => value * 100)))).toBeCloseTo(0.5, 1);
  expect(loudest(raised(Float32Array.from(quiet, (value) => value / 1e5)))).toBeLessThan(1e-4);
});

test("the audio before the first word and behind each one is a gap, of bounded length; short pauses are none", () => {
  const words = [
    { startSeconds: 9, endSeconds: 10 },
    { startSeconds: 3, endSeconds: 3.5 },
    { startSeconds: 3.6, endSeconds: 4 },
    { startSeconds: 11, endSeconds: 11.2 },
  ];
  const gaps = gapsBehind(words, 60);
  expect(gaps).toHaveLength(3);
  const [beginning, first, second] = gaps as [Stretch, Stretch, Stretch];
  expect(beginning.startSeconds).toBe(0);
  expect(beginning.endSeconds).toBeLessThan(3);
  expect(first.startSeconds).toBeGreaterThan(4);
  expect(first.endSeconds).toBeLessThan(9);
  expect(second.endSeconds).toBe(11.2 + MOST_GAP_SECONDS);
  expect(gapsBehind([], 60)).toEqual([]);
  const [late] = gapsBehind([{ startSeconds: 30, endSeconds: 31 }], 31);
  expect(late?.startSeconds).toBe(30 - MOST_GAP_SECONDS);
});

test("an examination in pieces begins with a cold detector, warms it up, and continues its state", async () => {
  const lengths: number[] = [];
  const found = await examinedQuietly(
    new Float32Array(10.5 * WINDOW_SAMPLES),
    async (samples, state) => {
      lengths.push(samples.length);
      const first = lengths.length === 1;
      expect(state).toEqual(
        first ? coldVoiceActivityState() : { ...coldVoiceActivityState(), window: lengths.length - 1 },
      );
      const probabilities = new Float32Array(samples.length / WINDOW_SAMPLES).fill(lengths.length / 10);
      if (first) probabilities.fill(0.9, 0, WARM_UP_SAMPLES / WINDOW_SAMPLES);
      return { probabilities, state: { ...coldVoiceActivityState(), window: lengths.length } };
    },
    4,
  );
  expect(lengths).toEqual([WARM_UP_SAMPLES + 4 * WINDOW_SAMPLES, 4 * WINDOW_SAMPLES, 2 * WINDOW_SAMPLES]);
  expect([...found].map((value) => Math.round(value * 10))).toEqual([1, 1, 1, 1, 2, 2, 2, 2, 3, 3]);
});

test("the beginning has the same probabilities as after a warm-up in a request of its own", async () => {
  const model = await loadVoiceActivityModel();
  const detect: Detect = async (samples, state) => ({
    probabilities: await speechProbabilities(model, samples, state),
    state,
  });
  const samples = Float32Array.from({ length: 20 * WINDOW_SAMPLES }, (_, at) => Math.sin(at * at) * Math.sin(at / 900));
  const warm = await detect(warmUpSamples(samples.subarray(0, WARM_UP_SAMPLES)), coldVoiceActivityState());
  const apart = await detect(samples, structuredClone(warm.state));
  const joined = await detectWarm(samples, detect);
  expect(joined.probabilities).toEqual(apart.probabilities);
  expect(joined.state).toEqual(apart.state);
});
