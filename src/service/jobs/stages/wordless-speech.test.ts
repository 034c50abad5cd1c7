// Speech without words on one channel while another one talks: lost speech is reported, a leak is not.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { noise } from "../../../../test/fixtures/recordings.ts";
import { turnsOf } from "../../../../test/fixtures/thread-time.ts";
import { Disk } from "../../../platform/storage/disk/disk.ts";
import { FileStore } from "../../../platform/storage/objects/file-store.ts";
import type { Leak } from "../../../speech/audio/leaks/recording-leaks.ts";
import { WINDOW_SECONDS } from "../../../speech/audio/voice-activity/detector-windows.ts";
import type { StageContext } from "./stage.ts";
import { wordlessSpeech } from "./wordless-speech.ts";
import { WorkFiles } from "./work-files.ts";

const SECONDS = 12;
const files = WorkFiles.ofAttempt("job", 1);
let folder: string;
let objects: FileStore;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-wordless-"));
  objects = new FileStore(folder, new Disk(false));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Windows in which the detector found a voice. */
const voiceIn = (from: number, until: number) =>
  Float32Array.from({ length: Math.floor(SECONDS / WINDOW_SECONDS) }, (_, window) =>
    window * WINDOW_SECONDS >= from && (window + 1) * WINDOW_SECONDS <= until ? 0.9 : 0,
  );

const words = (from: number, until: number) =>
  Array.from({ length: Math.round((until - from) / 0.5) }, (_, at) => ({
    text: "word",
    startSeconds: from + at / 2,
    endSeconds: from + at / 2 + 0.4,
    confidence: 1,
  }));

/** Channel 0 talks from 0 to 12 s with words; channel 1 has a voice from 4 to 7 s. @param own  words of channel 1 */
async function found(leaks: Leak[] | undefined, level = 0.2, own = words(0, 0)): Promise<string[]> {
  for (const [channel, loudness] of [0.2, level].entries()) {
    const samples = Int16Array.from(noise(SECONDS, loudness), (value) => Math.round(value * 32_767));
    await objects.put(files.channel(channel), Buffer.from(samples.buffer));
  }
  const probabilities = (samples: Float32Array) => new Float32Array(Math.floor(samples.length / 512));
  const context = {
    job: { id: "job", accountId: "account", params: {} },
    files,
    outputs: { decode: { durationSeconds: SECONDS, distinctChannels: [0, 1], ...(leaks ? { leaks } : {}) } },
    services: {
      objects,
      recognition: {
        voiceActivity: async (samples: Float32Array, state: unknown) => ({
          probabilities: probabilities(samples),
          state,
        }),
      },
    },
    signal: new AbortController().signal,
  } as unknown as StageContext;
  const lines = [
    { channel: 0, words: words(0, 12) },
    { channel: 1, words: own },
  ];
  const activity = new Map([
    [0, voiceIn(0, 12)],
    [1, voiceIn(4, 7)],
  ]);
  const stretches = await wordlessSpeech(activity, lines, context);
  return stretches.map(({ startSeconds, endSeconds }) => `${startSeconds.toFixed(0)} to ${endSeconds.toFixed(0)}`);
}

test("a voice without words is reported while another channel talks", async () => {
  expect(await found([])).toEqual(["4 to 7"]);
  expect(await found([{ from: 1, to: 0 }])).toEqual(["4 to 7"]);
});

test("a voice with words is not", async () => {
  expect(await found([], 0.2, words(4, 7))).toEqual([]);
});

test("what leaks from the other channel, or may, is not reported", async () => {
  expect(await found([{ from: 0, to: 1 }])).toEqual([]);
  // Leaks could not be found.
  expect(await found(undefined)).toEqual([]);
  // 26 dB below the other channel.
  expect(await found([], 0.01)).toEqual([]);
});

test("six hours of eight channels are compared in short turns", { timeout: 120_000 }, async () => {
  const [channels, seconds] = [8, 21_600];
  const activity = new Map(
    Array.from({ length: channels }, (_, channel) => [
      channel,
      Float32Array.from({ length: Math.floor(seconds / WINDOW_SECONDS) }, (_window, at) => (at >> 5) & 1),
    ]),
  );
  const lines = Array.from({ length: channels }, (_, channel) => ({ channel, words: words(0, seconds) }));
  const context = { outputs: { decode: { leaks: [] } }, files, services: {}, signal: new AbortController().signal };
  let longest = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < 3 && longest >= 200; tries++) {
    const cost = await turnsOf(() => wordlessSpeech(activity, lines, context as unknown as StageContext));
    if (process.env["SHOW_TURNS"]) process.stderr.write(`wordless ${cost.longest} of ${cost.all}\n`);
    expect(cost.result).toEqual([]);
    longest = Math.min(longest, cost.longest);
  }
  expect(longest).toBeLessThan(200);
});
