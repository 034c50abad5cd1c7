import { expect, test } from "vitest";
import { noise } from "../../../../test/fixtures/recordings.ts";
import { encodePcm } from "../../../../test/fixtures/speech.ts";
import type { StreamFormat } from "../../../speech/audio/stream-format.ts";
import { writeWavHeader } from "../../../speech/audio/wav.ts";
import type { StoredAudio } from "./log-contract.ts";
import { type Recording, storedSamples } from "./stored-samples.ts";

const STEREO: StreamFormat = { encoding: "wav/pcm", bitDepth: 16, sampleRate: 16_000, channels: 2 };

/** Of two channels, the second one at half of the level. */
function recordingOf(samples: Float32Array, channels: number): Recording {
  const quieter = samples.map((value) => value / 2);
  const bytes = Buffer.concat([writeWavHeader(STEREO, 0), encodePcm([samples, quieter])]);
  const audio = { total: bytes.length, read: async (start: number, end: number) => bytes.subarray(start, end) };
  return { audio: audio as unknown as StoredAudio, stored: { headerBytes: 44, format: STEREO }, channels };
}

test.each([
  [2, 0, 1],
  [2, 1, 0.5],
  [1, 0, 0.75],
])("of two stored channels in a session of %i, channel %i has %d of the level", async (channels, channel, level) => {
  const samples = noise(1, 0.3);
  const found = await storedSamples(recordingOf(samples, channels), channel, 8_000, 1_600);
  expect(found).toHaveLength(1_600);
  expect(found.every((value, at) => Math.abs(value - level * (samples[8_000 + at] as number)) < 1e-3)).toBe(true);
});
