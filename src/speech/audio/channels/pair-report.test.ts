import { expect, test } from "vitest";
import { noise } from "../../../../test/fixtures/recordings.ts";
import type { Remainder } from "./difference.ts";
import { distinctChannels } from "./distinct.ts";
import { RecordingComparison } from "./pair-report.ts";

async function compared(channels: Float32Array[]) {
  const recording = new RecordingComparison(channels.length);
  for (let at = 0; at < (channels[0]?.length ?? 0); at += 1_000)
    recording.add(channels.map((samples) => samples.subarray(at, at + 1_000)));
  const pairs = recording.reports();
  const levels = recording.comparison.levels.map(({ summary }) => summary);
  const findSpeech = async (_: unknown, [from, to]: [number, number]) => Array<boolean>(to - from).fill(true);
  const { kept } = await distinctChannels({ roles: channels.map(() => "other"), levels, pairs }, findSpeech);
  return { pairs, kept };
}

test.each([3_200, 4_096, 5_000, 3_201])("equal channels of %d samples are one", async (count) => {
  const samples = noise(1, 0.5).subarray(0, count);
  const { pairs, kept } = await compared([samples, samples]);
  expect(pairs).toEqual([{ channels: [0, 1], commonWindows: 1, stretches: [] }]);
  expect(kept).toEqual([0]);
});

test("short channels of two sources are two", async () => {
  const samples = noise(1, 0.5);
  const { kept } = await compared([samples.subarray(0, 3_200), samples.subarray(8_000, 11_200)]);
  expect(kept).toEqual([0, 1]);
});

test("a quiet voice beside the loud noise of another channel keeps its channel, and noise without a voice does not", async () => {
  // Syllables, 32 dB below the noise.
  const voice = noise(8, 0.01).map((value, at) => value * Math.max(0, Math.sin((2 * Math.PI * 3 * at) / 16_000)));
  const loud = noise(9, 0.4)
    .slice(16_000)
    .map((value, at) => value * (1 + Math.sin((2 * Math.PI * at) / 16_000)));
  const keptWith = async (isSpeech: (remainder: Remainder) => boolean) => {
    const recording = new RecordingComparison(2);
    for (let at = 0; at < voice.length; at += 1_000)
      recording.add([voice, loud].map((samples) => samples.subarray(at, at + 1_000)));
    const pairs = recording.reports();
    expect(pairs[0]?.stretches.length).toBeGreaterThan(0);
    const levels = recording.comparison.levels.map(({ summary }) => summary);
    const findSpeech = async (remainder: Remainder, [from, to]: [number, number]) =>
      Array<boolean>(to - from).fill(isSpeech(remainder));
    return (await distinctChannels({ roles: ["other", "other"], levels, pairs }, findSpeech)).kept;
  };
  // In each difference of both, the noise covers the voice.
  expect(await keptWith(({ channel, without }) => channel === 0 && without === undefined)).toEqual([0, 1]);
  expect(await keptWith(() => false)).toEqual([1]);
});
