// Live sessions whose pauses are judged, with a tiny turn model that takes every quiet end for complete. Rules of the judgement:
// src/speech/turns/, src/service/live/channel/pause-judgement.test.ts; the real model: src/speech/engines/smart-turn/.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TURN_MODEL } from "../../src/service/models/catalogue.ts";
import { ListenClient } from "../fixtures/listen-client.ts";
import { createSession, LiveClient } from "../fixtures/live-client.ts";
import { sessionResult } from "../fixtures/live-invariants.ts";
import { decodeSpeech, encodePcm, repeated } from "../fixtures/speech.ts";
import { tinyTurnModels } from "../fixtures/tiny-turns.ts";
import { call, type RunningService, ready, startService } from "../service.ts";

const SAMPLE_RATE = 16_000;
const SMART = { mode: "smart", threshold: 0.7 };
let folder: string;
let service: RunningService;
let models: string;
let audio: Buffer;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-live-turns-"));
  models = (await tinyTurnModels(folder)).folder;
  service = await startService({
    environment: { PARLANCE_MODELS_DIR: models, PARLANCE_FETCH_MODELS: "false" },
  });
  await ready(service);
  // Pauses of a second.
  audio = encodePcm([repeated(await decodeSpeech(), 2, 1)]);
});
afterAll(async () => {
  await service?.remove();
  rmSync(folder, { recursive: true, force: true });
});

async function spoken(body: object, pieceSeconds: number) {
  const session = await createSession(service, { endpointing: 5, maximum_duration_without_endpointing: 60, ...body });
  const client = await LiveClient.connect(session.url);
  const piece = Math.round(pieceSeconds * SAMPLE_RATE) * 2;
  for (let at = 0; at < audio.length; at += piece) client.send(audio.subarray(at, at + piece));
  client.stop();
  await client.closed;
  const { result } = await sessionResult(service, session.id);
  return { client, result, finals: client.finals().map(({ data }) => data.utterance) };
}

test("an utterance ends before the endpointing where its turn is over, however the audio arrives; words are the same", async () => {
  const silence = await spoken({}, 0.5);
  const messages_config = { receive_turn_events: true };
  const smart = await spoken({ turn_detection: { ...SMART, probable_threshold: 0.05 }, messages_config }, 0.5);
  const whole = await spoken({ turn_detection: SMART }, 60);
  expect(silence.finals).toHaveLength(1);
  expect(smart.finals).toHaveLength(2);
  expect(whole.finals).toEqual(smart.finals);
  const words = ({ client }: typeof smart) =>
    client
      .text()
      .toLowerCase()
      .replace(/[^a-z ]/g, "");
  expect(words(smart)).toBe(words(silence));
  expect(smart.client.of("error")).toEqual([]);
  // Turn events, which other sessions do not have: each turn is over once, after its final.
  const types = (client: LiveClient) =>
    client.messages.map(({ type }) => type).filter((type) => type.startsWith("turn_"));
  expect(types(silence.client)).toEqual([]);
  const ends = types(smart.client).filter((type) => type === "turn_over");
  expect(ends).toHaveLength(2);
  for (const [at, { type }] of smart.client.messages.entries()) {
    if (type === "turn_over") expect(smart.client.messages[at - 1].type).toBe("transcript");
  }
  for (const [at, type] of types(smart.client).entries()) {
    if (type === "turn_probably_over") expect(types(smart.client)[at + 1]).toMatch(/^turn_(resumed|over)$/);
  }
  expect(smart.client.of("turn_over")[0].data).toMatchObject({
    channel: 0,
    reason: expect.stringMatching(/^(model|stop)$/),
  });
  expect(smart.result.metadata.warnings).toBeUndefined();
});

test("Flux: a judged pause ends a turn with its finals", async () => {
  const query = "encoding=linear16&sample_rate=16000&eot_threshold=0.7&eager_eot_threshold=0.3&eot_timeout_ms=2000";
  const client = await ListenClient.connect(service, query, undefined, "/v2/listen");
  client.stream(audio);
  expect(await client.finish()).toMatchObject({ code: 1000 });
  expect(client.of("Warning")).toEqual([]);
  const ends = client.of("TurnInfo").filter(({ event }) => event === "EndOfTurn");
  expect(ends.map(({ turn_index }) => turn_index)).toEqual([0, 1]);
  expect(ends[0].trigger).toBe("model");
  const { finals } = await spoken({ turn_detection: SMART, language_config: { languages: ["en"] } }, 1);
  expect(ends.map(({ transcript }) => transcript)).toEqual(finals.map(({ text }) => text.trim()));
});

test("silence is the default mode, and longer than the longest wait no silence is needed", async () => {
  expect((await spoken({ turn_detection: {} }, 1)).finals).toHaveLength(1);
  const { finals } = await spoken({ turn_detection: { ...SMART, threshold: 0.99, maximum_silence: 0.4 } }, 1);
  expect(finals).toHaveLength(2);
});

test("configure changes the end of turns and the vocabulary for the audio that follows, without a new session", async () => {
  const session = await createSession(service, { endpointing: 5, maximum_duration_without_endpointing: 60 });
  const client = await LiveClient.connect(session.url);
  const acknowledged = async (count: number) => {
    await expect.poll(() => client.of("configure").length, { timeout: 30_000 }).toBe(count);
    return client.of("configure").at(-1);
  };
  client.send(audio);
  client.configure({ endpointing: 0.4 });
  const seconds = audio.length / 2 / SAMPLE_RATE;
  expect(await acknowledged(1)).toMatchObject({
    acknowledged: true,
    error: null,
    data: { time: expect.closeTo(seconds, 2) },
  });
  client.send(audio);
  const vocabulary = [{ value: "Versailles", pronunciations: ["Vercel"], intensity: 0.9 }];
  client.configure({
    endpointing: 5,
    realtime_processing: { custom_vocabulary: true, custom_vocabulary_config: { vocabulary } },
  });
  client.configure({ turn_detection: SMART, realtime_processing: { custom_vocabulary: false } });
  client.configure({ endpointing: 0 });
  await acknowledged(3);
  client.send(audio);
  client.stop();
  await client.closed;
  const finals = client.finals().map(({ data }) => data.utterance);
  // Each time two sentences with a pause of a second: one utterance, then one each by silence, then one each by judgement.
  const hellos = finals.map(({ text }) => text.match(/hello/gi)?.length);
  expect(hellos).toEqual([2, 1, 1, 1, 1]);
  for (const [at, { start, end }] of finals.entries()) {
    const stretch = at === 0 ? 0 : Math.ceil(at / 2);
    expect(start).toBeGreaterThanOrEqual(stretch * seconds);
    expect(end).toBeLessThanOrEqual((stretch + 1) * seconds);
  }
  expect(client.of("error").map(({ message }) => message)).toEqual([expect.stringContaining("endpointing")]);
});

test("a language that no model recognises is refused by name, and the session continues", async () => {
  const session = await createSession(service, { endpointing: 0.4, language_config: { languages: ["en"] } });
  const client = await LiveClient.connect(session.url);
  client.send(audio);
  client.configure({ endpointing: 5, language_config: { languages: ["de"] } });
  await expect.poll(() => client.of("configure").length, { timeout: 30_000 }).toBe(1);
  expect(client.of("configure")[0]).toMatchObject({
    acknowledged: false,
    error: { message: expect.stringMatching(/recognises de/) },
  });
  client.send(audio);
  client.stop();
  await client.closed;
  const finals = client.finals().map(({ data }) => data.utterance);
  // Neither the languages nor the endpointing of that message are in force.
  expect(finals.map(({ language, text }) => [language, text.match(/hello/gi)?.length])).toEqual(
    Array.from({ length: 4 }, () => ["en", 1]),
  );
});

test("values out of bounds and bounds in the wrong order are refused by name", async () => {
  for (const [turn_detection, name] of [
    [{ mode: "clever" }, "turn_detection.mode"],
    [{ mode: "smart", threshold: 1 }, "turn_detection.threshold"],
    [{ mode: "smart", minimum_silence: 0 }, "turn_detection.minimum_silence"],
    [{ mode: "smart", maximum_silence: 11 }, "turn_detection.maximum_silence"],
    [{ mode: "smart", minimum_silence: 3 }, "turn_detection.minimum_silence (3) must not be greater"],
  ] as const) {
    const { status, text } = await call(service, "POST", "/v2/live", { body: { turn_detection } });
    expect(status).toBe(400);
    expect(text).toContain(name);
  }
});

test("without the model, silence ends utterances; a message and the result name the command that adds it", async () => {
  rmSync(path.join(models, TURN_MODEL), { recursive: true, force: true });
  // The list of models is a moment old at most.
  const isListed = async () => {
    const { items } = (await call(service, "GET", "/v2/models")).json;
    return items.find(({ id }: { id: string }) => id === TURN_MODEL)?.installed;
  };
  await expect.poll(isListed).toBe(false);
  const { client, result, finals } = await spoken({ turn_detection: SMART, endpointing: 0.5 }, 1);
  expect(finals).toHaveLength(2);
  expect(client.of("error").map(({ data }) => data)).toEqual([
    expect.objectContaining({
      code: "turn_detection_unavailable",
      message: expect.stringContaining(`models add ${TURN_MODEL}`),
    }),
  ]);
  expect(result.metadata.warnings).toEqual([expect.stringContaining(`models add ${TURN_MODEL}`)]);
});
