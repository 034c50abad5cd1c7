import { expect, test } from "vitest";
import { type Enhancer, FRAME_SAMPLES } from "../../../speech/audio/enhance/enhancer.ts";
import { EnhancedInput } from "./enhanced-input.ts";

/**
 * Delays the audio by one frame, as the enhancer does. Reports the first sample of each frame of the batch as the strength, and ten
 * times it as the noise level. Fails for batches that begin with a negative sample, and then has no earlier audio.
 */
function delaying(): Enhancer {
  let held: Float32Array | undefined;
  return {
    enhance: async (_stream: string, samples: Float32Array) => {
      const isBeginning = held === undefined;
      const joined = Float32Array.from([...(held ?? new Float32Array(FRAME_SAMPLES)), ...samples]);
      held = (samples[0] as number) < 0 ? undefined : samples.slice(-FRAME_SAMPLES);
      if (held === undefined) return undefined;
      const shares = samples.filter((_, at) => at % FRAME_SAMPLES === 0);
      const noiseDecibels = shares.map((share) => 10 * share);
      return { samples: joined.slice(0, samples.length), isBeginning, shares, noiseDecibels };
    },
    end: async () => undefined,
  } as unknown as Enhancer;
}
const ignored = { enhancementFailed: () => undefined };
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
  const samples = (some: Float32Array) => {
    received += some.length;
  };
  const input = new EnhancedInput("stream", delaying(), FIRST, samples, ignored);
  await enhanceTwice(input, 0.25, 0.75);
  expect(received).toBe(20 * FRAME_SAMPLES);
  expect(input.report(FIRST, FIRST + 10 * FRAME_SAMPLES)).toEqual({ share: 0.25, noiseDecibels: 2.5 });
  expect(input.report(FIRST + 10 * FRAME_SAMPLES, FIRST + 20 * FRAME_SAMPLES)).toEqual({
    share: 0.75,
    noiseDecibels: 7.5,
  });
});

test("a period across batches has their weighted mean, and one without audio has no enhancement", async () => {
  const input = new EnhancedInput("stream", delaying(), 0, () => undefined, ignored);
  await enhanceTwice(input, 0, 1);
  expect(input.report(5 * FRAME_SAMPLES, 15 * FRAME_SAMPLES).share).toBeCloseTo(0.5, 6);
  expect(input.report(30 * FRAME_SAMPLES, 40 * FRAME_SAMPLES)).toEqual({
    share: 0,
    noiseDecibels: Number.NEGATIVE_INFINITY,
  });
});

test("forgotten audio is no longer reported, and the rest is", async () => {
  const input = new EnhancedInput("stream", delaying(), 0, () => undefined, ignored);
  await enhanceTwice(input, 0.5, 1);
  input.forgetBefore(10 * FRAME_SAMPLES);
  expect(input.report(0, 20 * FRAME_SAMPLES)).toEqual({ share: 1, noiseDecibels: 10 });
  input.forgetBefore(20 * FRAME_SAMPLES);
  expect(input.report(0, 20 * FRAME_SAMPLES).share).toBe(0);
});

test("reports do not depend on how audio arrives", async () => {
  const audio = Float32Array.from({ length: 40 * FRAME_SAMPLES }, (_, at) => Math.floor(at / FRAME_SAMPLES) / 64);
  const reports = [];
  for (const piece of [audio.length, FRAME_SAMPLES, 700]) {
    const input = new EnhancedInput("stream", delaying(), 0, () => undefined, ignored);
    for (let at = 0; at < audio.length; at += piece) {
      input.append(audio.slice(at, at + piece));
      await new Promise(setImmediate);
    }
    reports.push([input.report(0, 10_000), input.report(10_100, 35 * FRAME_SAMPLES)]);
  }
  expect(reports[1]).toEqual(reports[0]);
  expect(reports[2]).toEqual(reports[0]);
});

test("where the enhancer fails, each sample keeps its place, and the failure is reported", async () => {
  const audio = Float32Array.from({ length: 30 * FRAME_SAMPLES + 100 }, (_, at) => {
    const isFailing = at >= 10 * FRAME_SAMPLES && at < 14 * FRAME_SAMPLES;
    return ((isFailing ? -1 : 1) * (at + 1)) / 65_536;
  });
  const out: number[] = [];
  let failures = 0;
  const events = { enhancementFailed: () => void failures++ };
  const input = new EnhancedInput("stream", delaying(), 0, (samples) => void out.push(...samples), events);
  for (let at = 0; at < audio.length; at += 2 * FRAME_SAMPLES) {
    input.append(audio.slice(at, at + 2 * FRAME_SAMPLES));
    await new Promise(setImmediate);
  }
  await input.finish();
  expect(out).toEqual([...audio]);
  expect(failures).toBe(2);
  expect(input.report(10 * FRAME_SAMPLES, 12 * FRAME_SAMPLES).share).toBe(0);
});
