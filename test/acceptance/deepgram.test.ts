// Deepgram's interface for recordings, with that company's own client, unmodified.
import { createHash } from "node:crypto";
import { createReadStream, readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { DeepgramClient } from "@deepgram/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ListenAnswer } from "../../src/contract/deepgram-recorded.ts";
import { HELLO_MP3, silence, wav } from "../fixtures/recordings.ts";
import { decodeSpeech, encodePcm, inSequence, repeated } from "../fixtures/speech.ts";
import { call, type RunningService, startService, TEST_KEY, upload } from "../service.ts";

const PLAIN = /^hello from the vers?[a-z]+ a.?i.?s.?d.?k$/;

let service: RunningService;
let speech: Float32Array;
const clientWith = (apiKey: string) =>
  new DeepgramClient({
    apiKey,
    environment: { base: service.base, production: service.base, agent: service.base, agentRest: service.base },
    maxRetries: 0,
  });
type Media = DeepgramClient["listen"]["v1"]["media"];
type FileRequest = Parameters<Media["transcribeFile"]>[1];
const transcribe = async (content: Parameters<Media["transcribeFile"]>[0], request: FileRequest & object = {}) =>
  (await clientWith(TEST_KEY).listen.v1.media.transcribeFile(content, request)) as unknown as ListenAnswer;
const post = (query: string, body: Uint8Array | undefined, headers: Record<string, string> = {}) =>
  fetch(`${service.base}/v1/listen?${query}`, {
    method: "POST",
    headers: { authorization: `Token ${TEST_KEY}`, ...headers },
    ...(body ? { body: body as never } : {}),
  });

beforeAll(async () => {
  speech = await decodeSpeech();
  service = await startService();
});
afterAll(() => service.remove());

test("a file has its transcript, plain without punctuate, and nothing of it is kept", async () => {
  const { metadata, results } = await transcribe(createReadStream(HELLO_MP3), { model: "nova-3" });
  const [alternative] = results.channels[0]?.alternatives ?? [];
  expect(alternative?.transcript).toMatch(PLAIN);
  expect(alternative?.words[0]).toEqual({
    word: "hello",
    start: expect.any(Number),
    end: expect.any(Number),
    confidence: expect.any(Number),
  });
  expect(metadata).toMatchObject({
    sha256: createHash("sha256").update(readFileSync(HELLO_MP3)).digest("hex"),
    channels: 1,
    request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  expect(metadata.duration).toBeCloseTo(2.5, 0);
  expect(metadata.model_info[metadata.models[0] as string]).toMatchObject({ arch: "moonshine" });
  expect(metadata.warnings).toBeUndefined();
  expect(results.utterances).toBeUndefined();
  expect((await call(service, "GET", "/v2/transcription")).json.items).toEqual([]);
});

test("what is requested is there: punctuation, paragraphs, utterances, speakers, search, replacements, a summary", async () => {
  const { metadata, results } = await transcribe(wav([repeated(speech, 2, 1.5)]), {
    smart_format: true,
    utterances: true,
    diarize: true,
    keyterm: ["Vercel"],
    search: ["from the", "nowhere"],
    replace: ["hello:Goodbye"],
    summarize: "v2",
    extra: ["order:7"],
    tag: ["nightly"],
    dictation: true,
  });
  const [channel] = results.channels;
  const [alternative] = channel?.alternatives ?? [];
  expect(alternative?.transcript).toMatch(/^Goodbye from the Vercel .* Goodbye from the Vercel /);
  expect(alternative?.words[0]).toMatchObject({ word: "goodbye", punctuated_word: "Goodbye", speaker: 0 });
  expect(alternative?.paragraphs?.transcript).toMatch(/^\nSpeaker 0: Goodbye from the Vercel/);
  expect(alternative?.paragraphs?.paragraphs[0]).toMatchObject({ speaker: 0, start: alternative?.words[0]?.start });
  expect(channel?.search).toEqual([
    { query: "from the", hits: [expect.objectContaining({ snippet: "from the" }), expect.anything()] },
    { query: "nowhere", hits: [] },
  ]);
  expect(results.utterances).toHaveLength(2);
  expect(results.utterances?.[1]).toMatchObject({
    channel: 0,
    speaker: 0,
    transcript: expect.stringMatching(/^Goodbye/),
  });
  expect(results.summary).toEqual({ result: "success", short: expect.stringMatching(/Vercel/) });
  expect(metadata).toMatchObject({ extra: { order: "7" }, tags: ["nightly"] });
  expect(metadata.warnings).toEqual([
    expect.objectContaining({ parameter: "dictation" }),
    // No speaker model is installed.
    expect.objectContaining({
      type: "recording",
      message: expect.stringMatching(/^the speakers were distinguished by a less accurate method/),
    }),
  ]);
});

test("an address is fetched; the language is detected; the model may be one of this service", async () => {
  const { json } = await upload(service, readFileSync(HELLO_MP3), "hello.mp3");
  const url = `${json.audio_url}?key=none`;
  const refused = clientWith(TEST_KEY).listen.v1.media.transcribeUrl({ url });
  // The address of an upload needs a key.
  await expect(refused).rejects.toMatchObject({ statusCode: 424, body: { err_code: "REMOTE_CONTENT_ERROR" } });
  const host = createServer((socket) => {
    const content = readFileSync(HELLO_MP3);
    socket.once("data", () => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${content.length}\r\nConnection: close\r\n\r\n`);
      socket.end(content);
    });
  });
  await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
  try {
    const address = `http://127.0.0.1:${(host.address() as AddressInfo).port}/a.mp3`;
    const request = { url: address, detect_language: true, model: "moonshine-tiny-en" as const };
    const answer = await clientWith(TEST_KEY).listen.v1.media.transcribeUrl(request as never);
    const { metadata, results } = answer as unknown as ListenAnswer;
    expect(metadata.models).toEqual(["moonshine-tiny-en"]);
    expect(metadata.sha256).toBe(createHash("sha256").update(readFileSync(HELLO_MP3)).digest("hex"));
    expect(results.channels[0]?.detected_language).toBe("en");
    expect(results.channels[0]?.alternatives[0]?.transcript).toMatch(/^hello/);
  } finally {
    host.close();
  }
});

test("with language=multi, words and utterances have their languages, and hints are used", async () => {
  const query = "language=multi&language_hint=en&language_hint=de&utterances=true";
  const answer = await post(query, readFileSync(HELLO_MP3));
  const { metadata, results } = (await answer.json()) as ListenAnswer;
  const [alternative] = results.channels[0]?.alternatives ?? [];
  expect(alternative).toMatchObject({ languages: ["en"], languages_hinted: ["en", "de"] });
  expect(new Set(alternative?.words.map(({ language }) => language))).toEqual(new Set(["en"]));
  expect(results.utterances?.[0]).toMatchObject({ languages: ["en"], words: alternative?.words });
  expect(metadata.warnings).toBeUndefined();
  const one = await post("language=en&language_hint=de", readFileSync(HELLO_MP3));
  expect((await one.json()) as ListenAnswer).toMatchObject({
    metadata: { warnings: [{ parameter: "language_hint", type: "no_effect" }] },
  });
});

test("raw samples of several channels have one result for each channel", async () => {
  const left = inSequence(speech, silence(3));
  const right = inSequence(silence(3), speech);
  const length = Math.min(left.length, right.length);
  const channels = [left.subarray(0, length), right.subarray(0, length)];
  const query =
    "encoding=linear16&sample_rate=16000&channels=2&multichannel=true&utterances=true&punctuate=true&redact=pci";
  // As the Python client sends it: without a content type.
  const answer = await post(query, encodePcm(channels));
  expect(answer.status).toBe(200);
  const { metadata, results } = (await answer.json()) as ListenAnswer;
  expect(metadata.channels).toBe(2);
  expect(results.channels.map(({ alternatives }) => alternatives[0]?.transcript)).toEqual([
    expect.stringMatching(/^Hello/),
    expect.stringMatching(/^Hello/),
  ]);
  expect(results.channels[1]?.alternatives[0]?.words[0]?.start).toBeGreaterThan(2.5);
  expect(results.utterances?.map(({ channel }) => channel)).toEqual([0, 1]);
});

test("lists in brackets are the lists of their parameters", async () => {
  const audio = readFileSync(HELLO_MP3);
  const refused = await post("redact[]=nothing", audio);
  expect([refused.status, ((await refused.json()) as { err_msg: string }).err_msg]).toEqual([
    400,
    expect.stringContaining("redact"),
  ]);
  const answer = (await (await post("search[]=hello&search[1]=bye", audio)).json()) as ListenAnswer;
  expect(answer.results.channels[0]?.alternatives[0]?.transcript).toMatch(PLAIN);
  expect(JSON.stringify(answer.results)).toMatch(/"query":"hello".*"query":"bye"/);
});

test("errors have Deepgram's form, and name what is refused", async () => {
  const wrong = clientWith("wrong").listen.v1.media.transcribeFile(readFileSync(HELLO_MP3), {});
  await expect(wrong).rejects.toMatchObject({
    statusCode: 401,
    body: { err_code: "INVALID_AUTH", request_id: expect.any(String) },
  });
  const messageOf = async (query: string, body: Uint8Array | undefined, headers = {}) => {
    const answer = await post(query, body, headers);
    return [answer.status, ((await answer.json()) as { err_msg: string }).err_msg];
  };
  const audio = readFileSync(HELLO_MP3);
  expect(await messageOf("callback=https://x.example&topics=true&sentiment=false", audio)).toEqual([
    400,
    expect.stringMatching(/^callback is not available: .*; topics is not available: /),
  ]);
  expect(await messageOf("model=parakeet", audio)).toEqual([404, expect.stringMatching(/parakeet/)]);
  expect(await messageOf("language=es", audio)).toEqual([422, expect.stringMatching(/recognises es/)]);
  expect(await messageOf("encoding=mulaw", audio)).toEqual([400, expect.stringMatching(/^sample_rate is required/)]);
  expect(await messageOf("", Buffer.from("no audio at all"))).toEqual([400, expect.any(String)]);
  expect(await messageOf("", undefined)).toEqual([400, expect.stringMatching(/^body is empty/)]);
  const json = { "content-type": "application/json" };
  expect(await messageOf("", Buffer.from('{"uri":"x"}'), json)).toEqual([
    400,
    expect.stringMatching(/^url is required/),
  ]);
  expect(await messageOf("", Buffer.from('{"url":"file:///etc/passwd"}'), json)).toEqual([
    400,
    expect.stringMatching(/^url /),
  ]);
  expect(await messageOf("nodel=nova-3&strict=true", audio)).toEqual([400, expect.stringMatching(/nodel.*model/)]);
  // A large body of a request that is refused at once does not keep the client from its answer.
  expect(await messageOf("topics=true", Buffer.alloc(30_000_000))).toEqual([400, expect.any(String)]);
  expect((await call(service, "GET", "/v2/transcription")).json.items).toEqual([]);
});
