import { expect, test } from "vitest";
import { randomOf } from "../../../test/fixtures/random.ts";
import { MelSpectrogram } from "./mel-spectrogram.ts";

test("a constant beginning that is computed once gives the same spectrogram", () => {
  const random = randomOf(5);
  for (const constant of [0, 1, 159, 360, 361, 1_000, 3_199, 4_000]) {
    const samples = Float32Array.from({ length: 4_000 }, (_, at) => (at < constant ? -0.01 : random() - 0.5));
    const spectrogram = new MelSpectrogram(80);
    expect(spectrogram.compute(samples, constant)).toEqual(spectrogram.compute(samples));
  }
});

test("a tone is loudest in the band of its frequency, and the range is limited", () => {
  const samples = Float32Array.from({ length: 16_000 }, (_, at) => Math.sin((2 * Math.PI * 1_000 * at) / 16_000));
  const values = new MelSpectrogram(80).compute(samples);
  const middle = Array.from({ length: 80 }, (_, bin) => values[bin * 100 + 50] as number);
  // The band around 1 kHz: linear below, 15 of 45.2 mels.
  expect(middle.indexOf(Math.max(...middle))).toBe(26);
  expect(Math.max(...values) - Math.min(...values)).toBeCloseTo(2, 5);
});
