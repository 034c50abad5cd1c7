// The conformance checks of the interface by number. They run against a service of their own, or against any other:
// PARLANCE_TEST_BASE=https://host PARLANCE_TEST_KEY=… npx vitest run test/acceptance/conformance.test.ts
// At the end a table lists which endpoints answered with which statuses.
import { readFileSync } from "node:fs";
import { GladiaClient } from "@gladiaio/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { LIVEKIT, PIPECAT } from "../fixtures/known-clients.ts";
import { createSession, LiveClient } from "../fixtures/live-client.ts";
import { HELLO_MP3, silence, wav } from "../fixtures/recordings.ts";
import { decodeSpeech, encodePcm, repeated } from "../fixtures/speech.ts";
import { answered, call, finished, type RunningService, startService, submit, TEST_KEY, upload } from "../service.ts";

const elsewhere = process.env["PARLANCE_TEST_BASE"];
let service: Pick<RunningService, "base">;
let own: RunningService | undefined;
let speech: Float32Array;
let audioUrl: string;

beforeAll(async () => {
  speech = await decodeSpeech();
  if (elsewhere) service = { base: elsewhere };
  else {
    own = await startService({ environment: { PARLANCE_LIVE_IDLE_SECONDS: "4" } });
    service = own;
  }
  audioUrl = (await upload(service, wav([silence(0.3)]), "quiet.wav")).json.audio_url;
});
afterAll(async () => {
  const rows = [...answered].map(([endpoint, statuses]) => `${endpoint.padEnd(48)} ${[...statuses].sort().join(" ")}`);
  process.stdout.write(`\nEndpoints and the statuses they answered with\n${rows.sort().join("\n")}\n`);
  await own?.remove();
});

const create = (body: object = {}) =>
  call(service, "POST", "/v2/pre-recorded", { body: { audio_url: audioUrl, ...body } });
const ZEROS = "00000000-0000-0000-0000-000000000000";
const sdk = () => new GladiaClient({ apiKey: TEST_KEY, apiUrl: service.base });

test("1 POST /v2/live with {}: 201, three keys, defaults in request_params", async () => {
  const { status, json } = await call(service, "POST", "/v2/live", { body: {} });
  expect(status).toBe(201);
  expect(Object.keys(json).sort()).toEqual(["created_at", "id", "url"]);
  const { request_params } = (await call(service, "GET", `/v2/live/${json.id}`)).json;
  expect(request_params).toMatchObject({
    encoding: "wav/pcm",
    bit_depth: 16,
    sample_rate: 16_000,
    channels: 1,
    endpointing: 0.05,
    maximum_duration_without_endpointing: 5,
    language_config: { languages: [], code_switching: false },
    pre_processing: { audio_enhancer: false, speech_threshold: 0.6 },
    messages_config: { receive_partial_transcripts: false, receive_acknowledgments: true },
  });
});

test("2 both header names; without a key the one error shape", async () => {
  for (const name of ["x-service-key", "x-gladia-key"]) {
    const headers = { [name]: TEST_KEY };
    expect((await call(service, "GET", "/v2/live?limit=1", { key: null, headers })).status).toBe(200);
  }
  const { status, json } = await call(service, "GET", "/v2/live", { key: null });
  expect(status).toBe(401);
  expect(json).toMatchObject({ statusCode: 401, path: "/v2/live" });
  for (const field of ["message", "timestamp", "request_id"]) expect(json[field]).toEqual(expect.any(String));
});

test.each([
  [{ endpointing: 0 }, "endpointing"],
  [{ channels: 9 }, "channels"],
  [{ bit_depth: 12 }, "bit_depth"],
  [{ sample_rate: 22_050 }, "sample_rate"],
  [{ maximum_duration_without_endpointing: 4 }, "maximum_duration_without_endpointing"],
  [{ language_config: { languages: ["xx"] } }, "language_config.languages"],
])("3 %j is refused by its dotted path", async (body, path) => {
  const { status, json } = await call(service, "POST", "/v2/live", { body });
  expect(status).toBe(400);
  expect(json.validation_errors[0].split(" ")[0]).toBe(path);
});

test("4 one key in messages_config keeps the other defaults", async () => {
  const session = await createSession(service, { messages_config: { receive_acknowledgments: true } });
  const client = await LiveClient.connect(session.url);
  client.send(encodePcm([speech]));
  client.stop();
  await client.closed;
  expect(client.finals().length).toBeGreaterThan(0);
  expect(client.of("transcript")).toEqual(client.finals());
});

test("5 and 6 acknowledgments by bytes and seconds; an empty chunk too", async () => {
  const client = await LiveClient.connect((await createSession(service)).url);
  for (let chunk = 0; chunk < 2; chunk++) client.send(Buffer.alloc(3_200));
  client.sendChunk(Buffer.alloc(0));
  client.stop();
  await client.closed;
  expect(client.of("audio_chunk").map(({ data }) => data)).toEqual([
    { byte_range: [0, 3_200], time_range: [0, 0.1] },
    { byte_range: [3_200, 6_400], time_range: [0.1, 0.2] },
    { byte_range: [6_400, 6_400], time_range: [0.2, 0.2] },
  ]);
});

test("7 and 8 a dropped connection is taken up, also after stop; nothing is doubled", async () => {
  const session = await createSession(service, { messages_config: { receive_lifecycle_events: true } });
  const audio = encodePcm([repeated(speech, 2, 0.5)]);
  const first = await LiveClient.connect(session.url);
  first.send(audio.subarray(0, 64_000));
  await first.message(({ type }) => type === "audio_chunk");
  await first.drop();
  const second = await LiveClient.connect(session.url);
  second.send(audio.subarray(first.acknowledged));
  second.stop();
  await second.message(({ type }) => type === "stop_recording");
  await second.drop();
  const third = await LiveClient.connect(session.url);
  third.stop();
  expect((await third.closed).code).toBe(1000);
  const started = [first, second, third].flatMap((client) => client.of("start_recording"));
  expect(started).toHaveLength(1);
  const job = await finished(service, session.id);
  expect(job.file.audio_duration).toBeCloseTo(audio.length / 32_000, 3);
});

test.skipIf(elsewhere)("9 silence on the wire ends with 4408", async () => {
  const client = await LiveClient.connect((await createSession(service)).url);
  expect((await client.closed).code).toBe(4408);
});

test("10 a WAV header in pieces gives the same transcript and is counted", async () => {
  const raw = encodePcm([speech]);
  const headed = Buffer.from(wav([speech]));
  const texts: string[] = [];
  for (const pieces of [[raw], [headed.subarray(0, 20), headed.subarray(20)]]) {
    const client = await LiveClient.connect((await createSession(service)).url);
    for (const piece of pieces) client.send(piece);
    client.stop();
    await client.closed;
    texts.push(client.text());
    expect(client.acknowledged).toBe(pieces.reduce((sum, piece) => sum + piece.length, 0));
  }
  expect(texts[1]).toBe(texts[0]);
});

test("11 two channels: ids, channel, distinct channels, billing", async () => {
  const session = await createSession(service, { channels: 2 });
  const later = new Float32Array(speech.length * 2);
  later.set(speech, speech.length);
  const client = await LiveClient.connect(session.url);
  client.send(encodePcm([repeated(speech, 1, speech.length / 16_000), later]));
  client.stop();
  await client.closed;
  for (const { data } of client.finals()) expect(data.id.slice(0, 3)).toBe(`0${data.utterance.channel}_`);
  expect(new Set(client.finals().map(({ data }) => data.utterance.channel)).size).toBe(2);
  const { metadata } = client.of("post_final_transcript")[0].data;
  expect(metadata.number_of_distinct_channels).toBe(2);
  expect(metadata.billing_time).toBeCloseTo(2 * metadata.audio_duration, 2);
});

test("12 and 13 the SDK sees one start_session; everything comes in its order and ends with 1000", async () => {
  const session = sdk()
    .liveV2()
    .startSession({ sample_rate: 16_000, messages_config: { receive_lifecycle_events: true } });
  const types: string[] = [];
  session.on("message", ({ type }) => types.push(type));
  const ended = new Promise<{ code: number }>((resolve) => session.once("ended", resolve));
  await session.getSessionId();
  session.sendAudio(encodePcm([speech]));
  session.stopRecording();
  expect((await ended).code).toBe(1000);
  expect(types.filter((type) => type === "start_session")).toHaveLength(1);
  const last = types.slice(types.indexOf("end_recording"));
  expect(last).toEqual(["end_recording", "post_transcript", "post_final_transcript", "end_session"]);
});

test("14 a client that closes with 1000 has its job done", async () => {
  const session = await createSession(service);
  const client = await LiveClient.connect(session.url);
  client.send(encodePcm([speech]));
  await client.message(({ type }) => type === "audio_chunk");
  client.socket.close(1000);
  expect((await finished(service, session.id)).status).toBe("done");
});

test("15 uploads: with a trailing slash, by address, as other clients send them", async () => {
  const form = new FormData();
  form.append("audio", new Blob([readFileSync(HELLO_MP3)]), "audio.mp3");
  const sent = await call(service, "POST", "/v2/upload/", { body: form });
  expect(sent.status).toBe(200);
  for (const field of ["id", "filename", "extension", "size", "audio_duration", "number_of_channels"]) {
    expect(sent.json.audio_metadata[field]).not.toBeNull();
  }
  if (elsewhere) return;
  // The service fetches from itself only where private addresses are allowed, and then without a key: it is refused.
  const fetched = await call(service, "POST", "/v2/upload", { body: { audio_url: sent.json.audio_url } });
  expect(fetched.status).toBe(424);
});

test("16 fields outside of the schema are accepted", async () => {
  for (const body of [
    { custom_vocabulary: ["a"] },
    { diarization: "true" },
    { diarization: false, diarization_config: { enhanced: true } },
  ]) {
    expect((await create(body)).status).toBe(201);
  }
});

test("17 DELETE: 403 while it is queued, 202 with nothing when done, then 404", async () => {
  const session = await createSession(service);
  expect((await call(service, "DELETE", `/v2/live/${session.id}`)).status).toBe(403);
  const { json } = await create();
  await finished(service, json.id);
  const removed = await call(service, "DELETE", `/v2/pre-recorded/${json.id}`);
  expect([removed.status, removed.text]).toEqual([202, ""]);
  expect((await call(service, "DELETE", `/v2/pre-recorded/${json.id}`)).status).toBe(404);
  expect((await call(service, "DELETE", `/v2/pre-recorded/${ZEROS}`)).status).toBe(404);
});

test("18 the audio begins with RIFF, recorded and live", async () => {
  const id = await submit(service, wav([silence(0.2)]));
  await finished(service, id);
  const session = await createSession(service);
  const client = await LiveClient.connect(session.url);
  client.send(Buffer.alloc(3_200));
  client.stop();
  await client.closed;
  for (const route of [`/v2/pre-recorded/${id}/file`, `/v2/live/${session.id}/file`]) {
    expect((await call(service, "GET", route)).text.slice(0, 4)).toBe("RIFF");
  }
});

test("19 lists: every encoding of filters, and paging that never mixes kinds", async () => {
  const tag = `tag-${Date.now()}`;
  const ids: string[] = [];
  for (let count = 0; count < 3; count++) ids.unshift((await create({ custom_metadata: { tag, count } })).json.id);
  for (const id of ids) await finished(service, id);
  const list = async (query: string) =>
    (await call(service, "GET", `/v2/transcription?${query}`)).json.items.map(({ id }: { id: string }) => id);
  expect(await list(`status=done&status=error&custom_metadata[tag]=${tag}`)).toEqual(ids);
  expect(await list(`status=&kind=&date=&custom_metadata={"tag":"${tag}"}`)).toEqual(ids);
  expect(await list(`custom_metadata[tag]=${tag}&custom_metadata[count]=1`)).toEqual([ids[1]]);
  await createSession(service);
  let page = await sdk().preRecorded().list({ limit: 2 });
  for (let pages = 0; pages < 3; pages++) {
    expect(page.items.every(({ kind }) => kind === "pre-recorded")).toBe(true);
    if (!page.next) break;
    page = await sdk()
      .preRecorded()
      .list({ url: page.next } as never);
  }
});

test("21 an add-on that cannot be had leaves the job done", async () => {
  const { json } = await create({ audio_to_llm: true, audio_to_llm_config: { prompts: ["Who speaks?"] } });
  const job = await finished(service, json.id);
  expect(job.status).toBe("done");
  expect(job.result.audio_to_llm).toMatchObject({ success: false });
});

test.each([
  ["pipecat", PIPECAT],
  ["LiveKit", LIVEKIT],
])("23 the body of %s is accepted", async (_, body) => {
  expect((await call(service, "POST", "/v2/live?region=eu-west", { body })).status).toBe(201);
});

test("24 ten megabytes in one base64 chunk", async () => {
  const client = await LiveClient.connect((await createSession(service, { sample_rate: 48_000, bit_depth: 32 })).url);
  client.sendChunk(Buffer.alloc(10 * 1024 * 1024));
  const { data } = await client.message(({ type }) => type === "audio_chunk");
  expect(data.byte_range).toEqual([0, 10 * 1024 * 1024]);
  await client.drop();
});

test("25 a second connection replaces the first with 4409 and continues", async () => {
  const session = await createSession(service);
  const first = await LiveClient.connect(session.url);
  // With several processes, the session must have begun at one of them: two connections at the same moment have no order.
  first.send(encodePcm([speech]).subarray(0, 3_200));
  await first.message(({ type }) => type === "audio_chunk");
  const second = await LiveClient.connect(session.url);
  expect((await first.closed).code).toBe(4409);
  second.send(encodePcm([speech]));
  second.stop();
  expect((await second.closed).code).toBe(1000);
  expect(second.finals().length).toBeGreaterThan(0);
});

test("26 live text begins with a space; words join to it", async () => {
  const client = await LiveClient.connect((await createSession(service)).url);
  client.send(encodePcm([speech]));
  client.stop();
  await client.closed;
  for (const { data } of client.finals()) {
    expect(data.utterance.text).toMatch(/^ /);
    expect(data.utterance.words.map(({ word }: { word: string }) => word).join("")).toBe(data.utterance.text);
  }
});
