// Speakers of live sessions: the mechanics, with a tiny random pair of networks. live-speakers.slow.test.ts: the real weights.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SPEAKER_MODEL } from "../../src/models/catalogue.ts";
import type { Utterance, Word } from "../../src/transcript/transcript.ts";
import { runCommand } from "../fixtures/command.ts";
import { createSession } from "../fixtures/live-client.ts";
import { sessionResult } from "../fixtures/live-invariants.ts";
import { correctedFinals, DIARIZED, spoken } from "../fixtures/live-speakers.ts";
import { Speaker } from "../fixtures/speaker.ts";
import { decodeSpeech, encodePcm, repeated } from "../fixtures/speech.ts";
import { tinySpeakerModels } from "../fixtures/tiny-speakers.ts";
import { call, type RunningService, ready, startService, TEST_KEY } from "../service.ts";

const BYTES_PER_SECOND = 32_000;

let folder: string;
let speech: Float32Array;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-live-speakers-"));
  speech = await decodeSpeech();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const wordsOf = (utterances: readonly Utterance[]): Word[] => utterances.flatMap(({ words }) => words);

describe("with a tiny speaker model", () => {
  let service: RunningService;
  beforeAll(async () => {
    const models = (await tinySpeakerModels(folder)).folder;
    service = await startService({
      environment: { PARLANCE_MODELS_DIR: models, PARLANCE_SECRETS_KEY: "a secrets key for tests" },
    });
    await ready(service);
  });
  afterAll(() => service.remove());

  test("every word of a final has a speaker, and so has the result, with its turns", async () => {
    const { client, result } = await spoken(service, encodePcm([repeated(speech, 4, 1)]), 3);
    const finals = client.finals().map(({ data }) => data.utterance as Utterance);
    expect(finals.length).toBeGreaterThanOrEqual(3);
    for (const { speaker, words } of finals) {
      expect(speaker).toBe(0);
      for (const word of words) expect(word.speaker).toBe(0);
    }
    expect(result.metadata.diarization).toEqual({ method: "networks", model: SPEAKER_MODEL });
    expect(result.metadata.warnings).toBeUndefined();
    const { utterances, speaker_turns } = result.transcription;
    expect(speaker_turns.length).toBeGreaterThan(0);
    expect((utterances as Utterance[]).map(({ speaker }) => speaker)).toEqual(utterances.map(() => 0));
    // Texts as without speakers.
    expect(result.transcription.full_transcript).toBe(
      finals
        .map(({ text }) => text)
        .join("")
        .trim(),
    );
    expect(utterances[0].text).toMatch(/^ \S/);
  });

  test("without the switch there are no speakers, and a configuration alone is named as ineffective", async () => {
    const { client, result } = await spoken(service, encodePcm([repeated(speech, 1, 1)]), 10, { diarization: false });
    expect(JSON.stringify(client.messages)).not.toContain("speaker");
    expect(result.metadata.diarization).toBeUndefined();
    const { json } = await call(service, "POST", "/v2/live", { body: { diarization_config: { max_speakers: 2 } } });
    expect(json.warnings).toEqual(["diarization_config has no effect without diarization: true"]);
  });

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

  test("numbers that contradict each other, and names without a library, are refused and say what to do", async () => {
    const counts = await call(service, "POST", "/v2/live", {
      body: { diarization: true, diarization_config: { min_speakers: 4, max_speakers: 2 } },
    });
    expect(counts.status).toBe(400);
    expect(JSON.stringify(counts.json)).toMatch(/lower min_speakers, raise max_speakers, or leave one of them out/);
    const named = { diarization: true, diarization_config: { identify_speakers: true } };
    const off = await call(service, "POST", "/v2/live", { body: named });
    expect(off.status).toBe(409);
    expect(off.json.message).toMatch(/PUT \/v2\/voices\/settings/);
  });

  test("a person of the library is named in a message that is not stored, and in the result", async () => {
    await call(service, "PUT", "/v2/voices/settings", { body: { enabled: true } });
    const form = new FormData();
    const { wav } = await import("../fixtures/recordings.ts");
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
    const environment = {
      PARLANCE_MODELS_DIR: path.join(folder, "models"),
      PARLANCE_SECRETS_KEY: "a secrets key for tests",
    };
    const { folder: data } = service;
    let next: RunningService | undefined;
    const port = new URL(service.base).port;
    await client.survive(async () => {
      await service.kill();
      next = await startService({ folder: data, environment: { ...environment, PARLANCE_PORT: port } });
      service = next;
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
    expect(result.metadata.warnings).toEqual([expect.stringMatching(/encoder.*not installed/)]);
    expect(result.transcription.utterances[0].speaker).toBe(0);
  } finally {
    await service.remove();
  }
});
