// The answers and live messages of a running service have exactly the fields that its descriptions list.
import { readFileSync } from "node:fs";
import { Ajv, type AnySchemaObject } from "ajv";
import addFormats from "ajv-formats";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inlineSchemas } from "../../src/api/description/shared-schemas.ts";
import { CLOSE, CLOSE_MEANINGS } from "../../src/contract/close-codes.ts";
import { createSession, LiveClient } from "../fixtures/live-client.ts";
import { LOCAL_ADDONS } from "../fixtures/local-addons.ts";
import { HELLO_MP3 } from "../fixtures/recordings.ts";
import { decodeSpeech, encodePcm, repeated } from "../fixtures/speech.ts";
import { strictSchema } from "../fixtures/strict-schema.ts";
import { call, finished, type RunningService, startService, submit } from "../service.ts";

const ADDONS = {
  diarization: true,
  ...LOCAL_ADDONS,
  custom_metadata: { suite: "contract" },
};
const NOWHERE = "00000000-0000-0000-0000-000000000000";

let service: RunningService;
let openApi: { paths: Record<string, Record<string, { responses: Record<string, unknown> }>> };
let asyncApi: { channels: { live: { description: string; messages: Record<string, { payload: AnySchemaObject }> } } };
let jobId: string;
const ajv = new Ajv({ strict: false, allErrors: true, logger: false });
(addFormats as unknown as (ajv: Ajv) => void)(ajv);

beforeAll(async () => {
  service = await startService();
  openApi = inlineSchemas((await call(service, "GET", "/openapi.json", { key: null })).json);
  asyncApi = (await call(service, "GET", "/asyncapi.json", { key: null })).json;
  jobId = await submit(service, readFileSync(HELLO_MP3), { ...ADDONS, unknown_field: 1 });
  await finished(service, jobId);
});
afterAll(() => service.remove());

function expectToFit(schema: AnySchemaObject, value: unknown): void {
  const validate = ajv.compile(strictSchema(schema));
  expect(validate(value), JSON.stringify({ errors: validate.errors, value })).toBe(true);
}

/** Sends a request and compares the answer with the description of its route. */
async function ask(method: string, route: string, options: { path?: string; body?: object } = {}) {
  const { path = route, body } = options;
  const { status, json } = await call(service, method, path, body ? { body } : {});
  const response = openApi.paths[route]?.[method.toLowerCase()]?.responses[status] as
    | { content?: Record<string, { schema: AnySchemaObject }> }
    | undefined;
  const schema = response?.content?.["application/json"]?.schema;
  if (!schema) throw new Error(`${method} ${route} does not describe its answer with status ${status}`);
  expectToFit(schema, json);
  return { status, json };
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
])("the answer of GET %s has exactly the described fields", async (route) => {
  expect((await ask("GET", route)).status).toBe(200);
});

test("a job has exactly the described fields, with the results of its add-ons", async () => {
  const { json } = await ask("GET", "/v2/pre-recorded/{id}", { path: `/v2/pre-recorded/${jobId}` });
  expect(json.status).toBe("done");
  for (const name of ["summarization", "moderation", "named_entity_recognition"]) {
    expect(json.result[name], name).toMatchObject({ success: true });
  }
});

test("an unfinished job has exactly the described fields", async () => {
  const created = await ask("POST", "/v2/pre-recorded", { body: { audio_url: "https://recordings.invalid/a.wav" } });
  const path = `/v2/transcription/${created.json.id}`;
  const { json } = await ask("GET", "/v2/transcription/{id}", { path });
  expect(json.progress).not.toBeNull();
  await call(service, "DELETE", `${path}?cancel=true`);
});

test("corrections have exactly the described fields", async () => {
  const path = `/v2/transcription/${jobId}/transcript`;
  await ask("PATCH", "/v2/transcription/{id}/transcript", {
    path,
    body: { utterances: [{ index: 0, text: "Hello." }], speakers: [{ speaker: 0, name: "Anna" }] },
  });
  const corrections = await ask("GET", "/v2/transcription/{id}/corrections", {
    path: `/v2/transcription/${jobId}/corrections`,
  });
  expect(corrections.json.items).toHaveLength(1);
});

test("errors have exactly the described fields", async () => {
  const path = `/v2/transcription/${NOWHERE}`;
  expect((await ask("GET", "/v2/transcription/{id}", { path })).status).toBe(404);
  const invalid = await ask("POST", "/v2/pre-recorded", {
    body: { audio_url: "https://a.example", diarization: "yes" },
  });
  expect(invalid.json.validation_errors).toHaveLength(1);
});

test("live messages and the result of a session have exactly the described fields", async () => {
  const created = await ask("POST", "/v2/live", {
    body: {
      endpointing: 0.3,
      messages_config: { receive_partial_transcripts: true, receive_lifecycle_events: true },
      pre_processing: { audio_enhancer: true },
      realtime_processing: { named_entity_recognition: true, sentiment_analysis: true },
      post_processing: { summarization: true, chapterization: true },
    },
  });
  const client = await LiveClient.connect(created.json.url);
  client.send(encodePcm([repeated(await decodeSpeech(), 2, 1)]));
  client.socket.send("nonsense");
  client.stop();
  expect((await client.closed).code).toBe(CLOSE.done);
  expect(new Set(client.types()).size).toBeGreaterThan(12);
  for (const message of client.messages) {
    expectToFit(asyncApi.channels.live.messages[`server_${message.type}`]?.payload ?? { not: {} }, message);
  }
  await finished(service, created.json.id);
  const job = await ask("GET", "/v2/live/{id}", { path: `/v2/live/${created.json.id}` });
  expect(job.json.result.messages).not.toHaveLength(0);
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
