// One source on several channels is transcribed once; several sources are all transcribed. Needs the shared cases.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startLocalTranscriber } from "../../src/cli/local-transcriber.ts";
import { loadSettings } from "../../src/config/load.ts";
import type { TranscriptionResult } from "../../src/transcript/transcript.ts";

const CASES = path.resolve("../shared/cases");
const hasCases = existsSync(CASES);
let transcriber: Awaited<ReturnType<typeof startLocalTranscriber>> | undefined;

beforeAll(async () => {
  if (hasCases) transcriber = await startLocalTranscriber(loadSettings({}), { model: "moonshine-tiny-en" });
});
afterAll(() => transcriber?.stop());

test.skipIf(!hasCases).each([
  ["one-voice-two-channels-quieter.flac", 1],
  ["one-voice-two-channels-own-noise.mp3", 1],
  ["film-5.1-voice-in-centre.mkv", 1],
  ["two-voices-two-channels-overlap.flac", 2],
])("%s: channels %i", async (file, count) => {
  const found = await transcriber?.transcribe(path.join(CASES, file), () => undefined);
  const { metadata, transcription } = JSON.parse(await readFile(found ?? "", "utf8")) as TranscriptionResult;
  expect(metadata.number_of_distinct_channels).toBe(count);
  expect(new Set(transcription.utterances.map(({ channel }) => channel)).size).toBe(count);
  expect(metadata.billing_time).toBeCloseTo(count * metadata.audio_duration, 2);
  const texts = transcription.utterances.map(({ text }) => text.trim().toLowerCase());
  expect(new Set(texts).size).toBe(texts.length);
});
