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

const piecesOf = (channels: readonly Float32Array[], pieceSeconds = PIECE_SECONDS) => {
  const size = pieceSeconds * SAMPLE_RATE;
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

const detectLoud = async (samples: Float32Array) => loudWindows(samples);

async function fed(sources: SharedSources, channels: readonly Float32Array[], pieceSeconds = PIECE_SECONDS) {
  for (const pieces of piecesOf(channels, pieceSeconds)) {
    for (const part of sources.split(pieces)) await sources.add(part);
  }
  return sources;
}

/** What a channel that has reached `at` reads. */
const answersAt = (sources: SharedSources, at: number) => [
  sources.carrierOf(1, at),
  sources.isCarried(1, [Math.max(0, at - 2), at], at),
  sources.distinctSince(1, at),
  sources.distinctionsOf(1, at),
];

test("answers for a time do not depend on the audio that follows, nor on how it arrives", async () => {
  const channels = pair(9, 5);
  const seconds = Array.from({ length: 36 }, (_, at) => at / 4);
  const sources = sourcesWith(detectLoud);
  const live: unknown[] = [];
  for (const pieces of piecesOf(channels, 0.25)) {
    live.push(answersAt(sources, live.length / 4));
    for (const part of sources.split(pieces)) await sources.add(part);
  }
  for (const pieceSeconds of [0.02, 9]) {
    const later = await fed(sourcesWith(detectLoud), channels, pieceSeconds);
    expect(seconds.map((at) => answersAt(later, at))).toEqual(live);
  }
  expect(live[0]).toEqual([undefined, false, 0, []]);
  expect(live[16]).toEqual([0, true, 0, []]);
  const [last] = sources.distinctionsOf(1, 9);
  expect(last?.since).toBeGreaterThan(4.5);
  expect(last?.since).toBeLessThan(5.5);
  expect(live.at(-1)).toEqual([undefined, false, last?.since, [last]]);
});

test("another process separates channels where the first one did", async () => {
  const channels = pair(12, 5);
  const first = await fed(sourcesWith(detectLoud), channels);
  const distinctions = JSON.parse(JSON.stringify(first.distinctionsOf(1, 12)));
  for (const [origin, carried] of [
    [4, { carriedBy: 0 }],
    [10, {}],
  ] as const) {
    const second = sourcesWith(detectLoud);
    second.resume(new Map([[1, { ...carried, distinctions }]]), origin * SAMPLE_RATE);
    // From there on, both channels have one source again.
    const common = noise(8, 2);
    await fed(second, [common, common]);
    for (let at = origin; at < 12; at += 0.25) expect(answersAt(second, at)).toEqual(answersAt(first, at));
    expect(second.distinctCount).toBe(2);
  }
});

test("a full queue of the detector delays the finding of a source, and does not lose it", async () => {
  const carried = async (failures: number) => {
    let left = failures;
    const sources = sourcesWith(async (samples) => {
      if (left-- > 0) throw errors.recognitionQueueFull();
      return loudWindows(samples);
    });
    await fed(sources, pair(8, 5));
    return [4, 6, 8].map((at) => answersAt(sources, at));
  };
  const expected = await carried(0);
  expect(expected[2]?.[1]).toBe(false);
  expect(await carried(5)).toEqual(expected);
});

test("audio is not taken while a window waits for the detector", async () => {
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
      for (const part of sources.split(pieces)) await sources.add(part);
      taken += PIECE_SECONDS;
    }
  })();
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(taken).toBeGreaterThan(2.5);
  expect(taken).toBeLessThan(4.5);
  release();
  await feeding;
  expect(taken).toBeCloseTo(20);
});
