// Speakers of live sessions with the real weights: who is who, also after a kill.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { installModel } from "../../src/models/installer.ts";
import { ModelStore } from "../../src/models/store.ts";
import { createSession } from "../fixtures/live-client.ts";
import { sessionResult } from "../fixtures/live-invariants.ts";
import {
  correctedFinals,
  DIARIZED,
  type Dialogue,
  rightShare,
  sharedNumbers,
  spoken,
} from "../fixtures/live-speakers.ts";
import { hasShared, references, SHARED } from "../fixtures/recordings.ts";
import { Speaker } from "../fixtures/speaker.ts";
import { decodeSpeech, encodePcm, repeated } from "../fixtures/speech.ts";
import { type RunningService, ready, startService } from "../service.ts";

const REAL = path.join(SHARED, "../models/speakers");
const hasReal = hasShared && existsSync(path.join(REAL, "expected.json"));
const BYTES_PER_SECOND = 32_000;
/** Three people; it is played twice. */
const DIALOGUE = "two-speakers-en.flac";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-live-speakers-real-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(!hasReal)("with the real weights (needs ../shared)", () => {
  let service: RunningService;
  let models: string;
  let audio: Buffer;
  let dialogue: Dialogue;
  /** Once through the dialogue. */
  let turnSeconds: number;
  beforeAll(async () => {
    const store = new ModelStore(path.join(folder, "real"));
    await installModel(REAL, store, { hub: { base: "" }, progress: () => undefined });
    models = store.folder;
    service = await startService({ environment: { PARLANCE_MODELS_DIR: models } });
    await ready(service);
    const found = references().find(({ file }) => file === DIALOGUE);
    const samples = await decodeSpeech(found?.path);
    audio = encodePcm([repeated(samples, 2, 1)]);
    turnSeconds = samples.length / 16_000 + 1;
    const words = (found?.transcript ?? "").split(" ");
    const people = found?.word_speakers ?? [];
    dialogue = { words: [...words, ...words], people: [...people, ...people] };
  });
  afterAll(() => service.remove());

  test("people are distinguished while they talk, and the result agrees", { timeout: 120_000 }, async () => {
    const { client, result } = await spoken(service, audio, 2);
    const live = rightShare(correctedFinals(client.messages), dialogue);
    const recorded = rightShare(result.transcription.utterances, dialogue);
    expect(live.words).toBeGreaterThan(50);
    expect(Math.min(live.share, recorded.share), JSON.stringify({ live, recorded })).toBeGreaterThan(0.85);
    // The numbers of the result are those of the finals.
    const both = sharedNumbers(correctedFinals(client.messages), result.transcription.utterances);
    expect(both.same / both.all).toBeGreaterThan(0.85);
  });

  test("people keep their numbers when the service is killed between their turns", {
    timeout: 120_000,
  }, async () => {
    const { id, url } = await createSession(service, DIARIZED);
    const client = await Speaker.begin(audio, id, url);
    const send = async (seconds: number) => {
      for (let tenth = 0; tenth < 10 * seconds; tenth++) {
        client.send(BYTES_PER_SECOND / 10, false);
        await pause(50);
      }
    };
    await send(turnSeconds);
    const { folder: data, base } = service;
    await client.survive(async () => {
      await service.kill();
      service = await startService({
        folder: data,
        environment: { PARLANCE_MODELS_DIR: models, PARLANCE_PORT: new URL(base).port },
      });
    });
    await send(turnSeconds);
    await client.finish();
    await sessionResult(service, id);
    const { share, words } = rightShare(correctedFinals(client.messages), dialogue);
    expect(words).toBeGreaterThan(50);
    expect(share).toBeGreaterThan(0.85);
  });
});
