import { expect, test } from "vitest";
import { type Enhancer, FRAME_SAMPLES } from "../../../speech/audio/enhance/enhancer.ts";
import { EnhancedInput } from "./enhanced-input.ts";

/** Reports the first sample of each batch as the strength, and ten times it as the noise level. */
const enhancer = {
  enhance: async (_stream: string, samples: Float32Array) => ({
    samples,
    share: samples[0] ?? 0,
    noiseDecibels: 10 * (samples[0] ?? 0),
  }),
  end: async () => undefined,
} as unknown as Enhancer;
const FIRST = 5 * FRAME_SAMPLES;
const frames = (count: number, value: number) => new Float32Array(count * FRAME_SAMPLES).fill(value);

/** Enhances two batches of ten frames; the enhancer holds one frame back. */
async function enhanceTwice(input: EnhancedInput, first: number, second: number): Promise<void> {
  input.append(frames(11, first));
  await new Promise(setImmediate);
  input.append(frames(10, second));
  await new Promise(setImmediate);
}

test("each period has its own report, also when all audio was enhanced before the first report", async () => {
  let received = 0;
  const input = new EnhancedInput("stream", enhancer, FIRST, (samples) => {
    received += samples.length;
  });
  await enhanceTwice(input, 0.25, 0.75);
  expect(received).toBe(20 * FRAME_SAMPLES);
  expect(input.report(FIRST, FIRST + 10 * FRAME_SAMPLES)).toEqual({ share: 0.25, noiseDecibels: 2.5 });
  expect(input.report(FIRST + 10 * FRAME_SAMPLES, FIRST + 20 * FRAME_SAMPLES)).toEqual({
    share: 0.75,
    noiseDecibels: 7.5,
  });
});

test("a period across batches has their weighted mean, and one without audio has no enhancement", async () => {
  const input = new EnhancedInput("stream", enhancer, 0, () => undefined);
  await enhanceTwice(input, 0, 1);
  expect(input.report(5 * FRAME_SAMPLES, 15 * FRAME_SAMPLES).share).toBeCloseTo(0.5, 6);
  expect(input.report(30 * FRAME_SAMPLES, 40 * FRAME_SAMPLES)).toEqual({
    share: 0,
    noiseDecibels: Number.NEGATIVE_INFINITY,
  });
});

test("forgotten audio is no longer reported, and the rest is", async () => {
  const input = new EnhancedInput("stream", enhancer, 0, () => undefined);
  await enhanceTwice(input, 0.5, 1);
  input.forgetBefore(10 * FRAME_SAMPLES);
  expect(input.report(0, 20 * FRAME_SAMPLES)).toEqual({ share: 1, noiseDecibels: 10 });
  input.forgetBefore(20 * FRAME_SAMPLES);
  expect(input.report(0, 20 * FRAME_SAMPLES).share).toBe(0);
});
