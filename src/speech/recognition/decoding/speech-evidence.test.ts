import { expect, test } from "vitest";
import { noise, tone } from "../../../../test/fixtures/recordings.ts";
import { BASE } from "../../engines/moonshine/config.ts";
import type { SpeechActivity } from "../recognizer.ts";
import { isSpoken, isTooShort, peakActivity } from "./speech-evidence.ts";

const word = (confidence: number) => ({ startSeconds: 0.5, endSeconds: 0.9, confidence });
const SAMPLES = new Float32Array(32_000);

/** A detector that returns one probability for all windows and counts its runs. */
function detectorOf(probability: number) {
  const detector = {
    runs: 0,
    windowSeconds: 0.032,
    async probabilities(samples: Float32Array) {
      detector.runs++;
      return new Float32Array(Math.floor(samples.length / 512)).fill(probability);
    },
  };
  return detector;
}

test("a short answer with clear voice activity is speech, whatever the decoder's confidence", async () => {
  expect(await isSpoken([word(0.2)], { samples: SAMPLES }, 0.6, BASE.evidence, detectorOf(0.99))).toBe(true);
});

test("a confident word is noise if the decoder preferred an empty text and voice activity is weak", async () => {
  expect(await isSpoken([word(0.95)], { samples: SAMPLES }, 0.997, BASE.evidence, detectorOf(0.6))).toBe(false);
});

test("the detector runs only if the result depends on it", async () => {
  const detector = detectorOf(0.5);
  expect(await isSpoken([word(0.9)], { samples: SAMPLES }, 1e-6, BASE.evidence, detector)).toBe(true);
  const sentence = Array.from({ length: 6 }, () => word(0.1));
  expect(await isSpoken(sentence, { samples: SAMPLES }, 0.99, BASE.evidence, detector)).toBe(true);
  expect(detector.runs).toBe(0);
});

test("a word that the detector is unsure of alone is speech if its activity in the whole audio is high", async () => {
  const activityWith = (probability: number, windows: number) => ({
    probabilities: new Float32Array(windows).fill(probability),
    startSeconds: -0.02,
  });
  const isKept = (activity: SpeechActivity, weak: number) =>
    isSpoken([word(0.82)], { samples: SAMPLES, activity }, 0.715, BASE.evidence, detectorOf(weak));
  expect(await isKept(activityWith(0.99, 63), 0.55)).toBe(true);
  expect(await isKept(activityWith(0.55, 63), 0.55)).toBe(false);
  // High activity after the word does not count.
  const later = activityWith(0.1, 63);
  later.probabilities.fill(0.99, 40);
  expect(await isKept(later, 0.55)).toBe(false);
});

test("only voice activity within the words counts, and audio shorter than a window has none", () => {
  const probabilities = Float32Array.of(0.9, 0.1, 0.2, 0.9);
  const peakOf = (startSeconds: number, endSeconds: number, first = 0) =>
    peakActivity([{ startSeconds, endSeconds }], { probabilities, startSeconds: first }, 0.032);
  expect(peakOf(0.04, 0.09)).toBeCloseTo(0.2);
  expect(peakOf(0.04, 0.06, -0.02)).toBeCloseTo(0.2);
  expect(peakOf(0.02, 0.04, 0.05)).toBeCloseTo(0.9);
  const empty = { probabilities: new Float32Array(), startSeconds: 0 };
  expect(peakActivity([{ startSeconds: 0, endSeconds: 0.01 }], empty, 0.032)).toBe(0);
});

test("a moment of sound is too short for a word, silence around it or not; a click before a word is not all of it", () => {
  const samplesOf = (seconds: number, level = 0.3) => tone(seconds, 220).map((value) => level * value);
  const between = (...sounds: Float32Array[]) =>
    Float32Array.from([noise(1, 1e-4), ...sounds, noise(1, 1e-4)].flatMap((one) => [...one]));
  for (const seconds of [0, 0.01, 0.05, 0.1]) {
    expect(isTooShort(samplesOf(seconds), 1)).toBe(true);
    if (seconds > 0.03) expect(isTooShort(between(samplesOf(seconds)), 1)).toBe(true);
  }
  for (const seconds of [0.15, 0.3, 2]) expect(isTooShort(between(samplesOf(seconds)), 1)).toBe(false);
  const click = Float32Array.of(1, -1, 1, -1, 0.5, -0.5);
  expect(isTooShort(between(click, noise(0.1, 1e-4), samplesOf(0.2, 0.003)), 1)).toBe(false);
  expect(isTooShort(noise(1, 0.1), 1)).toBe(false);
  // Quiet speech of many words beside a bump.
  const bump = between(noise(0.05, 0.5), noise(5, 0.004));
  expect([1, 12].map((words) => isTooShort(bump, words))).toEqual([true, false]);
  expect(isTooShort(new Float32Array(16_000), 1)).toBe(false);
});
