// The operator's key of the library of voices: required, changed, and wrong.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ModelStore } from "../../src/service/models/store.ts";
import { HELLO_MP3 } from "../fixtures/recordings.ts";
import { decodeSpeech, repeated } from "../fixtures/speech.ts";
import { tinySpeakerModels } from "../fixtures/tiny-speakers.ts";
import { enrol, IDENTIFY, turnOn } from "../fixtures/voices.ts";
import { call, finished, type RunningService, startService, submit } from "../service.ts";

let folder: string;
let store: ModelStore;
let speech: Float32Array;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-voices-key-"));
  store = await tinySpeakerModels(folder);
  speech = await decodeSpeech();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("without the operator's key it cannot be turned on; another key opens nothing, a changed one does", async () => {
  const data = path.join(folder, "data");
  const start = (environment: Record<string, string>) =>
    startService({ folder: data, environment: { PARLANCE_MODELS_DIR: store.folder, ...environment } });
  const steps: [Record<string, string>, (one: RunningService) => Promise<void>][] = [
    [
      {},
      async (one) => {
        const { status, json } = await turnOn(one);
        expect(status).toBe(409);
        expect(json.message).toMatch(/PARLANCE_SECRETS_KEY/);
      },
    ],
    [
      { PARLANCE_SECRETS_KEY: "first" },
      async (one) => {
        await turnOn(one);
        expect((await enrol(one, "Maria", repeated(speech, 4, 0.2))).status).toBe(201);
      },
    ],
    [
      { PARLANCE_SECRETS_KEY: "other" },
      async (one) => {
        expect((await call(one, "GET", "/v2/voices")).status).toBe(503);
        // A job does not fail for it.
        const job = await finished(one, await submit(one, readFileSync(HELLO_MP3), IDENTIFY));
        expect(job.result.transcription.utterances[0].speaker_name).toBeUndefined();
        expect(job.result.metadata.warnings).toEqual([expect.stringMatching(/^speakers have no names: The voices of/)]);
      },
    ],
    [
      { PARLANCE_SECRETS_KEY: "second", PARLANCE_SECRETS_KEY_PREVIOUS: "first" },
      async (one) => void expect((await call(one, "GET", "/v2/voices")).json.items).toHaveLength(1),
    ],
    [
      { PARLANCE_SECRETS_KEY: "second" },
      async (one) => void expect((await call(one, "GET", "/v2/voices")).json.items[0].name).toBe("Maria"),
    ],
  ];
  for (const [environment, check] of steps) {
    const one = await start(environment);
    try {
      await check(one);
    } finally {
      await one.stop();
    }
  }
});
