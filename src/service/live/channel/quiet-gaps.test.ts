import { expect, test } from "vitest";
import { SAMPLE_RATE } from "../../../speech/audio/sample-rate.ts";
import { WINDOW_SAMPLES } from "../../../speech/audio/voice-activity/detector-windows.ts";
import type { Detect } from "../../../speech/audio/voice-activity/quiet-speech.ts";
import type { Stretch } from "../../../speech/audio/voice-activity/wordless-speech.ts";
import { QuietGaps } from "./quiet-gaps.ts";
import { SampleBuffer } from "./sample-buffer.ts";

/** A detector that takes any sound for a voice. */
const detect: Detect = async (samples, state) => ({
  probabilities: Float32Array.from({ length: samples.length / WINDOW_SAMPLES }, (_, window) =>
    samples[window * WINDOW_SAMPLES] === 0 ? 0 : 0.9,
  ),
  state,
});

interface World {
  gaps: QuietGaps;
  found: Stretch[];
  failures: unknown[];
}

/** @param sounds  seconds */
function worldOf(seconds: number, sounds: [from: number, to: number][], parts: object = {}): World {
  const samples = new SampleBuffer(0);
  const isSound = (at: number) => sounds.some(([from, to]) => at >= from * SAMPLE_RATE && at < to * SAMPLE_RATE);
  samples.append(
    Float32Array.from({ length: seconds * SAMPLE_RATE }, (_, at) => (isSound(at) ? 0.01 : 0)),
    0,
  );
  const [found, failures]: [Stretch[], unknown[]] = [[], []];
  const gaps = new QuietGaps({
    samples,
    detect,
    hasOtherVoice: async () => false,
    onFound: (stretches) => void found.push(...stretches),
    onFailed: (error) => void failures.push(error),
    ...parts,
  });
  return { gaps, found, failures };
}

const word = (startSeconds: number, endSeconds: number) => ({ startSeconds, endSeconds });
const times = (found: readonly Stretch[]) => found.map((one) => [one.startSeconds, one.endSeconds].map(Math.round));

test("a voice between the words of two finals is found, and one behind the last word", async () => {
  const { gaps, found } = worldOf(12, [
    [3, 5],
    [9, 11],
  ]);
  gaps.cover([word(0, 1), word(1.1, 2)]);
  gaps.cover([word(6, 7)]);
  await gaps.finish(12);
  expect(times(found)).toEqual([
    [3, 5],
    [9, 11],
  ]);
});

test("the edges of words are no voice of another person", async () => {
  const { gaps, found } = worldOf(8, [
    [1.5, 2.3],
    [5.7, 7],
  ]);
  gaps.cover([word(1, 2), word(6, 7)]);
  await gaps.finish(8);
  expect(found).toEqual([]);
});

test("after ten seconds of silence the voice is reported, later audio is not examined and not needed", async () => {
  const { gaps, found } = worldOf(40, [
    [3, 5],
    [30, 32],
  ]);
  gaps.cover([word(0, 1)]);
  gaps.consider(5, false);
  expect(gaps.neededFrom).toBe(SAMPLE_RATE);
  gaps.consider(12.1, false);
  expect(gaps.neededFrom).toBe(Number.POSITIVE_INFINITY);
  await gaps.finish(40);
  expect(times(found)).toEqual([[3, 5]]);
});

test("during speech, the words of the utterance are awaited, but not without bound", async () => {
  const { gaps, found } = worldOf(30, [[3, 5]]);
  gaps.cover([word(0, 1)]);
  gaps.consider(20, true);
  expect(gaps.neededFrom).toBe(SAMPLE_RATE);
  gaps.consider(34.1, true);
  expect(gaps.neededFrom).toBe(Number.POSITIVE_INFINITY);
  await gaps.finish(30);
  expect(times(found)).toEqual([[3, 5]]);
});

test("the voice of another channel, and speech that is transcribed elsewhere, are not reported", async () => {
  const other = worldOf(12, [[3, 5]], { hasOtherVoice: async (from: number, until: number) => from < 5 && until > 3 });
  other.gaps.cover([word(0, 1)]);
  await other.gaps.finish(12);
  expect(other.found).toEqual([]);
  const elsewhere = worldOf(12, [[3, 5]]);
  elsewhere.gaps.cover([word(0, 1)]);
  elsewhere.gaps.skip();
  await elsewhere.gaps.finish(12);
  expect(elsewhere.found).toEqual([]);
});

test("words that were settled before their final are examined once", async () => {
  const { gaps, found } = worldOf(40, [[3, 5]]);
  const settled = [word(0, 1), word(6, 7)];
  gaps.cover(settled);
  gaps.consider(30.1, true);
  gaps.cover([...settled, word(31, 32)]);
  expect(gaps.neededFrom).toBe(32 * SAMPLE_RATE);
  await gaps.finish(40);
  expect(times(found)).toEqual([[3, 5]]);
});

test("a failure of the detector is reported, and the next gap is examined", async () => {
  let calls = 0;
  const failsOnce: Detect = async (samples, state) => {
    if (calls++ === 0) throw new Error("crashed");
    return detect(samples, state);
  };
  const { gaps, found, failures } = worldOf(12, [[8, 10]], { detect: failsOnce });
  gaps.cover([word(0, 1), word(5, 6)]);
  await gaps.finish(12);
  expect(failures).toHaveLength(1);
  expect(times(found)).toEqual([[8, 10]]);
});
