// The answers and live messages of a running service have exactly the fields that its descriptions list. Every operation of the OpenAPI
// document is requested, and has a described answer.

import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { Ajv, type AnySchemaObject } from "ajv";
import addFormats from "ajv-formats";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inlineSchemas } from "../../src/api/description/shared-schemas.ts";
import { ChapterBody, EntityBody, SentimentBody } from "../../src/contract/addon-results.ts";
import { CLOSE, CLOSE_MEANINGS } from "../../src/contract/close-codes.ts";
import { JOB_EVENTS, type JobEvent } from "../../src/contract/job-events.ts";
import { type AnswerEvent, QUESTION_EVENTS } from "../../src/contract/questions.ts";
import { AsrJson } from "../../src/contract/whisper-asr.ts";
import { installModel } from "../../src/service/models/installer.ts";
import { type Hub, startHub } from "../fixtures/hub.ts";
import { endedAddOns } from "../fixtures/later-add-ons.ts";
import { isFleet } from "../fixtures/layout.ts";
import { createSession, LiveClient } from "../fixtures/live-client.ts";
import { LOCAL_ADDONS } from "../fixtures/local-addons.ts";
import { Receiver } from "../fixtures/receiver.ts";
import { HELLO_MP3, wav } from "../fixtures/recordings.ts";
import { decodeSpeech, encodePcm, repeated } from "../fixtures/speech.ts";
import { strictSchema } from "../fixtures/strict-schema.ts";
import { writeTinyLanguageModel } from "../fixtures/tiny-language-model.ts";
import { tinySpeakerModels } from "../fixtures/tiny-speakers.ts";
import { tinyWhisper } from "../fixtures/tiny-whisper.ts";
import { call, finished, type RunningService, ready, startService, submit, upload } from "../service.ts";

const ADDONS = {
  diarization: true,
  ...LOCAL_ADDONS,
  custom_metadata: { suite: "contract" },
};
const NOWHERE = "00000000-0000-0000-0000-000000000000";

/** Results of add-ons whose shape the interface states. */
const RESULTS = {
  named_entity_recognition: EntityBody,
  sentiment_analysis: SentimentBody,
  chapterization: ChapterBody,
};
const LANGUAGE_MODEL = "tiny-language-model";

interface Operation {
  responses: Record<string, { content?: Record<string, { schema: AnySchemaObject }> }>;
}

let folder: string;
let hub: Hub;
let receiver: Receiver;
let service: RunningService;
let openApi: { paths: Record<string, Record<string, Operation>> };
let asyncApi: { channels: { live: { description: string; messages: Record<string, { payload: AnySchemaObject }> } } };
let jobId: string;
let speech: Float32Array;
/** Operations that answered with success, as "GET /v2/models". */
const covered = new Set<string>();
const ajv = new Ajv({ strict: false, allErrors: true, logger: false });
(addFormats as unknown as (ajv: Ajv) => void)(ajv);

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-contract-"));
  speech = await decodeSpeech();
  hub = await startHub({ "openai/whisper-tiny": tinyWhisper() });
  receiver = await Receiver.start();
  const models = await tinySpeakerModels(folder);
  const file = writeTinyLanguageModel(path.join(folder, `${LANGUAGE_MODEL}.gguf`));
  await installModel(file, models, { hub: { base: "" }, progress: () => undefined });
  service = await startService({
    environment: {
      PARLANCE_MODELS_DIR: models.folder,
      PARLANCE_MODELS_URL: hub.url,
      PARLANCE_LANGUAGE_MODEL: LANGUAGE_MODEL,
      PARLANCE_SECRETS_KEY: "a secrets key for tests",
      PARLANCE_CALLBACK_FIRST_RETRY_SECONDS: "0.05",
    },
  });
  await ready(service);
  openApi = inlineSchemas((await call(service, "GET", "/openapi.json", { key: null })).json);
  asyncApi = (await call(service, "GET", "/asyncapi.json", { key: null })).json;
  const toReceiver = { callback: true, callback_config: { url: receiver.url } };
  jobId = await submit(service, wav([repeated(speech, 3, 1)]), { ...ADDONS, ...toReceiver, unknown_field: 1 });
  await finished(service, jobId);
});
afterAll(async () => {
  await service?.remove();
  await receiver?.stop();
  await hub?.close();
  rmSync(folder, { recursive: true, force: true });
});

function expectToFit(schema: AnySchemaObject, value: unknown): void {
  const validate = ajv.compile(strictSchema(schema));
  expect(validate(value), JSON.stringify({ errors: validate.errors, value })).toBe(true);
}

/**
 * Sends a request and compares the answer with the description of its route.
 * @param route    as the document writes it
 * @param options  values of the route's parameters, in order; the query; the body; another service
 */
async function ask(
  method: string,
  route: string,
  {
    params = [],
    query = "",
    body,
    headers = {},
    from = service,
  }: {
    params?: readonly string[];
    query?: string;
    body?: unknown;
    headers?: Record<string, string>;
    from?: RunningService;
  } = {},
) {
  const values = [...params];
  const address = route.replace(/\{\w+\}/g, () => values.shift() ?? "") + query;
  const answer = await call(from, method, address, { headers, ...(body === undefined ? {} : { body }) });
  const { status, json, text } = answer;
  const operation = `${method} ${route}`;
  const response = openApi.paths[route]?.[method.toLowerCase()]?.responses[status];
  if (!response) throw new Error(`${operation} does not describe status ${status}: ${text.slice(0, 500)}`);
  const type = (answer.headers.get("content-type") ?? "").split(";")[0] as string;
  const { content } = response;
  const described = content?.[type] ?? content?.["application/octet-stream"];
  if (content) expect(described, `${operation} with ${type}`).toBeDefined();
  else expect(text, operation).toBe("");
  if (described && type === "application/json") expectToFit(described.schema, json);
  if (status < 300) covered.add(operation);
  return answer;
}

/** As `ask`, for a request that succeeds. @returns the body */
async function succeed(...request: Parameters<typeof ask>) {
  const { status, json, text } = await ask(...request);
  const log = (request[2]?.from ?? service).log().slice(-2_000);
  expect(status, `${request[0]} ${request[1]}: ${text.slice(0, 500)}\n${log}`).toBeLessThan(300);
  return json;
}

test("a schema without the field refuses it", () => {
  const schema = { type: "object", properties: { a: { type: "object", properties: {} } } };
  expect(ajv.compile(strictSchema(schema))({ a: { b: 1 } })).toBe(false);
  expect(ajv.compile(schema)({ a: { b: 1 } })).toBe(true);
});

test.each([
  "/v2/system",
  "/v2/models",
  "/v2/account",
  "/v2/account/keys",
  "/v2/account/callback-secret",
  "/v2/account/deliveries",
  "/v2/pre-recorded",
  "/v2/transcription",
  "/v2/live",
  "/v2/system/language-models",
  "/health",
  "/ready",
  "/metrics",
  "/v1/models",
  "/v1/audio/models",
])("the answer of GET %s has exactly the described fields", async (route) => {
  await succeed("GET", route);
});

test("a job has exactly the described fields, with the results of its add-ons", async () => {
  const json = await succeed("GET", "/v2/pre-recorded/{id}", { params: [jobId] });
  expect(json.status).toBe("done");
  for (const name of ["summarization", "moderation", "named_entity_recognition"]) {
    expect(json.result[name], name).toMatchObject({ success: true });
  }
  for (const [name, schema] of Object.entries(RESULTS)) {
    expectToFit({ type: "array", items: schema }, json.result[name].results);
  }
});

test("an unfinished job has exactly the described fields, and is deleted", async () => {
  for (const path of ["/v2/pre-recorded", "/v2/transcription"]) {
    const created = await succeed("POST", path, { body: { audio_url: "https://recordings.invalid/a.wav" } });
    const unfinished = await succeed("GET", "/v2/transcription/{id}", { params: [created.id] });
    expect(unfinished.progress).not.toBeNull();
    await succeed("DELETE", `${path}/{id}`, { params: [created.id], query: "?cancel=true" });
  }
});

test("uploads and the files of jobs are answered as described", async () => {
  const form = new FormData();
  form.append("audio", new Blob([readFileSync(HELLO_MP3) as never]), "hello.mp3");
  const stored = await succeed("POST", "/v2/upload", { body: form });
  await succeed("GET", "/file/{id}", { params: [stored.audio_metadata.id] });
  for (const path of ["/v2/pre-recorded", "/v2/transcription"]) {
    await succeed("GET", `${path}/{id}/file`, { params: [jobId] });
  }
  await succeed("DELETE", "/file/{id}", { params: [stored.audio_metadata.id] });
});

test("uploads that resume are answered as described", async () => {
  const route = "/v2/upload/resumable";
  const bytes = readFileSync(HELLO_MP3);
  const version = { "tus-resumable": "1.0.0" };
  const length = { ...version, "upload-length": String(bytes.length) };
  const begun = await succeed("POST", route, { headers: length });
  const params = [begun.id];
  expect((await succeed("GET", `${route}/{id}`, { params })).upload).toBeNull();
  const body = { ...version, "content-type": "application/offset+octet-stream", "upload-offset": "0" };
  for (const headers of [
    { ...body, "upload-offset": "9" },
    { ...body, "tus-resumable": "2" },
  ]) {
    const refused = await ask("PATCH", `${route}/{id}`, { params, headers, body: bytes });
    expect([409, 412]).toContain(refused.status);
  }
  await succeed("PATCH", `${route}/{id}`, { params, headers: body, body: bytes });
  expect((await succeed("GET", `${route}/{id}`, { params })).upload.audio_metadata.size).toBe(bytes.length);
  await succeed("DELETE", `${route}/{id}`, { params, headers: version });
  const whole = await succeed("POST", route, { headers: { ...length, ...body }, body: bytes });
  expect(whole.upload.audio_url).toMatch(whole.id);
});

test("a live session with a source, its captions and its stop are answered as described", async () => {
  const recording = readFileSync(HELLO_MP3);
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "audio/mpeg", "content-length": recording.length }).end(recording);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/radio`;
  const created = await succeed("POST", "/v2/live", { body: { source: { url, maximum_outage: 5 } } });
  const params = [created.id];
  const playlist = async () => (await ask("GET", "/v2/live/{id}/captions.m3u8", { params })).text;
  await expect.poll(playlist, { timeout: 60_000 }).toContain("#EXT-X-ENDLIST");
  await succeed("GET", "/v2/live/{id}/captions/{part}", { params: [created.id, "0.vtt"] });
  const events = await ask("GET", "/v2/live/{id}/events", { params, query: "?after=0" });
  expect(events.text).toMatch(/event: transcript\n/);
  await succeed("POST", "/v2/live/{id}/stop", { params });
  server.close();
});

test("callbacks are listed with exactly the described fields, and sent again", async () => {
  await receiver.until(() => receiver.of(jobId).length > 0);
  for (const path of ["/v2/pre-recorded", "/v2/transcription"]) {
    const { items } = await succeed("GET", `${path}/{id}/deliveries`, { params: [jobId] });
    expect(items).toHaveLength(1);
    await succeed("POST", `${path}/{id}/deliveries/{delivery_id}/replay`, { params: [jobId, items[0].id] });
  }
  const { items } = await succeed("GET", "/v2/account/deliveries");
  expect(items[0].job_id).toBe(jobId);
});

test("transcripts, peaks and corrections with merges, splits and undo have exactly the described fields", async () => {
  const params = [jobId];
  for (const format of ["json", "txt", "srt", "vtt", "md", "tsv", "docx"]) {
    await succeed("GET", "/v2/transcription/{id}/transcript", { params, query: `?format=${format}` });
  }
  expect((await succeed("GET", "/v2/transcription/{id}/peaks", { params })).peaks.length).toBeGreaterThan(10);
  const stretch = { start: 0, end: 1, channel: 0, language: "en" };
  await succeed("POST", "/v2/transcription/{id}/alternatives", { params, body: { ...stretch, text: "Hello" } });
  expect((await succeed("POST", "/v2/transcription/{id}/recognition", { params, body: stretch })).model).toBeTruthy();
  await succeed("POST", "/v2/transcription/{id}/add-ons", { params, body: { subtitles: true } });
  await endedAddOns(service, jobId);
  expect((await succeed("GET", "/v2/transcription/{id}/add-ons", { params })).items).toHaveLength(1);
  const peaks = await succeed("GET", "/v2/transcription/{id}/peaks", { params, query: "?start=0.5&end=1" });
  expect(peaks).toMatchObject({ start: 0.5, peaks_per_second: 40 });
  const [cue] = (await succeed("GET", "/v2/transcription/{id}/cues", { params })).cues;
  const { result } = await succeed("GET", "/v2/transcription/{id}", { params });
  const lastWord = result.transcription.utterances.at(-1).words.at(-1);
  const { start, end } = result.transcription.utterances[0];
  // Between the two words of the corrected text.
  const middle = { index: 0, start: (start + end) / 2 };
  const changes = [
    { splits: [{ speaker: 0, start: lastWord.start, into: 1 }] },
    { merges: [{ speaker: 1, into: 0 }] },
    { utterances: [{ index: 0, text: "Hello." }], speakers: [{ speaker: 0, name: "Anna" }] },
    {
      utterances: [{ index: 0, text: "Hello there.", checked: true }],
      breaks: [middle, { ...middle, removed: true }],
    },
    { cues: [{ channel: 0, words_start: cue.words_start, words_end: cue.words_end, start: 0, end: 1, rows: [0.5] }] },
  ];
  const made = [];
  for (const body of changes) made.push(await succeed("PATCH", "/v2/transcription/{id}/transcript", { params, body }));
  expect(made.map(({ version }) => version)).toEqual([1, 2, 3, 4, 5]);
  const undo = "/v2/transcription/{id}/corrections/{correction_id}";
  expect((await succeed("DELETE", undo, { params: [jobId, made[2].id] })).undone_at).toBeTruthy();
  const { items } = await succeed("GET", "/v2/transcription/{id}/corrections", { params });
  expect(items).toHaveLength(5);
  const name = "Interview with Anna";
  const labels = { name, add_tags: ["Interviews"] };
  expect(await succeed("PATCH", "/v2/transcription/{id}", { params, body: labels })).toMatchObject({ name });
  expect((await succeed("GET", "/v2/tags")).items).toHaveLength(1);
});

test("highlights and notes have exactly the described fields", async () => {
  const [word] = (await succeed("GET", "/v2/transcription/{id}", { params: [jobId] })).result.transcription
    .utterances[0].words;
  const route = "/v2/transcription/{id}/notes";
  const body = { start: word.start, end: word.end, text: "Who is this?" };
  const { id } = await succeed("POST", route, { params: [jobId], body });
  expect((await succeed("GET", route, { params: [jobId] })).items).toHaveLength(1);
  await succeed("PATCH", `${route}/{note_id}`, { params: [jobId, id], body: { colour: "blue" } });
  await succeed("DELETE", `${route}/{note_id}`, { params: [jobId, id] });
});

test("links to a transcript, and what their readers receive, have exactly the described fields", async () => {
  const route = "/v2/transcription/{id}/shares";
  const made = await succeed("POST", route, { params: [jobId], body: { audio: true } });
  const headers = { authorization: `Bearer ${made.token}` };
  expect((await succeed("GET", "/v2/shared", { headers })).audio).toBe(true);
  const query = `?token=${made.token}`;
  expect((await succeed("GET", "/v2/shared/transcript", { query })).paragraphs.length).toBeGreaterThan(0);
  for (const format of ["txt", "srt", "vtt", "md", "tsv", "docx"]) {
    await succeed("GET", "/v2/shared/transcript", { query: `${query}&format=${format}` });
  }
  await succeed("GET", "/v2/shared/audio", { query });
  expect((await succeed("GET", route, { params: [jobId] })).items[0].opened_at).not.toBeNull();
  await succeed("DELETE", `${route}/{share_id}`, { params: [jobId, made.id] });
  expect((await ask("GET", "/v2/shared", { headers })).status).toBe(404);
});

test("repeated corrections, their places and the vocabulary have exactly the described fields", async () => {
  const sound = wav([repeated(speech, 3, 2)]);
  const id = await submit(service, sound);
  await finished(service, id);
  const { utterances } = (await succeed("GET", "/v2/transcription/{id}", { params: [id] })).result.transcription;
  const replaced = (index: number) => ({ index, text: utterances[index].text.replace(/hello/i, "Halloween") });
  const body = { utterances: [replaced(0), replaced(1)] };
  await succeed("PATCH", "/v2/transcription/{id}/transcript", { params: [id], body });
  const route = "/v2/repeated-corrections";
  const all = async () => (await succeed("GET", route)).items;
  await expect.poll(async () => (await all()).length).toBeGreaterThan(0);
  const [{ id: repeatedId, after }] = await all();
  expect(after).toBe("Halloween");
  const params = [repeatedId];
  const { items } = await succeed("GET", `${route}/{repeated_id}/places`, { params });
  const [{ job_id, index, start, end, text }] = items;
  const places = [{ job_id, index, start, end, text }];
  const applied = await succeed("POST", `${route}/{repeated_id}/places`, { params, body: { places } });
  expect(applied.corrected).toBe(1);
  const dismissed = await succeed("PATCH", `${route}/{repeated_id}`, { params, body: { dismissed: true } });
  expect(dismissed.dismissed).toBe(true);

  const word = { value: "Halloween", pronunciations: ["hello"], language: "en", intensity: 0.4 };
  const added = await succeed("POST", "/v2/vocabulary/words", { body: word });
  expect(added).toMatchObject(word);
  expect((await succeed("GET", "/v2/vocabulary")).items).toEqual([added]);
  await succeed("DELETE", "/v2/vocabulary/words/{word_id}", { params: [added.id] });
  await succeed("PUT", "/v2/vocabulary/settings", { body: { enabled: true } });
});

test("vocabulary lists have exactly the described fields", async () => {
  const route = "/v2/vocabulary-lists";
  const word = { value: "Halloween", pronunciations: ["hello"], language: "en", intensity: 0.4 };
  const made = await succeed("POST", route, { body: { name: "Feasts", words: ["Advent", word] } });
  expect(made.words).toEqual([{ value: "Advent" }, word]);
  const params = [made.id];
  expect(await succeed("GET", `${route}/{list_id}`, { params })).toEqual(made);
  const body = { name: "Days", words: ["Advent"], version: 0 };
  const changed = await succeed("PATCH", `${route}/{list_id}`, { params, body });
  expect(changed).toMatchObject({ name: "Days", version: 1, word_count: 1, words: [{ value: "Advent" }] });
  const { words: _, ...item } = changed;
  expect(await succeed("GET", route)).toEqual({ items: [item], next: null });
  await succeed("DELETE", `${route}/{list_id}`, { params });
});

test("the events of an answer to a question have exactly the described fields", async () => {
  const question = { params: [jobId], body: { question: "Who speaks?" } };
  const { status, text } = await ask("POST", "/v2/transcription/{id}/questions", question);
  expect(status, text).toBe(200);
  const sent = [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data as string) as AnswerEvent);
  expect(sent.at(-1)?.type).toBe("done");
  for (const event of sent) expectToFit(QUESTION_EVENTS[event.type], event);
});

test("the events of changes have exactly the described fields", async () => {
  const stream = ask("GET", "/v2/events", { query: "?seconds=3" });
  // The stream begins before the name changes.
  await expect
    .poll(async () => {
      const body = { name: `Named ${Date.now()}` };
      await succeed("PATCH", "/v2/transcription/{id}", { params: [jobId], body });
      return Promise.race([stream.then(() => true), new Promise((resolve) => setTimeout(resolve, 200, false))]);
    })
    .toBe(true);
  const { text } = await stream;
  const sent = [...text.matchAll(/^event: (\w+)\ndata: (.*)$/gm)];
  expect(sent.map(([, type]) => type)).toEqual(expect.arrayContaining(["reread", "job"]));
  for (const [, type, data] of sent) expectToFit(JOB_EVENTS[type as JobEvent["type"]], JSON.parse(data as string));
});

test("keys and secrets of an account have exactly the described fields", async () => {
  const { id } = await succeed("POST", "/v2/account/keys", { body: { name: "contract" } });
  expect((await succeed("GET", "/v2/account/keys")).items.map((key: { id: string }) => key.id)).toContain(id);
  await succeed("DELETE", "/v2/account/keys/{id}", { params: [id] });
  expect((await succeed("POST", "/v2/account/callback-secret")).previous_secret).not.toBeNull();
  await succeed("DELETE", "/v2/account/callback-secret/previous");
});

describe("the library of voices", () => {
  const recording = (name?: string) => {
    const form = new FormData();
    if (name !== undefined) form.append("name", name);
    form.append("audio", new Blob([wav([repeated(speech, 4, 0.2)]) as never]), "voice.wav");
    return form;
  };

  test("and the names in a result have exactly the described fields", async () => {
    await succeed("GET", "/v2/voices/settings");
    await succeed("PUT", "/v2/voices/settings", { body: { enabled: true } });
    const { id } = await succeed("POST", "/v2/voices", { body: recording("Maria") });
    await succeed("POST", "/v2/voices/{id}/samples", { params: [id], body: recording() });
    expect(
      (await succeed("PATCH", "/v2/voices/{id}", { params: [id], body: { name: "Maria L." } })).samples,
    ).toHaveLength(2);
    const identify = { diarization: true, diarization_config: { identify_speakers: true } };
    const named = await submit(service, wav([repeated(speech, 5, 0.2)]), identify);
    await finished(service, named);
    const { result } = await succeed("GET", "/v2/transcription/{id}", { params: [named] });
    expect(result.transcription.speakers).toMatchObject([{ name: "Maria L.", voice_id: id }]);
    expect(result.transcription.utterances[0].speaker_name).toBe("Maria L.");

    const other = await succeed("POST", "/v2/voices", { body: { name: "Ana", job_id: named, speaker: 0 } });
    await succeed("POST", "/v2/voices/{id}/merge", { params: [id], body: { voice_id: other.id } });
    expect((await succeed("GET", "/v2/voices")).items).toHaveLength(1);
    expect((await succeed("GET", "/v2/voices/export")).items[0].samples[0].print).not.toHaveLength(0);
    await succeed("DELETE", "/v2/voices/{id}", { params: [id] });
  });
});

describe("OpenAI's interface", () => {
  const form = (fields: Record<string, string>) => {
    const body = new FormData();
    body.append("file", new Blob([readFileSync(HELLO_MP3) as never]), "hello.mp3");
    body.append("model", "whisper-1");
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    return body;
  };

  test.each<[string, Record<string, string>]>([
    ["json", { "include[]": "logprobs" }],
    ["text", {}],
    ["srt", {}],
    ["vtt", {}],
    ["verbose_json", { "timestamp_granularities[]": "word" }],
    ["verbose_json", { "timestamp_granularities[]": "segment" }],
    ["diarized_json", { model: "gpt-4o-transcribe-diarize" }],
    ["json", { stream: "true" }],
  ])("the answer as %s with %j has exactly the described fields", async (response_format, fields) => {
    await ask("POST", "/v1/audio/transcriptions", { body: form({ response_format, ...fields }) });
    expect(covered).toContain("POST /v1/audio/transcriptions");
  });

  test("models and translations are answered as described", async () => {
    const { data } = await succeed("GET", "/v1/models");
    await succeed("GET", "/v1/models/{model}", { params: [data[0].id] });
    await succeed("POST", "/v1/audio/translations", { body: form({}) });
  });

  test("client secrets of the Realtime interface are answered as described", async () => {
    const input = { turn_detection: null, transcription: { prompt: "Parlance", languages: ["en", "de"] } };
    const body = { session: { type: "transcription", audio: { input, output: {} } } };
    expect((await succeed("POST", "/v1/realtime/client_secrets", { body })).warnings).toHaveLength(1);
    await succeed("POST", "/v1/realtime/transcription_sessions", { body: { input_audio_format: "pcm16" } });
  });
});

test("tokens of Deepgram's interface are answered as described", async () => {
  const seconds = async (body?: object) => (await succeed("POST", "/v1/auth/grant", body && { body })).expires_in;
  expect(await seconds({ ttl_seconds: 60 })).toBe(60);
  expect(await seconds({ ttl_seconds: null })).toBe(30);
  expect(await seconds()).toBe(30);
  expect((await ask("POST", "/v1/auth/grant", { body: { ttl_seconds: 0 } })).status).toBe(400);
});

test("tokens of AssemblyAI's interface are answered as described", async () => {
  await succeed("GET", "/v3/token", { query: "?expires_in_seconds=60&max_session_duration_seconds=60" });
  expect((await ask("GET", "/v3/token")).status).toBe(400);
});

test("transcripts of AssemblyAI's interface are answered as described", async () => {
  const { audio_url } = (await upload(service, wav([speech]))).json;
  const addons = { sentiment_analysis: true, entity_detection: true, auto_chapters: true, summarization: true };
  const body = { audio_url, speaker_labels: true, multichannel: true, unknown_field: 1, ...addons };
  const { id } = await succeed("POST", "/v2/transcript", { body });
  await finished(service, id);
  const params = [id];
  const found = await succeed("GET", "/v2/transcript/{id}", { params });
  expect(found).toMatchObject({ status: "completed", utterances: expect.any(Array), metadata: expect.any(Object) });
  for (const part of ["sentences", "paragraphs", "srt", "vtt"])
    await succeed("GET", `/v2/transcript/{id}/${part}`, { params });
  await succeed("GET", "/v2/transcript/{id}/word-search", { params, query: "?words=hello" });
  await succeed("GET", "/v2/transcript", { query: "?limit=1" });
  expect((await ask("GET", "/v2/transcript", { query: "?limit=0" })).status).toBe(400);
  await succeed("DELETE", "/v2/transcript/{id}", { params });
  expect((await ask("GET", "/v2/transcript/{id}", { params })).status).toBe(404);
});

test("the Model Context Protocol is answered as described", async () => {
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } };
  await succeed("POST", "/mcp", { body: { jsonrpc: "2.0", id: 1, method: "initialize", params } });
  await succeed("POST", "/mcp", { body: { jsonrpc: "2.0", method: "notifications/initialized" } });
});

test("the interface of whisper-asr-webservice is answered as described", async () => {
  const form = () => {
    const body = new FormData();
    body.append("audio_file", new Blob([readFileSync(HELLO_MP3) as never]), "hello.mp3");
    return body;
  };
  await succeed("POST", "/detect-language", { body: form() });
  await succeed("POST", "/asr", { body: form() });
  const { text } = await ask("POST", "/asr", { query: "?output=json&word_timestamps=1&diarize=1", body: form() });
  expectToFit(AsrJson, JSON.parse(text));
  expect((await ask("POST", "/asr", { query: "?output=doc", body: form() })).status).toBe(422);
});

test("Deepgram's interface is answered as described", async () => {
  const host = createServer((_request, response) => response.end(readFileSync(HELLO_MP3)));
  await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
  try {
    const body = { url: `http://127.0.0.1:${(host.address() as AddressInfo).port}/hello.mp3` };
    const parts = "smart_format=true&utterances=true&diarize=true&search=hello&summarize=v2&detect_language=true";
    const query = `?${parts}&extra=a:b&tag=c&dictation=true&unknown=1`;
    const { results } = await succeed("POST", "/v1/listen", { query, body });
    expect(results.utterances).not.toHaveLength(0);
    expect((await ask("POST", "/v1/listen", { query: "?topics=true", body })).status).toBe(400);
  } finally {
    host.close();
  }
});

test("models are fetched, chosen and removed as described", async () => {
  const fetching = await startService({
    environment: { PARLANCE_FETCH_MODELS: "true", PARLANCE_MODELS_URL: hub.url, PARLANCE_WORKERS: "1" },
  });
  try {
    await succeed("POST", "/v2/models", { body: { id: "whisper-tiny" }, from: fetching });
  } finally {
    await fetching.remove();
  }
  const refused = await ask("PUT", "/v2/system/language-model", {
    body: { url: "http://127.0.0.1:1/v1", model: "none" },
  });
  // Of several processes, one alone would use it.
  expect(refused.status).toBe(isFleet() ? 409 : 400);
  await succeed("DELETE", "/v2/system/language-model");
  await succeed("DELETE", "/v2/models/{id}", { params: [LANGUAGE_MODEL] });
});

test("errors have exactly the described fields", async () => {
  expect((await ask("GET", "/v2/transcription/{id}", { params: [NOWHERE] })).status).toBe(404);
  const invalid = await ask("POST", "/v2/pre-recorded", {
    body: { audio_url: "https://a.example", diarization: "yes" },
  });
  expect(invalid.json.validation_errors).toHaveLength(1);
});

test("live messages and the result of a session have exactly the described fields", async () => {
  const created = await succeed("POST", "/v2/live", {
    body: {
      callback: true,
      callback_config: { url: receiver.url },
      endpointing: 0.3,
      messages_config: { receive_partial_transcripts: true, receive_lifecycle_events: true },
      pre_processing: { audio_enhancer: true },
      realtime_processing: { named_entity_recognition: true, sentiment_analysis: true },
      post_processing: { summarization: true, chapterization: true },
    },
  });
  const client = await LiveClient.connect(created.url);
  client.send(encodePcm([repeated(speech, 2, 1)]));
  client.socket.send("nonsense");
  client.stop();
  expect((await client.closed).code).toBe(CLOSE.done);
  expect(new Set(client.types()).size).toBeGreaterThan(12);
  for (const message of client.messages) {
    expectToFit(asyncApi.channels.live.messages[`server_${message.type}`]?.payload ?? { not: {} }, message);
  }
  await finished(service, created.id);
  const params = [created.id];
  expect((await succeed("GET", "/v2/live/{id}", { params })).result.messages).not.toHaveLength(0);
  await succeed("GET", "/v2/live/{id}/file", { params });
  await succeed("GET", "/v2/live/{id}/audio", { params });
  await succeed("PATCH", "/v2/live/{id}", { params, body: { suite: "contract" } });
  const { items } = await succeed("GET", "/v2/live/{id}/deliveries", { params });
  await succeed("POST", "/v2/live/{id}/deliveries/{delivery_id}/replay", { params: [created.id, items[0].id] });
  await succeed("DELETE", "/v2/live/{id}", { params });
});

test("every close code is described", () => {
  for (const [name, code] of Object.entries(CLOSE)) {
    expect(asyncApi.channels.live.description).toContain(`${code} ${CLOSE_MEANINGS[name as keyof typeof CLOSE]}`);
  }
});

test("a session with an unknown token is closed with the described code", async () => {
  const { url } = await createSession(service, {});
  const client = await LiveClient.connect(url.replace(/token=.*/, "token=unknown"));
  expect((await client.closed).code).toBe(CLOSE.badToken);
});

/** Its success needs a language model server on one of five fixed ports, which another program may use: only its refusal is compared. */
const NOT_COVERED = ["PUT /v2/system/language-model"];

function operations(): [name: string, operation: Operation][] {
  return Object.entries(openApi.paths).flatMap(([route, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${route}`,
      operation,
    ]),
  );
}

test("every operation describes what it answers", () => {
  const undescribed = operations().filter(([, { responses }]) => {
    const successes = Object.entries(responses).filter(([status]) => Number(status) < 300);
    // 202 and 204 may have no content.
    const isDescribed = successes.every(([status, { content }]) => content || status === "202" || status === "204");
    return successes.length === 0 || !isDescribed;
  });
  expect(undescribed.map(([name]) => name)).toEqual([]);
});

/** Media types that generators of clients read. */
const GENERATED_TYPES = /^(text\/|application\/(json|octet-stream)\b)/;

/** Every schema and every list of media types within a part of the document, with its place. */
function* parts(part: unknown, place = ""): Generator<[place: string, part: Record<string, unknown>]> {
  if (typeof part !== "object" || part === null) return;
  if (!Array.isArray(part)) yield [place, part as Record<string, unknown>];
  for (const [name, inner] of Object.entries(part)) yield* parts(inner, `${place}/${name}`);
}

test("no schema has what generators of clients refuse: enums of integers and fractions, errors that are not JSON", () => {
  const mixed = [...parts(openApi)].filter(([, { enum: values }]) => {
    const numbers = Array.isArray(values) ? values.filter((value) => typeof value === "number") : [];
    return new Set(numbers.map((value) => Number.isInteger(value))).size > 1;
  });
  expect(mixed.map(([place]) => place)).toEqual([]);
  const unknown = operations().flatMap(([name, { responses }]) =>
    Object.entries(responses)
      .filter(([status, { content }]) => Number(status) < 300 && content)
      .filter(([, { content }]) => !Object.keys(content ?? {}).some((type) => GENERATED_TYPES.test(type)))
      .map(([status]) => `${name} ${status}`),
  );
  // Its generator needs the setting that docs/clients.md names.
  expect(unknown).toEqual(["GET /v2/live/{id}/captions.m3u8 200"]);
  const errors = operations().flatMap(([name, { responses }]) =>
    Object.entries(responses)
      .filter(([status]) => Number(status) >= 400)
      .map(([status, { content }]) => `${name} ${status}: ${Object.keys(content ?? {})}`),
  );
  expect(errors.length).toBeGreaterThan(100);
  expect(errors.filter((error) => !/: (application\/json)?$/.test(error))).toEqual([]);
});

test("every operation that may have a body describes the refusals of bodies", () => {
  const missing = operations()
    .filter(([name]) => /^(POST|PUT|PATCH) /.test(name))
    .flatMap(([name, { responses }]) =>
      ["400", "413", "415"].filter((status) => !(status in responses)).map((status) => `${name} ${status}`),
    );
  expect(missing).toEqual([]);
});

test("every operation was requested by the tests above", () => {
  const missing = operations()
    .map(([name]) => name)
    .filter((name) => !covered.has(name));
  expect(missing).toEqual(NOT_COVERED);
});
