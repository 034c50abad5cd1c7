// Deepgram's live interface: that company's own client unmodified, and plain WebSockets for what other clients send.
import { createHash } from "node:crypto";
import path from "node:path";
import { DeepgramClient } from "@deepgram/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ListenClient } from "../fixtures/listen-client.ts";
import { createSession, LiveClient } from "../fixtures/live-client.ts";
import { RawSocket, requestHead, WEBSOCKET_HEADERS } from "../fixtures/raw-socket.ts";
import { hasShared, SHARED, silence, wav } from "../fixtures/recordings.ts";
import { atRate, decodeSpeech, encodePcm, encodeUlaw, inSequence, repeated } from "../fixtures/speech.ts";
import { call, type RunningService, ready, startService, TEST_KEY } from "../service.ts";

const PLAIN = /^hello from the vers?[a-z]+ a.?i.?s.?d.?k$/;
const PCM = "encoding=linear16&sample_rate=16000";

let service: RunningService;
let speech: Float32Array;
/** Two sentences, each with a pause of two seconds. */
let pcm: Buffer;

beforeAll(async () => {
  service = await startService({ environment: { PARLANCE_ACCOUNT_LIVE_SESSIONS: "3" } });
  speech = await decodeSpeech();
  pcm = encodePcm([repeated(speech, 2, 2)]);
  await ready(service);
}, 120_000);
afterAll(() => service.remove());

const job = async (id: string) => (await call(service, "GET", `/v2/live/${id}`)).json;
const ended = (id: string) => expect.poll(async () => (await job(id)).status, { timeout: 60_000 }).toBe("done");

/** A temporary token of a key. */
async function granted(key: string): Promise<string> {
  const headers = { authorization: `Token ${key}` };
  const answer = await fetch(`${service.base}/v1/auth/grant`, { method: "POST", headers });
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { access_token: string }).access_token;
}

/** Finals of the service's own protocol, where silence ends utterances. */
async function ownFinals(audio: Buffer, body: object): Promise<string[]> {
  const session = await createSession(service, { language_config: { languages: ["en"] }, ...body });
  const own = await LiveClient.connect(session.url);
  own.send(audio);
  own.stop();
  await own.closed;
  return own.finals().map(({ data }) => data.utterance.text.trim());
}

test("its own client gets speech events, interim and final results: the same text as on the service's own protocol", async () => {
  const { base } = service;
  const client = new DeepgramClient({
    apiKey: TEST_KEY,
    environment: { base, production: base.replace("http", "ws"), agent: base, agentRest: base },
  });
  const connection = await client.listen.v1.connect({
    model: "nova-3",
    encoding: "linear16",
    sample_rate: 16_000,
    punctuate: "true",
    numerals: "true",
    interim_results: "true",
    vad_events: "true",
    endpointing: 300,
    utterance_end_ms: 1_000,
    Authorization: `Token ${TEST_KEY}`,
  });
  // biome-ignore lint/suspicious/noExplicitAny: messages of every type
  const messages: any[] = [];
  const closed = new Promise<number>((resolve) => connection.on("close", ({ code }) => resolve(code)));
  connection.on("message", (message) => messages.push(message));
  connection.connect();
  await connection.waitForOpen();
  for (let at = 0; at < pcm.length; at += 3_200) connection.sendMedia(pcm.subarray(at, at + 3_200));
  connection.sendKeepAlive({ type: "KeepAlive" });
  connection.sendCloseStream({ type: "CloseStream" });
  expect(await closed).toBe(1000);
  const types = messages.filter(({ type, is_final }) => type !== "Results" || is_final).map(({ type }) => type);
  const utterance = ["SpeechStarted", "Results", "UtteranceEnd"];
  expect(types).toEqual([...utterance, ...utterance, "Metadata"]);
  const finals = messages.filter(({ is_final }) => is_final);
  expect(finals).toEqual(
    finals.map(() => expect.objectContaining({ speech_final: true, from_finalize: false, channel_index: [0, 1] })),
  );
  const [first] = finals[0].channel.alternatives;
  expect(first.words[0]).toMatchObject({ word: "hello", punctuated_word: "Hello", start: expect.any(Number) });
  const metadata = messages.at(-1);
  expect(metadata).toMatchObject({
    sha256: createHash("sha256").update(pcm).digest("hex"),
    duration: expect.closeTo(pcm.length / 32_000, 2),
    channels: 1,
    request_id: finals[0].metadata.request_id,
  });
  expect(messages.find(({ type }) => type === "UtteranceEnd").last_word_end).toBe(first.words.at(-1).end);
  // Its session has a job, with the same finals as on the service's own protocol.
  const id = metadata.request_id;
  await ended(id);
  const texts = await ownFinals(pcm, { endpointing: 0.3, maximum_duration_without_endpointing: 10 });
  expect(texts).toHaveLength(2);
  expect(finals.map(({ channel }) => channel.alternatives[0].transcript)).toEqual(texts);
  const { result, request_params } = await job(id);
  expect(result.transcription.utterances.map(({ text }: { text: string }) => text.trim())).toEqual(texts);
  expect(request_params).not.toHaveProperty("client_rules");
}, 120_000);

test("Flux: its own client gets turns with the finals of the service's own protocol, also without a turn model", async () => {
  const { base } = service;
  const environment = { base, production: base.replace("http", "ws"), agent: base, agentRest: base };
  const client = new DeepgramClient({ apiKey: TEST_KEY, environment });
  const connection = await client.listen.v2.connect({
    ...{ model: "flux-general-en", encoding: "linear16", sample_rate: 16_000, eager_eot_threshold: 0.5 },
    ...{ Authorization: `Token ${TEST_KEY}`, reconnectAttempts: 0 },
  });
  // biome-ignore lint/suspicious/noExplicitAny: messages of every type
  const messages: any[] = [];
  const closed = new Promise<number>((resolve) => connection.on("close", ({ code }) => resolve(code)));
  connection.on("message", (message) => messages.push(message));
  connection.connect();
  await connection.waitForOpen();
  const words = hasShared ? encodePcm([await decodeSpeech(path.join(SHARED, "order-01.flac"))]) : Buffer.alloc(0);
  const audio = Buffer.concat([pcm, words]);
  for (let at = 0; at < audio.length; at += 3_200) connection.sendMedia(audio.subarray(at, at + 3_200));
  connection.sendConfigure({ type: "Configure", thresholds: { eager_eot_threshold: 0.5 } });
  connection.sendConfigure({ type: "Configure", keyterms: ["Ada"] });
  connection.sendConfigure({ type: "Configure", thresholds: { eot_threshold: 0.1 } });
  // As Pipecat sends them.
  const without = { thresholds: { eager_eot_threshold: null }, profanity_filter: true };
  connection.sendConfigure({ type: "Configure", ...without } as never);
  connection.sendCloseStream({ type: "CloseStream" });
  expect(await closed).toBe(1000);
  expect(messages[0]).toMatchObject({ type: "Connected", sequence_id: 0 });
  expect(messages.map(({ sequence_id }) => sequence_id)).toEqual([...messages.keys()]);
  expect(messages.filter(({ type }) => type === "Warning")).toEqual([
    expect.objectContaining({ code: "TURN_DETECTION_UNAVAILABLE" }),
  ]);
  expect(messages.map(({ type }) => type)).toEqual(expect.arrayContaining(["ConfigureSuccess", "ConfigureFailure"]));
  const inForce = messages.filter(({ type }) => type === "ConfigureSuccess").map(({ thresholds }) => thresholds);
  expect(inForce.map(({ eager_eot_threshold: eager }) => eager)).toEqual([0.5, 0.5, undefined]);
  const turns = messages.filter(({ type }) => type === "TurnInfo");
  expect(turns.map(({ event }) => event)).toContain("EagerEndOfTurn");
  const ends = turns.filter(({ event }) => event === "EndOfTurn");
  expect(ends.map(({ turn_index }) => turn_index)).toEqual([...ends.keys()]);
  expect(ends[0].words[0]).toMatchObject({ word: "Hello", confidence: expect.any(Number), start: expect.any(Number) });
  const texts = await ownFinals(audio, {
    ...{ endpointing: 0.8, maximum_duration_without_endpointing: 60, realtime_processing: { numerals: false } },
  });
  expect(ends.map(({ transcript }) => transcript)).toEqual(texts);
  await ended(messages[0].request_id);
  const { result } = await job(messages[0].request_id);
  expect(result.transcription.utterances).toHaveLength(texts.length);
  const refused = await ListenClient.refused(service, "encoding=speex&eot_threshold=7", undefined, "/v2/listen");
  expect(refused).toMatchObject({
    ...{ status: 400, headers: { "dg-error": expect.stringMatching(/encoding.*eot_threshold/) } },
    body: { err_code: "Bad Request", err_msg: expect.stringContaining("eot_threshold") },
  });
}, 120_000);

test("a Finalize is answered, also in silence; a connection that closes ends its session", async () => {
  const client = await ListenClient.connect(service, `${PCM}&endpointing=false`);
  client.send({ type: "Finalize" });
  const silent = await client.received(({ from_finalize }) => from_finalize);
  expect(silent).toMatchObject({ is_final: true, channel: { alternatives: [{ transcript: "", words: [] }] } });
  client.stream(pcm);
  client.send({ type: "Finalize" });
  const marked = await client.received(({ from_finalize, start, duration }) => from_finalize && start + duration > 1);
  expect(marked.channel.alternatives[0].transcript).toMatch(/hello from the .* hello from the /);
  expect(marked.channel.alternatives[0].words[0]).not.toHaveProperty("punctuated_word");
  expect(client.of("SpeechStarted")).toEqual([]);
  client.stream(pcm.subarray(0, pcm.length / 2));
  client.send({ type: "Answer" });
  client.send({ type: "Finalize", channel: 1 });
  client.send({ type: "Configure", keyterms: ["Vercel"] });
  expect(await client.received(({ type }) => type === "ConfigureSuccess")).toEqual({
    ...{ type: "ConfigureSuccess", request_id: client.requestId, keyterms: ["Vercel"] },
  });
  client.send({ type: "Configure", features: { diarize: true } });
  expect(await client.received(({ type }) => type === "ConfigureFailure")).toMatchObject({
    ...{ code: "CONFIGURE_REFUSED", description: expect.stringContaining('"diarize" is not a feature') },
  });
  expect(client.of("Error").map(({ variant, description }) => [variant, description])).toEqual([
    ["SchemaError", 'type must be KeepAlive, Finalize, Configure or CloseStream; it is "Answer"'],
    ["SchemaError", "channel must be a whole number from 0 to 0"],
  ]);
  client.socket.close();
  await ended(client.requestId);
  expect((await job(client.requestId)).result.transcription.full_transcript.match(/hello from the/gi)).toHaveLength(3);
}, 120_000);

test("a WAV stream, G.711, channels, a browser's key; an empty frame ends the stream", async () => {
  const browser = await ListenClient.connect(service, "punctuate=true&keyterm=Vercel&replace=hello:Goodbye", {
    protocols: ["token", TEST_KEY],
  });
  expect(browser.socket.protocol).toBe("token");
  browser.stream(wav([speech]));
  browser.send(Buffer.alloc(0));
  expect(await browser.closed).toEqual({ code: 1000, reason: "" });
  expect(browser.transcripts()).toEqual([expect.stringMatching(/^Goodbye from the Vercel/)]);
  const bearer = { headers: { authorization: `Bearer ${TEST_KEY}` } };
  const phone = await ListenClient.connect(service, "encoding=mulaw&sample_rate=8000&model=nova-2-phonecall", bearer);
  phone.stream(encodeUlaw(atRate(speech, 8_000)));
  await phone.finish();
  expect(phone.transcripts()).toEqual([expect.stringMatching(PLAIN)]);
  const stereo = await ListenClient.connect(service, `${PCM}&channels=2&multichannel=true&numerals=true`);
  const later = inSequence(silence(speech.length / 16_000 + 1), speech);
  stereo.stream(encodePcm([inSequence(speech, silence(speech.length / 16_000 + 1)), later]));
  await stereo.finish();
  const finals = stereo.finals().toSorted((left, right) => left.channel_index[0] - right.channel_index[0]);
  expect(finals.map(({ channel_index, channel }) => [channel_index, channel.alternatives[0].transcript])).toEqual([
    [[0, 2], expect.stringMatching(PLAIN)],
    [[1, 2], expect.stringMatching(PLAIN)],
  ]);
}, 120_000);

test("what may be wrong is in the metadata of results, in no message of its own", async () => {
  const query = "encoding=alaw&sample_rate=8000&language=multi&language_hint=en&channels=1";
  const client = await ListenClient.connect(service, query);
  client.stream(encodeUlaw(atRate(repeated(speech, 3, 0), 8_000)));
  client.send({ type: "KeepAlive", extra: 1 });
  await client.finish();
  const { warnings } = client.of("Metadata")[0];
  expect(warnings).toEqual(
    expect.arrayContaining([
      { parameter: "encoding", type: "invalid_audio_format", message: expect.stringMatching(/mu-law|wav\/ulaw/) },
      { parameter: "extra", type: "unknown_field", message: expect.stringMatching(/^extra has no effect/) },
    ]),
  );
  expect(new Set(client.messages.map(({ type }) => type))).toEqual(new Set(["Results", "Metadata"]));
  expect(client.of("Results").flatMap(({ metadata }) => metadata.warnings ?? []).length).toBeGreaterThan(0);
  const plain = await ListenClient.connect(service, `${PCM}&language=multi&language_hint=en`);
  plain.stream(encodePcm([speech]));
  await plain.finish();
  const [alternative] = plain.finals()[0].channel.alternatives;
  expect(alternative).toMatchObject({ languages: ["en"], languages_hinted: ["en"] });
  expect(new Set(alternative.words.map(({ language }: { language: string }) => language))).toEqual(new Set(["en"]));
}, 120_000);

test("Configure changes the text of the audio that follows, on every channel, also after a cut", async () => {
  const query = `${PCM}&channels=2&multichannel=true&endpointing=300&resumable=true`;
  const pause = silence(speech.length / 16_000 + 1);
  /** The sentence in the first channel, and then in the second one. */
  const both = encodePcm([inSequence(speech, pause, silence(1)), inSequence(pause, speech, silence(1))]);
  const ofBoth = (text: RegExp) => [0, 1].map((channel) => [channel, expect.stringMatching(text)]);
  /** Sends the sentences. @returns what results have of them, by channel */
  const textsOf = async (client: ListenClient) => {
    const before = client.messages.length;
    client.stream(both, 6_400);
    client.send({ type: "Finalize" });
    const sent = () => client.messages.slice(before).filter(({ type }) => type === "Results");
    const isLast = ({ from_finalize, channel_index }: ReturnType<typeof sent>[number]) =>
      from_finalize === true && channel_index[0] === 1;
    await client.received((message) => client.messages.indexOf(message) >= before && isLast(message));
    return sent()
      .map(({ channel_index, channel }) => [channel_index[0], channel.alternatives[0].transcript])
      .filter(([, text]) => text !== "")
      .toSorted(([left], [right]) => left - right);
  };
  const client = await ListenClient.connect(service, query);
  expect(await textsOf(client)).toEqual(ofBoth(/^hello from the (?!vercel)/));
  client.send({ type: "Configure", keyterms: ["Vercel"], features: { punctuate: true } });
  await client.received(({ type }) => type === "ConfigureSuccess");
  expect(await textsOf(client)).toEqual(ofBoth(/^Hello from the Vercel/));
  client.socket.terminate();
  await client.closed;
  const again = await ListenClient.connect(service, `${query}&session_id=${client.requestId}`);
  const { received_bytes: received } = await again.received(({ type }) => type === "Resumed");
  expect(received).toBe(2 * both.length);
  // The session keeps its vocabulary; the form of the results is that of the address.
  expect(await textsOf(again)).toEqual(ofBoth(/^hello from the vercel/));
  await again.finish();
}, 120_000);

test("UtteranceEnd comes after its silence without endpointing, and not where continuous speech is cut", async () => {
  const types = async (audio: Buffer, query: string) => {
    const client = await ListenClient.connect(service, `${PCM}&utterance_end_ms=1000&${query}`);
    client.stream(audio);
    await client.finish();
    return client.messages.map(({ type, speech_final: isEnd }) => (isEnd ? `${type} at an end` : type));
  };
  const sentence = ["Results", "UtteranceEnd"];
  expect(await types(pcm, "endpointing=false")).toEqual([...sentence, ...sentence, "Metadata"]);
  const later = await types(encodePcm([inSequence(speech, silence(6))]), "endpointing=4000");
  expect(later).toEqual([...sentence, "Results at an end", "Metadata"]);
  const continuous = encodePcm([inSequence(...Array(6).fill(speech), silence(2))]);
  const cut = await types(continuous, "endpointing=1000");
  expect(cut.filter((type) => type === "Results").length).toBeGreaterThan(0);
  expect(cut.slice(-3)).toEqual(["Results at an end", "UtteranceEnd", "Metadata"]);
  expect(cut.filter((type) => type === "UtteranceEnd")).toHaveLength(1);
}, 120_000);

test("a resumable session continues after a cut; another session ends with its connection", async () => {
  const query = `${PCM}&endpointing=300&resumable=true`;
  const half = pcm.length / 2;
  const client = await ListenClient.connect(service, query);
  client.stream(pcm.subarray(0, half));
  await client.received(({ is_final }) => is_final);
  client.socket.terminate();
  await client.closed;
  const changed = await ListenClient.refused(service, `${PCM}&session_id=${client.requestId}`);
  expect(changed).toMatchObject({
    status: 400,
    body: { err_msg: expect.stringMatching(/^session_id: .*: endpointing$/) },
  });
  // A temporary token continues sessions of the key that made it.
  const { json: other } = await call(service, "POST", "/v2/account/keys", { body: { name: "other" } });
  const continued = `${query}&session_id=${client.requestId}`;
  const ofOther = { headers: { authorization: `Bearer ${await granted(other.key)}` } };
  expect(await ListenClient.refused(service, continued, ofOther)).toMatchObject({ status: 404 });
  const again = await ListenClient.connect(service, continued, {
    headers: { authorization: `Bearer ${await granted(TEST_KEY)}` },
  });
  expect(again.requestId).toBe(client.requestId);
  const resumed = await again.received(({ type }) => type === "Resumed");
  expect(resumed).toMatchObject({ received_bytes: expect.any(Number) });
  again.stream(pcm.subarray(resumed.received_bytes));
  expect(await again.finish()).toMatchObject({ code: 1000 });
  expect(again.of("Metadata")).toMatchObject([{ duration: expect.closeTo(pcm.length / 32_000, 2) }]);
  await ended(client.requestId);
  const { result } = await job(client.requestId);
  expect(result.metadata.audio_duration).toBeCloseTo(pcm.length / 32_000, 2);
  expect(result.transcription.utterances).toHaveLength(2);
  const late = await ListenClient.refused(service, `${query}&session_id=${again.requestId.replace(/^./, "f")}`);
  expect(late).toMatchObject({ status: 404, body: { err_code: "NOT_FOUND" } });
  // Three sessions in a row, where three are allowed at once: none of them stays.
  const cut: string[] = [];
  for (let count = 0; count < 3; count++) {
    const one = await ListenClient.connect(service, PCM);
    one.stream(pcm.subarray(0, half));
    one.socket.terminate();
    await one.closed;
    cut.push(one.requestId);
  }
  for (const id of cut) await ended(id);
}, 120_000);

test("what cannot be is refused before the upgrade, in Deepgram's form", async () => {
  const wrong = { headers: { authorization: "Token wrong" } };
  const unknown = await ListenClient.refused(service, PCM, wrong);
  expect(unknown).toMatchObject({ status: 401, body: { err_code: "INVALID_AUTH" } });
  expect(unknown.headers["dg-request-id"]).toBe(unknown.body.request_id);
  expect((await ListenClient.refused(service, PCM, {})).status).toBe(401);
  const queries: [string, number, RegExp][] = [
    ["encoding=speex&sample_rate=16000", 400, /^encoding must be one of .*linear16.*"speex"/],
    ["encoding=linear16", 400, /^sample_rate is required/],
    ["encoding=linear16&sample_rate=11025", 400, /^sample_rate must be one of 8000/],
    [`${PCM}&redact=pci&callback=https://x.example`, 400, /callback is not available.*redact is not available/],
    [`${PCM}&endpointing=soon`, 400, /^endpointing must be a number from 0 to 10000/],
    [`${PCM}&language=jp`, 400, /^language .*similar: ja/],
    [`${PCM}&model=parakeet`, 404, /parakeet/],
    [`${PCM}&colour=red&strict=true`, 400, /"colour" is not a parameter/],
  ];
  for (const [query, status, message] of queries) {
    const refused = await ListenClient.refused(service, query);
    expect(refused, query).toMatchObject({ status, body: { err_msg: expect.stringMatching(message) } });
    expect(refused.headers["dg-error"]).toBe(refused.body.err_msg);
  }
  const warned = await ListenClient.connect(service, `${PCM}&dictation=true&colour=red&tag=t&extra=a:b`);
  expect(warned.headers["x-parlance-warnings"]).toMatch(/dictation has no effect: .*"colour" is not a parameter/);
  await warned.finish();
  expect(warned.of("Metadata")).toMatchObject([{ tags: ["t"], extra: { a: "b" }, duration: 0 }]);
  expect(warned.of("Metadata")[0].warnings).toHaveLength(2);
  const bare = await ListenClient.connect(service, "model=nova-3");
  bare.send(pcm.subarray(0, 3_200));
  expect(await bare.closed).toEqual({ code: 1008, reason: expect.stringMatching(/^DATA-0000: .*WAV header/) });
  expect((await job(bare.requestId)).status).toBe("error");
  const before = (await call(service, "GET", "/v2/live?limit=1000")).json.items.length;
  const raw = await RawSocket.open(service.base);
  const headers = { ...WEBSOCKET_HEADERS, authorization: `Token ${TEST_KEY}`, "sec-websocket-version": "99" };
  raw.send(requestHead(`GET /v1/listen?${PCM} HTTP/1.1`, headers));
  await raw.until(/request_id/);
  expect([raw.status, raw.text]).toEqual([400, expect.stringMatching(/Sec-WebSocket-Version must be/)]);
  expect((await call(service, "GET", "/v2/live?limit=1000")).json.items).toHaveLength(before);
  const limited = await Promise.all([1, 2, 3].map(() => ListenClient.connect(service, PCM)));
  const full = await ListenClient.refused(service, PCM);
  expect(full).toMatchObject({ status: 429, body: { err_code: "TOO_MANY_REQUESTS" } });
  await Promise.all(limited.map((one) => one.finish()));
}, 120_000);

test("temporary tokens open live sessions of both interfaces, and nothing else", async () => {
  const ask = (ttl_seconds: number) =>
    fetch(`${service.base}/v1/auth/grant`, {
      method: "POST",
      headers: { authorization: `Token ${TEST_KEY}`, "content-type": "application/json" },
      body: JSON.stringify({ ttl_seconds }),
    });
  const bad = await ask(0);
  expect([bad.status, await bad.json()]).toMatchObject([400, { err_code: expect.any(String) }]);
  const { access_token: token, expires_in } = (await (await ask(60)).json()) as Record<string, string>;
  expect(expires_in).toBe(60);
  const browser = await ListenClient.connect(service, PCM, { protocols: ["bearer", token as string] });
  await browser.finish();
  const headers = { authorization: `Bearer ${token}` };
  await (await ListenClient.connect(service, PCM, { headers })).finish();
  const flux = await ListenClient.connect(service, PCM, { headers }, "/v2/listen");
  flux.socket.close();
  expect(await ListenClient.refused(service, `token=${token}`, {}, "/v3/ws")).toMatchObject({ status: 401 });
  for (const address of ["/v1/listen", "/v2/pre-recorded", "/v1/auth/grant"]) {
    const answer = await fetch(`${service.base}${address}`, { method: "POST", headers });
    expect(answer.status, address).toBe(401);
  }
}, 60_000);

test("a client that sends nothing is disconnected with NET-0001 after its finals", async () => {
  const client = await ListenClient.connect(service, `${PCM}&endpointing=false`);
  client.stream(encodePcm([speech]));
  expect(await client.closed).toEqual({ code: 1011, reason: expect.stringMatching(/^NET-0001/) });
  expect(client.transcripts()).toEqual([expect.stringMatching(PLAIN)]);
}, 120_000);
