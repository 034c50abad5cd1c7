// The library of voices with the real weights: who is who in other recordings, and what is no voice of one person.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Utterance } from "../../src/contract/transcript/transcript.ts";
import { installModel } from "../../src/service/models/installer.ts";
import { ModelStore } from "../../src/service/models/store.ts";
import { hasShared, SHARED, silence } from "../fixtures/recordings.ts";
import { chords, decodeSpeech } from "../fixtures/speech.ts";
import { enrol, IDENTIFY, SECRETS_KEY, turnOn } from "../fixtures/voices.ts";
import { call, finished, type RunningService, startService, submit } from "../service.ts";

const REAL = path.join(SHARED, "../models/speakers");
const hasReal = hasShared && existsSync(path.join(REAL, "expected.json"));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-voices-real-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(!hasReal)("with the real weights (needs ../shared)", () => {
  let service: RunningService;
  const load = (name: string) => decodeSpeech(path.join(SHARED, name));
  beforeAll(async () => {
    const store = new ModelStore(path.join(folder, "models"));
    await installModel(REAL, store, { hub: { base: "" }, progress: () => undefined });
    service = await startService({
      environment: { PARLANCE_MODELS_DIR: store.folder, PARLANCE_SECRETS_KEY: SECRETS_KEY },
    });
    await turnOn(service);
  });
  afterAll(() => service.remove());

  test("two voices, noise and music are no person", async () => {
    const reader = (await load("audiobook-0870.flac")).slice(0, 112_000);
    const other = (await load("reading-01.flac")).slice(0, 96_000);
    const both = new Float32Array(reader.length + other.length);
    both.set(reader);
    both.set(other, reader.length);
    const two = await enrol(service, "Both", both);
    expect(two.status).toBe(422);
    expect(two.json.message).toMatch(/more than one voice/);
    const word = new Float32Array(64_000);
    word.set(reader.slice(0, 12_000), 16_000);
    const refused: [string, Float32Array, RegExp][] = [
      ["Noise", await load("noise-1.flac"), /speech|clear voice/],
      ["Music", chords(12), /speech|clear voice/],
      ["Silence", silence(10), /no speech/],
      ["A word", word, /at least 4 s|no speech/],
    ];
    for (const [name, samples, reason] of refused) {
      const { status, json } = await enrol(service, name, samples);
      expect([name, status]).toEqual([name, 422]);
      expect(json.message).toMatch(reason);
    }
    expect((await call(service, "GET", "/v2/voices")).json.items).toEqual([]);
  });

  test("a reader and a member of a meeting are named in other recordings, and nobody else is", async () => {
    const reader = (await load("audiobook-0870.flac")).slice(0, 10 * 16_000);
    expect((await enrol(service, "Reader", reader)).status).toBe(201);
    const first = await submit(service, readFileSync(path.join(SHARED, "meeting-trn06.flac")), { diarization: true });
    const { utterances } = (await finished(service, first)).result.transcription;
    const seconds = new Map<number, number>();
    for (const { speaker, start, end } of utterances as Utterance[]) {
      seconds.set(speaker ?? -1, (seconds.get(speaker ?? -1) ?? 0) + end - start);
    }
    const [[speaker] = [-1]] = [...seconds].sort((left, right) => right[1] - left[1]);
    const member = await call(service, "POST", "/v2/voices", { body: { name: "Member", job_id: first, speaker } });
    expect(member.status).toBe(201);

    const names = async (file: string) => {
      const job = await finished(service, await submit(service, readFileSync(path.join(SHARED, file)), IDENTIFY));
      return new Set((job.result.transcription.speakers as { name: string | null }[]).map(({ name }) => name));
    };
    expect([...(await names("audiobook-0920.flac"))]).toContain("Reader");
    expect([...(await names("meeting-trn09.flac"))]).toContain("Member");
    for (const file of ["meeting-dev00.flac", "reading-03.flac", "speech-1961-en.flac"]) {
      const found = await names(file);
      expect([...found].filter((name) => name !== null)).toEqual([]);
    }
  });
});
