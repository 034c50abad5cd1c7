import { expect, test } from "vitest";
import { cutSegments, DEFAULT_SEGMENTATION } from "./segmentation.ts";

const WINDOW = DEFAULT_SEGMENTATION.windowSamples;
const windows = (seconds: number) => Math.round((seconds * 16_000) / WINDOW);
/** Probabilities of sections given as [seconds, probability]. */
const speech = (...stretches: [number, number][]) =>
  Float32Array.from(stretches.flatMap(([seconds, value]) => new Array<number>(windows(seconds)).fill(value)));
const cut = (probabilities: Float32Array) => cutSegments(probabilities, probabilities.length * WINDOW);
const seconds = (samples: number) => samples / 16_000;

test("silence gives no segments", () => {
  expect(cut(speech([10, 0.1]))).toEqual([]);
  expect(cut(new Float32Array())).toEqual([]);
});

test("short pauses stay inside a segment, long ones separate segments", () => {
  expect(cut(speech([1, 0], [2, 0.9], [0.4, 0.1], [2, 0.9], [1, 0]))).toHaveLength(1);
  expect(cut(speech([1, 0], [2, 0.9], [0.8, 0.1], [2, 0.9], [1, 0]))).toHaveLength(2);
});

test("a margin before and after speech is kept, within the recording", () => {
  const [segment] = cut(speech([1, 0], [2, 0.9], [1, 0]));
  expect(seconds(segment?.startSample ?? 0)).toBeCloseTo(0.5, 1);
  expect(seconds(segment?.endSample ?? 0)).toBeCloseTo(3.2, 1);
  expect(cut(speech([0.3, 0.1], [2, 0.9], [1, 0]))[0]?.startSample).toBe(0);
  expect(cut(speech([1, 0.9]))[0]).toEqual({ startSample: 0, endSample: windows(1) * WINDOW });
});

test("two segments share the pause between them, and do not touch", () => {
  const [first, second] = cut(speech([1, 0.9], [0.64, 0.1], [1, 0.9]));
  expect(seconds(first?.endSample ?? 0)).toBeCloseTo(1.2, 1);
  expect(seconds(second?.startSample ?? 0)).toBeCloseTo(1.32, 1);
});

test("speech without pauses is cut at its quietest place, and no sample is in two segments", () => {
  const probabilities = speech([17, 0.95], [0.3, 0.55], [30, 0.95]);
  const segments = cut(probabilities);
  expect(segments.length).toBeGreaterThan(2);
  expect(seconds(segments[0]?.endSample ?? 0)).toBeCloseTo(17.15, 0);
  for (const [index, segment] of segments.entries()) {
    expect(seconds(segment.endSample - segment.startSample)).toBeLessThanOrEqual(20);
    expect(segment.startSample).toBeGreaterThanOrEqual(segments[index - 1]?.endSample ?? 0);
  }
});

test("a fluctuating probability does not end speech, and a click is not speech", () => {
  const wavering = Float32Array.from({ length: windows(3) }, (_, at) => (at % 2 === 0 ? 0.6 : 0.4));
  expect(cut(wavering)).toHaveLength(1);
  const click = new Float32Array(windows(3));
  click[40] = 0.9;
  expect(cut(click)).toEqual([]);
});
