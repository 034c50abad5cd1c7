// Channels with one source and sound of their own, while voice activity detection is late or busy.
import { expect, test } from "vitest";
import { errors } from "../../../platform/errors.ts";
import { SAMPLE_RATE } from "../../../speech/audio/sample-rate.ts";
import { WINDOW_SAMPLES } from "../../../speech/audio/voice-activity/detector-windows.ts";
import type { RecognitionPool } from "../../inference/pool.ts";
import { SharedSources } from "./shared-sources.ts";

const PIECE_SECONDS = 0.1;
const LEAST_LEVEL = 0.01;

/** Deterministic noise in bursts, as speech has them. */
function noise(seconds: number, seed: number): Float32Array {
  let state = seed;
  return Float32Array.from({ length: seconds * SAMPLE_RATE }, (_, at) => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    const burst = Math.sin((2 * Math.PI * 3 * at) / SAMPLE_RATE + seed) > 0 ? 0.3 : 0.03;
    return burst * (state / 2 ** 31 - 1);
  });
}

const loudWindows = (samples: Float32Array) =>
  Float32Array.from({ length: Math.floor(samples.length / WINDOW_SAMPLES) }, (_, window) => {
    const part = samples.subarray(window * WINDOW_SAMPLES, (window + 1) * WINDOW_SAMPLES);
    return Math.sqrt(part.reduce((sum, value) => sum + value * value, 0) / part.length) > LEAST_LEVEL ? 0.9 : 0.02;
  });

/** Both channels have one source; from `ownFrom` to `ownUntil` seconds, only the second one has sound. */
function pair(seconds: number, ownFrom: number, ownUntil = seconds): [Float32Array, Float32Array] {
  const common = noise(seconds, 1);
  const isOwn = (at: number) => at >= ownFrom * SAMPLE_RATE && at < ownUntil * SAMPLE_RATE;
  return [common.map((value, at) => (isOwn(at) ? 0 : value)), common];
}

const piecesOf = (channels: readonly Float32Array[]) => {
  const size = PIECE_SECONDS * SAMPLE_RATE;
  const count = Math.ceil((channels[0]?.length ?? 0) / size);
  return Array.from({ length: count }, (_, at) =>
    channels.map((samples) => samples.subarray(at * size, (at + 1) * size)),
  );
};

const sourcesWith = (detect: (samples: Float32Array) => Promise<Float32Array>) =>
  new SharedSources(
    2,
    {
      voiceActivity: async (samples: Float32Array) => ({ probabilities: await detect(samples) }),
    } as unknown as Pick<RecognitionPool, "voiceActivity">,
    new AbortController().signal,
  );

test("a full queue of the detector delays the finding of a source, and does not lose it", async () => {
  const carried = async (failures: number) => {
    let left = failures;
    const sources = sourcesWith(async (samples) => {
      if (left-- > 0) throw errors.recognitionQueueFull();
      return loudWindows(samples);
    });
    for (const pieces of piecesOf(pair(8, 5))) await sources.add(pieces);
    return [await sources.isCarried(1, 0, 5), await sources.isCarried(1, 5, 8), sources.distinctSince(1)];
  };
  const expected = await carried(0);
  expect(expected[1]).toBe(false);
  expect(await carried(5)).toEqual(expected);
});

test("audio is not taken while a window that is older than the kept audio waits for the detector", async () => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const sources = sourcesWith(async (samples) => {
    await released;
    return loudWindows(samples);
  });
  let taken = 0;
  const feeding = (async () => {
    for (const pieces of piecesOf(pair(20, 3, 4))) {
      await sources.add(pieces);
      taken += PIECE_SECONDS;
    }
  })();
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(taken).toBeGreaterThan(3);
  expect(taken).toBeLessThan(10);
  release();
  await feeding;
  expect(taken).toBeCloseTo(20);
});
