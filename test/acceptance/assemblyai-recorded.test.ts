// AssemblyAI's interface for recordings over HTTP. Its own clients: npm run clients.
import { readFileSync } from "node:fs";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Receiver } from "../fixtures/receiver.ts";
import { HELLO_MP3, silence, wav } from "../fixtures/recordings.ts";
import { call, finished, type RunningService, ready, startService, TEST_KEY, upload } from "../service.ts";

const PATH = "/v2/transcript";
const RAW = { authorization: TEST_KEY, "content-type": "application/octet-stream" };

let service: RunningService;
let receiver: Receiver;
let audioUrl: string;

// biome-ignore lint/suspicious/noExplicitAny: tests look into every answer
type AnyJson = any;

async function ask(
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; json: AnyJson; text: string; headers: Headers }> {
  const response = await fetch(`${service.base}${path}`, {
    method,
    headers: { authorization: TEST_KEY, ...(body ? { "content-type": "application/json" } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json");
  return { status: response.status, text, json: isJson ? JSON.parse(text) : undefined, headers: response.headers };
}

const send = async (body: Buffer, headers: Record<string, string> = RAW) => {
  const response = await fetch(`${service.base}/v2/upload`, { method: "POST", headers, body: new Uint8Array(body) });
  return { status: response.status, json: (await response.json()) as AnyJson };
};

async function completed(fields: object): Promise<AnyJson> {
  const { status, json } = await ask("POST", PATH, { audio_url: audioUrl, ...fields });
  expect(status).toBe(200);
  expect(json.status).toBe("queued");
  await finished(service, json.id);
  return (await ask("GET", `${PATH}/${json.id}`)).json;
}

beforeAll(async () => {
  receiver = await Receiver.start();
  service = await startService({ environment: { PARLANCE_CALLBACK_FIRST_RETRY_SECONDS: "0.05" } });
  await ready(service);
  audioUrl = (await send(readFileSync(HELLO_MP3))).json.upload_url;
}, 120_000);
afterAll(async () => {
  await service.remove();
  await receiver.stop();
});

test("the body of an upload is the file, with any content type and the key alone in its header", async () => {
  const file = readFileSync(HELLO_MP3);
  const { status, json } = await send(file, { authorization: TEST_KEY, "content-type": "audio/mpeg" });
  expect(status).toBe(200);
  expect(json.upload_url).toBe(json.audio_url);
  expect(json.audio_metadata).toMatchObject({ size: file.length, number_of_channels: expect.any(Number) });
  const stored = await fetch(json.upload_url, { headers: { "x-gladia-key": TEST_KEY } });
  expect(Buffer.from(await stored.arrayBuffer()).equals(file)).toBe(true);
});

test("a body that is no recording, an empty one and a wrong key have errors in AssemblyAI's form", async () => {
  expect(await send(Buffer.from("no recording"))).toMatchObject({ status: 400, json: { error: expect.any(String) } });
  expect(await send(Buffer.alloc(0))).toEqual({
    status: 400,
    json: { error: expect.stringMatching(/^body is empty: send /) },
  });
  const wrong = await send(readFileSync(HELLO_MP3), { ...RAW, authorization: "wrong" });
  expect(wrong).toMatchObject({ status: 401, json: { error: expect.any(String) } });
  // A client of the service's own interface, which states no content type.
  const own = await fetch(`${service.base}/v2/upload`, {
    method: "POST",
    headers: { "x-gladia-key": TEST_KEY },
    body: new TextEncoder().encode('{"audio_url":"nowhere"}'),
  });
  expect(await own.json()).toMatchObject({
    statusCode: 400,
    validation_errors: [expect.stringContaining("audio_url")],
  });
  const address = await send(Buffer.from('{"audio_url":"nowhere"}'), RAW);
  expect(address).toMatchObject({ status: 400, json: { error: expect.stringContaining("audio_url") } });
});

test("a transcript has the words of the service's own interface", async () => {
  const transcript = await completed({});
  expect(transcript).toMatchObject({
    status: "completed",
    audio_url: audioUrl,
    language_code: "en_us",
    utterances: null,
  });
  const { json } = await call(service, "GET", `/v2/pre-recorded/${transcript.id}`);
  const { transcription, metadata } = json.result;
  expect(transcript.text).toBe(transcription.full_transcript);
  expect(transcript.audio_duration).toBe(Math.round(metadata.audio_duration));
  const words = transcription.utterances.flatMap(({ words: list }: AnyJson) => list);
  expect(transcript.words.map(({ text }: AnyJson) => text)).toEqual(words.map(({ word }: AnyJson) => word.trim()));
  expect(transcript.words[0].start).toBe(Math.round(words[0].start * 1000));
  expect(json.request_params).not.toHaveProperty("assemblyai");
});

test("parts of a transcript: sentences, paragraphs, places of words, subtitles", async () => {
  const { id, text } = await completed({ speaker_labels: true });
  const [sentences, paragraphs] = await Promise.all(
    ["sentences", "paragraphs"].map((kind) => ask("GET", `${PATH}/${id}/${kind}`)),
  );
  expect(sentences?.json.sentences.map((one: AnyJson) => one.text).join(" ")).toBe(text);
  expect(paragraphs?.json.paragraphs.map((one: AnyJson) => one.text).join(" ")).toBe(text);
  const found = await ask("GET", `${PATH}/${id}/word-search?words=hello,nothing`);
  expect(found.json).toMatchObject({
    total_count: 1,
    matches: [{ text: "hello", count: 1, indexes: [0] }, { count: 0 }],
  });
  const srt = await ask("GET", `${PATH}/${id}/srt?chars_per_caption=20`);
  expect(srt.text).toMatch(/^1\n00:00:0/);
  expect((await ask("GET", `${PATH}/${id}/vtt`)).text).toMatch(/^WEBVTT/);
  expect(await ask("GET", `${PATH}/${id}/srt?chars_per_caption=x`)).toMatchObject({
    status: 400,
    json: { error: expect.stringContaining("chars_per_caption") },
  });
});

test("a webhook names the transcript, with the wanted header and a signature; the header's value is never shown", async () => {
  const { json: made } = await ask("POST", PATH, {
    ...{ audio_url: audioUrl, webhook_url: receiver.url },
    ...{ webhook_auth_header_name: "X-My-Secret", webhook_auth_header_value: "open sesame" },
  });
  expect(made).toMatchObject({
    webhook_url: receiver.url,
    webhook_auth: true,
    webhook_auth_header_name: "X-My-Secret",
  });
  await receiver.until(() => receiver.received.length === 1);
  const [request] = receiver.received;
  expect(request?.body).toEqual({ transcript_id: made.id, status: "completed" });
  expect(request?.headers["x-my-secret"]).toBe("open sesame");
  const { secret } = (await call(service, "GET", "/v2/account/callback-secret")).json;
  const headers = request?.headers as Record<string, string>;
  expect(new Webhook(secret).verify(request?.text ?? "", headers)).toMatchObject({ transcript_id: made.id });
  const shown = await Promise.all(
    [`${PATH}/${made.id}`, `/v2/pre-recorded/${made.id}`, `/v2/transcription/${made.id}/deliveries`].map((path) =>
      call(service, "GET", path),
    ),
  );
  expect(JSON.stringify(shown)).not.toContain("sesame");
});

test("a transcript that fails has its reason, and so has its webhook", async () => {
  const silent = await upload(service, wav([silence(0.2)]));
  await call(service, "DELETE", `/file/${silent.json.audio_metadata.id}`);
  const gone = await ask("POST", PATH, { audio_url: silent.json.audio_url });
  expect(gone).toMatchObject({ status: 422, json: { error: expect.any(String) } });
  const before = receiver.received.length;
  const { json } = await ask("POST", PATH, { audio_url: receiver.url, webhook_url: receiver.url });
  await receiver.until(() => receiver.received.some(({ body }) => (body as AnyJson)?.transcript_id === json.id));
  expect(receiver.received.slice(before).at(-1)?.body).toEqual({ transcript_id: json.id, status: "error" });
  expect((await ask("GET", `${PATH}/${json.id}`)).json).toMatchObject({
    ...{ status: "error", error: expect.any(String), text: null },
  });
  expect((await ask("GET", `${PATH}/${json.id}/sentences`)).status).toBe(409);
});

test("pages of the list lead to older and to newer transcripts, none twice and none missing", async () => {
  const all = (await ask("GET", `${PATH}?limit=200`)).json.transcripts.map(({ id }: AnyJson) => id);
  expect(all.length).toBeGreaterThan(2);
  const older: string[] = [];
  let address: string | null = `${service.base}${PATH}?limit=2`;
  let last: AnyJson;
  while (address !== null) {
    last = (await ask("GET", address.slice(service.base.length))).json;
    older.push(...last.transcripts.map(({ id }: AnyJson) => id));
    address = last.page_details.prev_url;
  }
  expect(older).toEqual(all);
  const newer: string[] = last.transcripts.map(({ id }: AnyJson) => id);
  for (let next = last.page_details.next_url; next !== null; ) {
    const { transcripts, page_details } = (await ask("GET", next.slice(service.base.length))).json;
    newer.unshift(...transcripts.map(({ id }: AnyJson) => id));
    next = page_details.next_url;
  }
  expect(newer).toEqual(all);
  const failed = (await ask("GET", `${PATH}?status=error`)).json;
  expect(failed.transcripts).toHaveLength(1);
  expect(failed.transcripts[0]).toMatchObject({
    status: "error",
    error: expect.any(String),
    completed: expect.any(String),
  });
  const today = new Date().toISOString().slice(0, 10);
  expect((await ask("GET", `${PATH}?created_on=${today}&limit=200`)).json.transcripts).toHaveLength(all.length);
  expect((await ask("GET", `${PATH}?created_on=2001-01-01`)).json.page_details).toMatchObject({
    result_count: 0,
    next_url: null,
  });
  expect((await ask("GET", `${PATH}?before_id=nothing`)).status).toBe(404);
});

test("a deleted transcript is gone", async () => {
  const { id } = await completed({});
  expect(await ask("DELETE", `${PATH}/${id}`)).toMatchObject({ status: 200, json: { id, text: "Deleted by user." } });
  expect(await ask("GET", `${PATH}/${id}`)).toMatchObject({ status: 404, json: { error: expect.any(String) } });
});

test("what is not available is refused by its name, what has no effect is named, unknown fields too", async () => {
  const refused = await ask("POST", PATH, { audio_url: audioUrl, content_safety: true, webhook_url: "ftp://a" });
  expect(refused.status).toBe(400);
  const unavailable = await ask("POST", PATH, { audio_url: audioUrl, content_safety: true, iab_categories: true });
  expect(unavailable.json.error).toMatch(/content_safety is not available.*/);
  expect(unavailable.json.error).toMatch(/iab_categories is not available.*/);
  expect(await ask("POST", PATH, { audio_url: audioUrl, speech_model: "gpt" })).toMatchObject({ status: 404 });
  expect(await ask("POST", PATH, { audio_url: audioUrl, language_code: "xx" })).toMatchObject({
    status: 400,
    json: { error: expect.stringContaining("language_code") },
  });
  const transcript = await completed({ boost_param: "high", flavour: 1, speech_models: ["new-model", "universal"] });
  const messages = transcript.metadata.warnings.map(({ message }: AnyJson) => message).join("; ");
  expect(messages).toContain("boost_param has no effect");
  expect(messages).toContain("flavour");
});
