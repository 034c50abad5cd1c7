import { expect, test } from "vitest";
import { noise } from "../../../../test/fixtures/recordings.ts";
import { distinctChannels } from "./distinct.ts";
import { RecordingComparison } from "./pair-report.ts";

async function compared(channels: Float32Array[]) {
  const recording = new RecordingComparison(channels.length);
  for (let at = 0; at < (channels[0]?.length ?? 0); at += 1_000)
    recording.add(channels.map((samples) => samples.subarray(at, at + 1_000)));
  const pairs = recording.reports();
  const levels = recording.comparison.levels.map(({ summary }) => summary);
  const findSpeech = async (_: unknown, [from, to]: [number, number]) => Array<boolean>(to - from).fill(true);
  const found = await distinctChannels({ roles: channels.map(() => "other"), levels, pairs }, findSpeech);
  return { pairs, ...found };
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

test("a channel without any sound is not transcribed if another has sound", async () => {
  const sound = noise(4, 0.5);
  const silence = new Float32Array(sound.length);
  // Rounding noise of 16 bits, below -72 dBFS.
  const faint = noise(4, 2 / 32_768);
  expect(await compared([sound, silence])).toMatchObject({ kept: [0], sources: [0, 1] });
  expect(await compared([faint, sound])).toMatchObject({ kept: [1], sources: [0, 1] });
  expect(await compared([silence, sound, silence, sound])).toMatchObject({ kept: [1], sources: [0, 1, 2, 1] });
});

test("a channel with sound for a part of the recording stays", async () => {
  const sound = noise(20, 0.5);
  const late = new Float32Array(sound.length);
  late.set(noise(1, 0.05).subarray(0, 8_000), sound.length - 16_000);
  expect(await compared([sound, late])).toMatchObject({ kept: [0, 1] });
});

test("channels that are all silent stay", async () => {
  expect(await compared([new Float32Array(32_000), new Float32Array(32_000)])).toMatchObject({ kept: [0, 1] });
});
