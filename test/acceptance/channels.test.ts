// One source on several channels is transcribed once; several sources are all transcribed, and what leaks from one
// channel into another is not. Some tests need the shared cases.
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startLocalTranscriber } from "../../src/cli/local-transcriber.ts";
import type { TranscriptionResult } from "../../src/contract/transcript/transcript.ts";
import { loadSettings } from "../../src/platform/config/load.ts";
import { leakingPair } from "../fixtures/leaks.ts";
import { silence, wav } from "../fixtures/recordings.ts";
import { decodeSpeech } from "../fixtures/speech.ts";
import { normalizedWords } from "../fixtures/word-error-rate.ts";

const CASES = path.resolve("../shared/cases");
const hasCases = existsSync(CASES);
let transcriber: Awaited<ReturnType<typeof startLocalTranscriber>> | undefined;

let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-channels-"));
  vi.stubEnv("TMPDIR", folder);
  transcriber = await startLocalTranscriber(loadSettings({}), { model: "moonshine-tiny-en" });
});
afterAll(async () => {
  await transcriber?.stop();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

async function resultOf(file: string): Promise<TranscriptionResult> {
  const found = await transcriber?.transcribe(file, () => undefined);
  return JSON.parse(await readFile(found ?? "", "utf8")) as TranscriptionResult;
}

test("a recording that fails leaves no copy and no working files", async () => {
  const file = path.join(folder, "damaged.mp3");
  writeFileSync(file, "this is no recording ".repeat(1_000));
  await expect(transcriber?.transcribe(file, () => undefined)).rejects.toThrow();
  const kept = readdirSync(folder, { recursive: true }).map(String);
  expect(kept.some((name) => name.startsWith("parlance-transcribe-"))).toBe(true);
  expect(kept.filter((name) => /[/\\]transcribe-\d+/.test(name))).toEqual([]);
});

const textOf = ({ transcription }: TranscriptionResult, channel: number) =>
  normalizedWords(
    transcription.utterances
      .filter((utterance) => utterance.channel === channel)
      .map(({ text }) => text)
      .join(" "),
  ).join(" ");

test.skipIf(!hasCases).each([
  ["one-voice-two-channels-quieter.flac", 1],
  ["one-voice-two-channels-own-noise.mp3", 1],
  ["film-5.1-voice-in-centre.mkv", 1],
  ["two-voices-two-channels-overlap.flac", 2],
])("%s: channels %i", async (file, count) => {
  const { metadata, transcription } = await resultOf(path.join(CASES, file));
  expect(metadata.number_of_distinct_channels).toBe(count);
  expect(new Set(transcription.utterances.map(({ channel }) => channel)).size).toBe(count);
  expect(metadata.billing_time).toBeCloseTo(count * metadata.audio_duration, 2);
  const texts = transcription.utterances.map(({ text }) => text.trim().toLowerCase());
  expect(new Set(texts).size).toBe(texts.length);
});

test.each([
  [-6, 30],
  [-40, 200],
])("a voice that leaks into the other channel at %i dB, %i ms late, is transcribed once", async (decibels, delay) => {
  const file = path.join(folder, "leak.wav");
  writeFileSync(file, wav((await leakingPair(decibels, delay)).channels));
  const result = await resultOf(file);
  expect(result.metadata.number_of_distinct_channels).toBe(2);
  expect(textOf(result, 0)).toMatch(/^hello from the( \w+)+$/);
  expect(textOf(result, 0).match(/hello/g)).toHaveLength(1);
  expect(textOf(result, 1).match(/hello/g)).toHaveLength(3);
});

test("of channels that share their sources in pairs, one of each is transcribed, and the result states which", async () => {
  const sentence = await decodeSpeech();
  const pause = silence(1);
  const rest = new Float32Array(sentence.length);
  const first = Float32Array.from([...sentence, ...pause, ...rest]);
  const second = Float32Array.from([...rest, ...pause, ...sentence]);
  const file = path.join(folder, "pairs.wav");
  writeFileSync(file, wav([first, first, second, second]));
  const result = await resultOf(file);
  expect(result.metadata).toMatchObject({ number_of_distinct_channels: 2, channel_sources: [0, 0, 2, 2] });
  expect(textOf(result, 0)).toMatch(/^hello/);
  expect(textOf(result, 2)).toMatch(/^hello/);
});

test.skipIf(!hasCases).each([
  [
    "two-voices-leak-between-channels.flac",
    /^it is of the first importance.*ugly ones$/,
    /^and so my fellow.*for your country$/,
  ],
  ["agent-echo-in-caller-channel.flac", /^drop the two when you add the figures$/, /it is of the first importance/],
])("%s: no words of the other channel", async (file, first, second) => {
  const result = await resultOf(path.join(CASES, file));
  expect(textOf(result, 0)).toMatch(first);
  expect(textOf(result, 0)).not.toMatch(/country|fellow/);
  expect(textOf(result, 1)).toMatch(second);
});
