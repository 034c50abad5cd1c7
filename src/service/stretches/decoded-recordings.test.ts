// Decoded recordings are shared and bounded, with a decoder that a test completes.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FreeSpace } from "../../platform/storage/free-space.ts";
import type { DecodeOptions } from "../../speech/audio/decode/decoder-pool.ts";
import type { DecodeAnswer } from "../../speech/audio/decode/message.ts";
import { type DecodedRecording, DecodedRecordings, type StoredRecording } from "./decoded-recordings.ts";

let folder: string;
/** Where samples are stored from now on. */
let place: string;
let recordings: DecodedRecordings;
/** Decodings under way; each is completed by its function. */
let begun: { signal: AbortSignal | undefined; complete(): void }[];
let stored: Set<string>;

const ANSWER = { durationSeconds: 1, gaps: [], channels: 1 } as unknown as DecodeAnswer;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-decoded-"));
  place = folder;
  begun = [];
  stored = new Set(Array.from({ length: 20 }, (_, at) => `key-${at}`));
  const decode = (_: string, { outputs: [file = ""], signal }: DecodeOptions) =>
    new Promise<DecodeAnswer>((resolve, reject) => {
      signal?.addEventListener("abort", () => reject(new Error("aborted")), { once: true });
      const complete = () => {
        writeFileSync(file, "samples");
        resolve(ANSWER);
      };
      begun.push({ signal, complete });
    });
  recordings = new DecodedRecordings({
    decoders: { decode, checkRoom: () => undefined },
    objects: { whileCopied: (key, use) => use(key), size: async (key) => (stored.has(key) ? 7 : undefined) },
    space: new FreeSpace(folder, 0),
    get temporaryFolder() {
      return place;
    },
    maximumSeconds: 60,
    logger: pino({ level: "silent" }),
  });
});
afterEach(async () => {
  await recordings.stop();
  rmSync(folder, { recursive: true, force: true });
});

const recording = (number: number): StoredRecording => ({
  file: {
    ...{ id: `file-${number}`, filename: "a.wav", source: null, audio_duration: 1, number_of_channels: 1 },
    ...{ object_key: `key-${number}`, size: 7, audio_deleted_at: null },
  },
  track: undefined,
  tenant: "a",
});
const firstFile = async ({ channels }: DecodedRecording) => channels[0] ?? "";
const use = (number: number, signal = new AbortController().signal) =>
  recordings.use(recording(number), signal, firstFile);
const decodings = (count: number) => expect.poll(() => begun.length).toBe(count);

test("requests share one decoding, and later ones need none", async () => {
  const [one, other] = [use(1), use(1)];
  await decodings(1);
  begun[0]?.complete();
  expect(await one).toBe(await other);
  expect(await use(1)).toBe(await one);
  expect(begun).toHaveLength(1);
});

test("a request ends at once when its client leaves; the next request continues its decoding", async () => {
  const client = new AbortController();
  const first = use(1, client.signal);
  await decodings(1);
  client.abort();
  await expect(first).rejects.toMatchObject({ code: "work.aborted" });
  const second = use(1);
  begun[0]?.complete();
  expect(existsSync(await second)).toBe(true);
  expect(begun).toHaveLength(1);
  expect(begun[0]?.signal?.aborted).toBe(false);
});

test("audio that is gone has no samples, even where they were kept", async () => {
  const first = use(1);
  await decodings(1);
  begun[0]?.complete();
  await first;
  stored.clear();
  await expect(use(1)).rejects.toMatchObject({ code: "stretches.no_audio", status: 410 });
});

test("of many recordings, the samples of the eight latest are kept", async () => {
  writeFileSync(path.join(folder, "other"), "");
  for (let number = 0; number < 12; number++) {
    const one = use(number);
    await decodings(number + 1);
    begun[number]?.complete();
    await one;
  }
  expect(readdirSync(folder)).toHaveLength(1 + 8);
  const first = use(11);
  expect(existsSync(await first)).toBe(true);
  expect(begun).toHaveLength(12);
  void use(0).catch(() => undefined);
  await decodings(13);
});

test("samples that cannot be removed fail no request", async () => {
  const [first, others] = [path.join(folder, "first"), path.join(folder, "others")];
  mkdirSync(first);
  mkdirSync(others);
  for (let number = 0; number < 9; number++) {
    place = number === 0 ? first : others;
    const one = use(number);
    await decodings(number + 1);
    begun[number]?.complete();
    expect(existsSync(await one)).toBe(true);
    // A file instead of the folder: what was below it cannot be removed.
    if (number > 0) continue;
    rmSync(first, { recursive: true });
    writeFileSync(first, "");
  }
  expect(readdirSync(others)).toHaveLength(8);
});
