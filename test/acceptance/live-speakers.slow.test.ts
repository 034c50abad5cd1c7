// Speakers of live sessions. With a tiny random pair of networks: channels, names of the library, the command line, a restart, a missing
// model. With the real weights: who is who.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Utterance, Word } from "../../src/contract/transcript/transcript.ts";
import { installModel } from "../../src/service/models/installer.ts";
import { ModelStore } from "../../src/service/models/store.ts";
import { runCommand } from "../fixtures/command.ts";
import { createSession } from "../fixtures/live-client.ts";
import { sessionResult } from "../fixtures/live-invariants.ts";
import {
  correctedFinals,
  DIARIZED,
  type Dialogue,
  rightShare,
  sharedNumbers,
  spoken,
  startWithSpeakers,
} from "../fixtures/live-speakers.ts";
import { hasShared, references, SHARED, wav } from "../fixtures/recordings.ts";
import { Speaker } from "../fixtures/speaker.ts";
import { decodeSpeech, encodePcm, repeated } from "../fixtures/speech.ts";
import { isThorough } from "../fixtures/thorough.ts";
import { tinySpeakerModels } from "../fixtures/tiny-speakers.ts";
import { call, type RunningService, ready, startService, TEST_KEY } from "../service.ts";

const REAL = path.join(SHARED, "../models/speakers");
const hasReal = hasShared && existsSync(path.join(REAL, "expected.json"));
const BYTES_PER_SECOND = 32_000;
/** Three people; it is played twice. */
const DIALOGUE = "two-speakers-en.flac";

let folder: string;
let speech: Float32Array;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-live-speakers-"));
  speech = await decodeSpeech();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const wordsOf = (utterances: readonly Utterance[]): Word[] => utterances.flatMap(({ words }) => words);

describe("with a tiny speaker model", () => {
  let models: string;
  let service: RunningService;
  beforeAll(async () => {
    models = (await tinySpeakerModels(folder)).folder;
    service = await startWithSpeakers(models);
    await ready(service);
  });
  afterAll(() => service.remove());

  test("channels are the speakers, unless more people are expected", async () => {
    const silent = new Float32Array(speech.length + 16_000);
    const one = repeated(speech, 1, 1);
    const left = Float32Array.from([...one, ...silent, ...one]);
    const right = Float32Array.from([...silent, ...one, ...silent]);
    const { client, result } = await spoken(service, encodePcm([left, right]), 5, { channels: 2 });
    const heard = client.finals().map(({ data }) => [data.utterance.channel, data.utterance.speaker]);
    expect(heard).toEqual([
      [0, 0],
      [1, 1],
      [0, 0],
    ]);
    expect(result.metadata.diarization).toEqual({ method: "channels" });
    const inResult = (result.transcription.utterances as Utterance[]).map(({ channel, speaker }) => [channel, speaker]);
    expect(inResult).toEqual(heard);
    const more = await spoken(service, encodePcm([left, right]), 3, {
      channels: 2,
      diarization_config: { min_speakers: 3 },
    });
    expect(more.result.metadata.diarization.method).toBe("networks");
    expect(wordsOf(correctedFinals(more.client.messages)).every(({ speaker }) => speaker !== undefined)).toBe(true);
  });

  test("channels that carry the same source are diarized as one", async () => {
    const one = repeated(speech, 6, 1);
    const { client, result } = await spoken(service, encodePcm([one, one]), 3, { channels: 2 });
    expect(wordsOf(correctedFinals(client.messages)).every(({ speaker }) => speaker !== undefined)).toBe(true);
    expect(result.metadata).toMatchObject({ number_of_distinct_channels: 1, diarization: { method: "networks" } });
  });

  test("a person of the library is named in a message that is not stored, and in the result", async () => {
    await call(service, "PUT", "/v2/voices/settings", { body: { enabled: true } });
    const form = new FormData();
    form.append("name", "Unmistakable Ana");
    form.append("audio", new Blob([wav([repeated(speech, 4, 0.2)]) as never]), "ana.wav");
    const made = await call(service, "POST", "/v2/voices", { body: form });
    const identify = { diarization_config: { identify_speakers: true } };
    const { client, result, id } = await spoken(service, encodePcm([repeated(speech, 5, 1)]), 3, identify);
    const [names] = client.of("speaker_names");
    expect(names.data.speakers).toEqual([
      { speaker: 0, name: "Unmistakable Ana", confidence: expect.any(Number), voice_id: made.json.id },
    ]);
    expect(result.transcription.utterances[0]).toMatchObject({ speaker: 0, speaker_name: "Unmistakable Ana" });
    expect(JSON.stringify(result.messages)).not.toContain("Unmistakable");
    await call(service, "DELETE", `/v2/voices/${made.json.id}`);
    expect((await call(service, "GET", `/v2/live/${id}`)).text).not.toContain("Unmistakable");
  });

  test("the command line names the speaker of each passage", async () => {
    const { code, stdout, stderr } = await runCommand(
      ["live", "--speakers", "--server", service.base, "--key", TEST_KEY],
      { input: encodePcm([repeated(speech, 2, 1)]) },
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/hello/i);
    for (const line of stdout.trim().split("\n")) expect(line).toMatch(/^Speaker \d+: \S/);
  });

  test("a session that a restart interrupts keeps its speakers", async () => {
    const audio = encodePcm([repeated(speech, 6, 1)]);
    const { id, url } = await createSession(service, DIARIZED);
    const client = await Speaker.begin(audio, id, url);
    for (let second = 0; second < 10; second++) {
      client.send(BYTES_PER_SECOND, false);
      await pause(300);
    }
    const { folder: data, base } = service;
    await client.survive(async () => {
      await service.kill();
      service = await startWithSpeakers(models, { folder: data, environment: { PARLANCE_PORT: new URL(base).port } });
    });
    await client.finish();
    const { result } = await sessionResult(service, id);
    const finals = correctedFinals(client.messages);
    expect(finals.length).toBeGreaterThanOrEqual(4);
    for (const word of wordsOf(finals)) expect(word.speaker).toBe(0);
    for (const { speaker } of result.transcription.utterances as Utterance[]) expect(speaker).toBe(0);
  });
});

test("without a speaker model, a message and the result say so, and the encoder finds the speakers of the result", async () => {
  const models = mkdtempSync(path.join(folder, "empty-"));
  const service = await startService({ environment: { PARLANCE_MODELS_DIR: models } });
  try {
    const { client, result } = await spoken(service, encodePcm([repeated(speech, 2, 1)]), 5);
    const [problem, ...others] = client.of("error");
    expect(problem.data.code).toBe("speakers_unavailable");
    expect(problem.message).toMatch(/not installed; the operator can add it: .*models add/);
    expect(others).toEqual([]);
    for (const { data } of client.finals()) expect(data.utterance.speaker).toBeUndefined();
    expect(result.metadata.diarization).toEqual({ method: "encoder" });
    expect(result.metadata.warnings).toEqual([expect.stringMatching(/less accurate method.*not installed/)]);
    expect(result.transcription.utterances[0].speaker).toBe(0);
  } finally {
    await service.remove();
  }
});

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

  if (isThorough) {
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
  }
});
