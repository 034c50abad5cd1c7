// OpenAI's Realtime interface for transcription: its own client unmodified, and plain WebSockets for what other clients send.
import net from "node:net";
import OpenAI from "openai";
import { OpenAIRealtimeWS } from "openai/realtime/ws";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSession, LiveClient } from "../fixtures/live-client.ts";
import { RealtimeClient } from "../fixtures/realtime-client.ts";
import { atRate, decodeSpeech, encodePcm, encodeUlaw, repeated } from "../fixtures/speech.ts";
import { call, type RunningService, ready, startService, TEST_KEY } from "../service.ts";

const HELLO = /^hello from the vers?[a-z]+ a.?i.?s.?d.?k\.?$/i;
const AUTHORIZED = { headers: { authorization: `Bearer ${TEST_KEY}` } };

let service: RunningService;
/** Two sentences, each with a pause of two seconds, at 24 kHz. */
let pcm24: Buffer;
let ulaw: Buffer;

beforeAll(async () => {
  service = await startService({ environment: { PARLANCE_ACCOUNT_LIVE_SESSIONS: "5" } });
  const speech = repeated(await decodeSpeech(), 2, 2);
  pcm24 = encodePcm([atRate(speech, 24_000)]);
  ulaw = encodeUlaw(atRate(speech, 8_000));
  await ready(service);
}, 120_000);
afterAll(() => service.remove());

/** Finals of the service's own protocol. */
async function ownFinals(body: object): Promise<string[]> {
  const client = await LiveClient.connect((await createSession(service, { sample_rate: 24_000, ...body })).url);
  client.send(pcm24);
  client.stop();
  await client.closed;
  return client.finals().map(({ data }) => data.utterance.text.trim());
}

test("its own client gets speech events, deltas and transcripts: the same text as on the service's own protocol", async () => {
  const openai = new OpenAI({ apiKey: TEST_KEY, baseURL: `${service.base}/v1` });
  // This client connects with TLS only, and the service has no TLS.
  const options = { createConnection: () => net.connect(Number(new URL(service.base).port), "127.0.0.1") };
  const realtime = new OpenAIRealtimeWS({ model: "gpt-4o-transcribe", options }, openai);
  const types: string[] = [];
  const ended: { item: string; transcript: string }[] = [];
  const deltas = new Map<string, string>();
  await new Promise<void>((resolve, reject) => {
    realtime.on("error", reject);
    realtime.on("event", ({ type }) => types.push(type));
    realtime.on("session.created", () =>
      realtime.send({
        type: "session.update",
        session: { type: "transcription", audio: { input: { turn_detection: { type: "server_vad" } } } },
      }),
    );
    realtime.on("session.updated", ({ session }) => {
      expect(session).toMatchObject({ audio: { input: { turn_detection: { silence_duration_ms: 500 } } } });
      realtime.send({ type: "input_audio_buffer.append", audio: pcm24.toString("base64") });
    });
    realtime.on("conversation.item.input_audio_transcription.delta", ({ item_id, delta }) =>
      deltas.set(item_id, (deltas.get(item_id) ?? "") + delta),
    );
    realtime.on("conversation.item.input_audio_transcription.completed", ({ item_id, transcript, usage }) => {
      expect(usage).toEqual({ type: "duration", seconds: expect.closeTo(2, 0) });
      ended.push({ item: item_id, transcript });
      if (ended.length === 2) resolve();
    });
  });
  realtime.close();
  expect(ended.map(({ transcript }) => transcript)).toEqual([
    expect.stringMatching(HELLO),
    expect.stringMatching(HELLO),
  ]);
  expect([...deltas]).toEqual(ended.map(({ item, transcript }) => [item, transcript]));
  const utterance = [
    "input_audio_buffer.speech_started",
    "input_audio_buffer.speech_stopped",
    "input_audio_buffer.committed",
    "conversation.item.added",
    "conversation.item.done",
    "conversation.item.input_audio_transcription.delta",
    "conversation.item.input_audio_transcription.completed",
  ];
  expect(types).toEqual(["session.created", "session.updated", ...utterance, ...utterance]);
  const own = { endpointing: 0.5, maximum_duration_without_endpointing: 60, pre_processing: { speech_threshold: 0.5 } };
  expect(ended.map(({ transcript }) => transcript)).toEqual(await ownFinals(own));
});

test("without turn detection, a commit ends an item: its deltas, joined, are its transcript", async () => {
  const client = await RealtimeClient.connect(service, AUTHORIZED);
  await client.received("session.created");
  client.configure(
    { turn_detection: null, transcription: { model: "gpt-realtime-whisper", language: "en" } },
    { include: ["item.input_audio_transcription.logprobs"] },
  );
  await client.received("session.updated");
  client.append(pcm24);
  client.commit();
  const [completed] = await client.received("completed");
  expect(completed.transcript.match(/hello from the/gi)).toHaveLength(2);
  expect(client.deltas(completed.item_id)).toBe(completed.transcript);
  expect(completed.languages).toEqual([{ code: "en" }]);
  expect(
    completed.logprobs
      .map(({ token }: { token: string }) => token)
      .join("")
      .trim(),
  ).toBe(completed.transcript);
  expect(completed.logprobs.every(({ logprob }: { logprob: number }) => logprob <= 0)).toBe(true);
  // The buffer is empty now.
  client.commit();
  const [empty] = await client.received("error");
  expect(empty.error).toMatchObject({ code: "input_audio_buffer_commit_empty", type: "invalid_request_error" });
  // What is cleared has no item.
  client.append(pcm24);
  client.send({ type: "input_audio_buffer.clear" });
  client.append(pcm24.subarray(0, pcm24.length / 2));
  client.commit();
  const [, second] = await client.received("completed", 2);
  expect(second.transcript).toMatch(HELLO);
  expect(client.of("input_audio_buffer.cleared")).toHaveLength(1);
  expect(
    client.of("input_audio_buffer.committed").map(({ item_id, previous_item_id }) => [item_id, previous_item_id]),
  ).toEqual([
    [completed.item_id, null],
    [second.item_id, completed.item_id],
  ]);
  expect(client.events.map(({ type }) => type).filter((type) => type.includes("speech_"))).toEqual([]);
  // Its session is one like any other.
  client.socket.close();
  await expect
    .poll(
      async () => {
        const [{ id }] = (await call(service, "GET", "/v2/live?limit=1")).json.items;
        const { status, result } = (await call(service, "GET", `/v2/live/${id}`)).json;
        return [status, result?.transcription.full_transcript.match(/hello from the/gi)?.length];
      },
      { timeout: 60_000 },
    )
    .toEqual(["done", 5]);
}, 120_000);

test("the form of the beta, the key as a subprotocol, and mu-law of 8 kHz", async () => {
  const client = await RealtimeClient.connect(service, {
    protocols: ["realtime", `openai-insecure-api-key.${TEST_KEY}`, "openai-beta.realtime-v1"],
  });
  expect(client.socket.protocol).toBe("realtime");
  await client.received("transcription_session.created");
  client.send({
    type: "transcription_session.update",
    session: {
      input_audio_format: "g711_ulaw",
      input_audio_transcription: { model: "whisper-1", prompt: "Vercel", language: "en" },
      input_audio_noise_reduction: null,
      turn_detection: { type: "server_vad", silence_duration_ms: 700, prefix_padding_ms: 100 },
      surprise: 1,
    },
  });
  const [{ session, warnings }] = await client.received("transcription_session.updated");
  expect(session).toMatchObject({
    input_audio_format: "g711_ulaw",
    input_audio_transcription: { model: "whisper-1", prompt: "Vercel", language: "en" },
    turn_detection: { silence_duration_ms: 700 },
  });
  expect(warnings).toEqual([
    expect.stringContaining("session.turn_detection.prefix_padding_ms has no effect"),
    "session.surprise has no effect: it is not a field of transcription sessions",
  ]);
  client.append(ulaw);
  expect(await client.transcripts(2)).toEqual([
    expect.stringMatching(/^hello from/i),
    expect.stringMatching(/^hello from/i),
  ]);
  expect(client.of("conversation.item.created")).toHaveLength(2);
  // A running session keeps its configuration; the same values again are no change.
  client.send({
    type: "session.update",
    event_id: "mine",
    session: { audio: { input: { format: { type: "audio/pcm" } } } },
  });
  const [{ error }] = await client.received("error");
  expect(error).toMatchObject({ code: "session_has_begun", param: "session.audio.input.format", event_id: "mine" });
  client.send({ type: "transcription_session.update", session: { input_audio_format: "g711_ulaw" } });
  await client.received("transcription_session.updated", 2);
  client.socket.close();
}, 120_000);

test("an update after the first audio configures the session, and its items can be retrieved", async () => {
  const client = await RealtimeClient.connect(service, AUTHORIZED);
  client.append(pcm24.subarray(0, 4_800));
  const transcription = { model: "gpt-realtime-whisper", language: "en" };
  client.configure({ transcription, turn_detection: null, noise_reduction: { type: "near_field" } });
  client.append(pcm24.subarray(4_800));
  client.commit();
  const [transcript] = await client.transcripts(1);
  expect(transcript?.split(/hello/i)).toHaveLength(3);
  const [{ item_id }] = client.of("input_audio_buffer.committed");
  client.send({ type: "conversation.item.retrieve", item_id });
  const [{ item }] = await client.received("conversation.item.retrieved");
  expect(item).toMatchObject({ id: item_id, content: [{ type: "input_audio", transcript }] });
  expect(client.of("error")).toEqual([]);
  client.socket.close();
}, 120_000);

test("a wrong key gets an error and a close code; so does an unknown model", async () => {
  const wrong = await RealtimeClient.connect(service, { headers: { authorization: "Bearer sk-wrong" } });
  expect(await wrong.closed).toEqual({ code: 3000, reason: "invalid_request_error.invalid_api_key" });
  expect(wrong.events).toEqual([
    expect.objectContaining({ type: "error", error: expect.objectContaining({ code: "invalid_api_key" }) }),
  ]);
  const none = await RealtimeClient.connect(service);
  expect((await none.closed).code).toBe(3000);
  const model = await RealtimeClient.connect(service, { ...AUTHORIZED, query: "model=gpt-9" });
  expect(await model.closed).toEqual({ code: 4000, reason: "invalid_request_error.model_not_found" });
});

test("a client secret opens sessions with its configuration, and nothing else", async () => {
  const created = await call(service, "POST", "/v1/realtime/client_secrets", {
    body: {
      expires_after: { anchor: "created_at", seconds: 60 },
      session: { type: "transcription", audio: { input: { turn_detection: null } } },
    },
  });
  expect(created.status).toBe(200);
  expect(created.json).toMatchObject({
    value: expect.stringMatching(/^ek_/),
    session: { type: "transcription", audio: { input: { turn_detection: null } } },
  });
  const key = created.json.value;
  expect((await call(service, "GET", "/v2/live", { key })).status).toBe(401);
  const client = await RealtimeClient.connect(service, { protocols: ["realtime", `openai-insecure-api-key.${key}`] });
  const [{ session }] = await client.received("session.created");
  expect(session.audio.input.turn_detection).toBeNull();
  client.append(pcm24.subarray(0, pcm24.length / 2));
  client.commit();
  expect(await client.transcripts(1)).toEqual([expect.stringMatching(HELLO)]);
  client.socket.close();
  const changed = await RealtimeClient.connect(service, { headers: { authorization: `Bearer ${key}x` } });
  expect((await changed.closed).code).toBe(3000);
  const beta = await call(service, "POST", "/v1/realtime/transcription_sessions", {
    body: { input_audio_format: "g711_alaw" },
  });
  expect(beta.json).toMatchObject({
    input_audio_format: "g711_alaw",
    client_secret: { value: expect.stringMatching(/^ek_/) },
  });
  const voice = await call(service, "POST", "/v1/realtime/client_secrets", { body: { session: { type: "realtime" } } });
  expect(voice.status).toBe(400);
  expect(voice.json.error.message).toContain("session.type must be");
});

test("turn detection and vocabulary of a running session change, for the audio that follows", async () => {
  const client = await RealtimeClient.connect(service, AUTHORIZED);
  client.configure({ turn_detection: { type: "server_vad" } });
  await client.received("session.updated");
  client.append(pcm24);
  expect(await client.transcripts(2)).toEqual([expect.stringMatching(HELLO), expect.stringMatching(HELLO)]);
  client.configure({ turn_detection: null, transcription: { model: "gpt-4o-transcribe", keywords: ["Zanzibar"] } });
  const [, changed] = await client.received("session.updated", 2);
  expect(changed.session.audio.input).toMatchObject({
    turn_detection: null,
    transcription: { keywords: ["Zanzibar"] },
  });
  client.append(pcm24);
  client.commit();
  const [, , held] = await client.transcripts(3);
  expect(held?.split(/hello/i)).toHaveLength(3);
  client.configure({ turn_detection: { type: "server_vad", silence_duration_ms: 400 } });
  await client.received("session.updated", 3);
  client.append(pcm24);
  expect((await client.transcripts(5)).slice(3)).toEqual([expect.stringMatching(HELLO), expect.stringMatching(HELLO)]);
  expect(client.of("error")).toEqual([]);
  client.socket.close();
}, 120_000);
