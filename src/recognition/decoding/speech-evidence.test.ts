import { expect, test } from "vitest";
import { BASE } from "../../engines/moonshine/config.ts";
import { isSpoken, peakActivity } from "./speech-evidence.ts";

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
  expect(await isSpoken([word(0.2)], SAMPLES, 0.6, BASE.evidence, detectorOf(0.99))).toBe(true);
});

test("a confident word is noise if the decoder preferred an empty text and voice activity is weak", async () => {
  expect(await isSpoken([word(0.95)], SAMPLES, 0.997, BASE.evidence, detectorOf(0.6))).toBe(false);
});

test("the detector runs only if the result depends on it", async () => {
  const detector = detectorOf(0.5);
  expect(await isSpoken([word(0.9)], SAMPLES, 1e-6, BASE.evidence, detector)).toBe(true);
  const sentence = Array.from({ length: 6 }, () => word(0.1));
  expect(await isSpoken(sentence, SAMPLES, 0.99, BASE.evidence, detector)).toBe(true);
  expect(detector.runs).toBe(0);
});

test("only voice activity within the words counts, and audio shorter than a window has none", () => {
  const probabilities = Float32Array.of(0.9, 0.1, 0.2, 0.9);
  expect(peakActivity([{ startSeconds: 0.04, endSeconds: 0.09 }], probabilities, 0.032)).toBeCloseTo(0.2);
  expect(peakActivity([{ startSeconds: 0, endSeconds: 0.01 }], new Float32Array(), 0.032)).toBe(0);
});
