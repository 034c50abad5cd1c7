// Requests made from the service's own OpenAPI document, valid and not, to the application in this process: never a fault of the
// service, never an answer that the document does not have, never one that its schema does not fit; what was accepted can be read.
import { mkdtemp } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inlineSchemas } from "../../src/api/description/shared-schemas.ts";
import { FUZZ_MILLISECONDS, fuzzing } from "../fixtures/fuzzing.ts";
import { type Answer, type InProcess, startInProcess } from "../fixtures/in-process.ts";
import { createSession } from "../fixtures/live-client.ts";
import { silence, wav } from "../fixtures/recordings.ts";
import { anyOf, type Schema, valid } from "../fixtures/schema-arbitrary.ts";
import { finished, startService, submit, TEST_KEY, upload } from "../service.ts";

/** Of all operations together, in CI. */
const REQUESTS = 6_000;
const BYTES = 800;

interface Operation {
  method: string;
  path: string;
  description: Schema;
}

let app: InProcess;
let document: Schema;
let operations: Operation[];
const ids: string[] = [
  "00000000-0000-0000-0000-000000000000",
  "x",
  "%00",
  "..%2f..%2fetc",
  "%ed%a0%80",
  "------------------------------------",
  "01a1fdd3-2c3f-761e-8a4a-98cb1b15d494",
];
const CREATIONS: Record<string, string> = {
  "post /v2/pre-recorded": "pre-recorded",
  "post /v2/transcription": "transcription",
  "post /v2/live": "live",
};

/** Of the creation that is tested. */
let audioUrl: string;
const audioUrls: string[] = [];
/** Uploads that the creations need: they are not deleted. */
const neededFiles = new Set<string>();
/** Accepted jobs of one creation that are kept. The next one is deleted with its recording, and the address is refused from then on. */
const KEPT_JOBS = 20;

beforeAll(async () => {
  // A service makes what requests can be about; its folder is then this process's.
  const folder = await mkdtemp(path.join(os.tmpdir(), "parlance-fuzz-"));
  const service = await startService({ folder, environment: { PARLANCE_LOG_LEVEL: "error", PARLANCE_WORKERS: "1" } });
  const audio = wav([silence(0.1)]);
  for (const _ of Object.keys(CREATIONS)) {
    const { json } = await upload(service, audio);
    audioUrls.push(json.audio_url);
    ids.push(json.audio_metadata.id);
    neededFiles.add(json.audio_metadata.id);
  }
  ids.push((await upload(service, audio)).json.audio_metadata.id);
  ids.push((await createSession(service)).id);
  for (let count = 0; count < 3; count++) {
    const id = await submit(service, audio);
    await finished(service, id);
    ids.push(id);
  }
  expect(await service.stop()).toBe(0);
  app = await startInProcess({ PARLANCE_MAX_QUEUED_JOBS: "100" }, folder);
  document = inlineSchemas((await app.call("GET", "/openapi.json")).json);
  operations = Object.entries(document.paths as Record<string, Schema>).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, Schema>).map(([method, description]) => ({ method, path, description })),
  );
  // Its answer lasts as long as the query says; test/acceptance/events.test.ts requests it.
  operations = operations.filter(({ path }) => path !== "/v2/events");
});
afterAll(() => app.remove());

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true });
(addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
const validators = new Map<Schema, ReturnType<typeof ajv.compile>>();

function check(operation: Operation, answer: Answer, sent: string): void {
  const where = `${operation.method} ${operation.path} with ${sent} answered ${answer.status}: ${answer.text.slice(0, 500)}`;
  // This service has no language model, which a question needs.
  const lacksModel = answer.status === 501 && "501" in operation.description["responses"];
  if (!lacksModel) expect(answer.status, where).toBeLessThan(500);
  const documented = operation.description.responses[answer.status];
  // Audio is described without a schema of its success.
  const isDownload = answer.status < 300 && answer.json === undefined && answer.text !== "";
  if (isDownload) return;
  expect(documented, where).toBeDefined();
  const schema = documented.content?.["application/json"]?.schema;
  if (!schema || schema.type === "null") return;
  let validate = validators.get(schema);
  if (!validate) {
    validate = ajv.compile(schema);
    validators.set(schema, validate);
  }
  expect(validate(answer.json), `${where}\n${JSON.stringify(validate.errors)}`).toBe(true);
}

const queryText = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value)) ?? "";

function requestOf({ method, path, description }: Operation) {
  const named = method === "delete" ? ids.filter((id) => !neededFiles.has(id)) : ids;
  const parameters: Schema[] = description.parameters ?? [];
  const query = parameters.filter((parameter) => parameter.in === "query");
  // An upload by address would be fetched; its form is tested as a form.
  const body: Schema =
    path === "/v2/upload" ? undefined : description.requestBody?.content?.["application/json"]?.schema;
  return fc.record({
    path: fc.tuple(...[...path.matchAll(/\{[^}]+\}/g)].map(() => fc.constantFrom(...named))).map((chosen) => {
      let at = 0;
      return path.replace(/\{[^}]+\}/g, () => chosen[at++] ?? "");
    }),
    query: fc.record(Object.fromEntries(query.map((parameter) => [parameter.name, anyOf(parameter.schema)])), {
      requiredKeys: [],
    }),
    body: body
      ? fc.oneof(
          { weight: 8, arbitrary: anyOf(body).map((value) => withAudio(value)) },
          { weight: 1, arbitrary: fc.jsonValue() },
          // With many optional fields, hardly any whole body is free of faults.
          { weight: 1, arbitrary: valid(leastOf(body)).map((value) => withAudio(value)) },
        )
      : fc.constant(undefined),
  });
}

/** The schema with its required fields alone. */
function leastOf(schema: Schema): Schema {
  const required: string[] = schema.required ?? [];
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => required.includes(name));
  return { ...schema, properties: Object.fromEntries(properties) };
}

/** Often an address that exists, so that what comes after it is reached. */
function withAudio(value: unknown): unknown {
  const isObject = typeof value === "object" && value !== null && "audio_url" in value;
  return isObject && JSON.stringify(value).length % 2 === 0 ? { ...value, audio_url: audioUrl } : value;
}

/** A job or session that was accepted is read, found by its metadata, and deleted. */
async function readBack(kind: string, id: string, body: unknown, isDeleted: boolean): Promise<void> {
  const where = JSON.stringify(body)?.slice(0, 500);
  for (const route of [`/v2/${kind}/${id}`, `/v2/transcription/${id}`, `/v2/${kind}/${id}/deliveries`]) {
    const read = await app.call("GET", route);
    expect(read.status, `${route} of ${where}: ${read.text}`).toBe(200);
  }
  const { custom_metadata } = (body ?? {}) as { custom_metadata?: object };
  if (custom_metadata && Object.keys(custom_metadata).length > 0) {
    const filter = encodeURIComponent(JSON.stringify(custom_metadata));
    const list = await app.call("GET", `/v2/${kind}?custom_metadata=${filter}`);
    expect([200, 400], `${where}: ${list.text}`).toContain(list.status);
    if (list.status === 200)
      expect(
        list.json.items.some((item: { id: string }) => item.id === id),
        where,
      ).toBe(true);
  }
  if (isDeleted) expect((await app.call("DELETE", `/v2/${kind}/${id}?cancel=true`)).status).toBe(202);
}

test("every operation of the document, with its own schemas", { timeout: FUZZ_MILLISECONDS }, async () => {
  const statuses = new Map<string, Set<number>>();
  for (const operation of operations) {
    const name = `${operation.method} ${operation.path}`;
    const seen = new Set<number>();
    statuses.set(name, seen);
    // What is stored for long deserves more than what only reads.
    const share = name in CREATIONS ? 4 : 1;
    if (name in CREATIONS) audioUrl = audioUrls.pop() ?? audioUrl;
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(requestOf(operation), async ({ path, query, body }) => {
        const search = Object.entries(query)
          .flatMap(([name, value]) => (Array.isArray(value) ? value : [value]).map((item) => [name, queryText(item)]))
          .map(([name, value]) => `${name}=${encodeURIComponent(Buffer.from(value ?? "").toString("utf8"))}`)
          .join("&");
        const route = `${path}${search ? `?${search}` : ""}`;
        const answer = await app.call(operation.method.toUpperCase(), route, body);
        seen.add(answer.status);
        check(operation, answer, `${route} ${JSON.stringify(body)?.slice(0, 300)}`);
        const kind = CREATIONS[name];
        if (kind && answer.status === 201) {
          await readBack(kind, answer.json.id, body, kind === "live" || ++accepted > KEPT_JOBS);
        }
      }),
      fuzzing((REQUESTS * share) / (operations.length + 3 * Object.keys(CREATIONS).length)),
    );
  }
  // Creations were reached, not only refused.
  for (const name of Object.keys(CREATIONS))
    for (const status of [201, 400]) expect(statuses.get(name)).toContain(status);
});

test("bodies of any bytes and of any content type", { timeout: FUZZ_MILLISECONDS }, async () => {
  const posts = operations.filter(({ method }) => method !== "get");
  const type = fc.constantFrom(
    "application/json",
    "application/json; charset=utf-16",
    "text/plain",
    "application/xml",
    "multipart/form-data",
    "multipart/form-data; boundary=x",
    "application/x-www-form-urlencoded",
    '"',
    "",
  );
  const part = fc
    .tuple(
      fc.constantFrom("audio", "file", "model", "__proto__", "x\0"),
      fc.constantFrom("", '; filename="a"', "; filename*=utf-16le''%00%d8"),
      fc.string({ unit: "binary", maxLength: 60 }),
    )
    .map(
      ([name, filename, value]) =>
        `--x\r\nContent-Disposition: form-data; name="${name}"${filename}\r\n\r\n${value}\r\n`,
    );
  const form = fc
    .tuple(fc.array(part, { maxLength: 4 }), fc.nat({ max: 400 }))
    .map(([parts, length]) => Buffer.from(`${parts.join("")}--x--\r\n`).subarray(0, length));
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...posts),
      type,
      fc.oneof(fc.uint8Array({ maxLength: 300 }).map(Buffer.from), form, fc.json().map(Buffer.from)),
      async (operation, contentType, bytes) => {
        // A whole form of a recording would wait for a recogniser, and there is none here.
        if (/^\/v1\/(audio|listen)/.test(operation.path)) return;
        const response = await app.inject({
          method: operation.method.toUpperCase() as "POST",
          url: operation.path.replace(/\{[^}]+\}/g, () => ids[0] as string),
          headers: { "x-service-key": TEST_KEY, ...(contentType ? { "content-type": contentType } : {}) },
          payload: bytes as Buffer,
        });
        const isJson = String(response.headers["content-type"]).includes("json");
        const { statusCode: status, body: text, headers } = response;
        check(
          operation,
          { status, text, headers, json: isJson ? JSON.parse(text) : undefined },
          `${contentType} ${bytes}`,
        );
        if (status === 201 && operation.path === "/v2/live") {
          await app.call("DELETE", `/v2/live/${JSON.parse(text).id}?cancel=true`);
        }
      },
    ),
    fuzzing(BYTES),
  );
});

test("queries of any form, and addresses of any bytes", { timeout: FUZZ_MILLISECONDS }, async () => {
  const name = fc.oneof(
    fc.constantFrom("search", "status", "status[]", "kind", "date", "before_date", "after_date", "limit", "offset"),
    fc.string({ unit: "binary", maxLength: 6 }).map((key) => `custom_metadata[${key}]`),
    fc.constantFrom("custom_metadata[a][b]", "custom_metadata[__proto__][x]", "custom_metadata", "cancel", "format"),
  );
  const value = fc.oneof(
    anyOf({ type: "string" }),
    fc.json({ maxDepth: 3 }),
    fc.date().map(String),
    fc.double().map(String),
  );
  const encoded = (text: unknown) => encodeURIComponent(Buffer.from(String(text)).toString("utf8"));
  const query = fc
    .array(fc.tuple(name, value, fc.boolean()), { maxLength: 6 })
    .map((pairs) =>
      pairs.map(([key, given, isRaw]) => `${encoded(key)}=${isRaw ? "%00%ff%ed%a0%80" : encoded(given)}`).join("&"),
    );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...ids),
      fc.constantFrom("live", "pre-recorded", "transcription"),
      query,
      async (id, kind, given) => {
        for (const url of [
          `/v2/${kind}?${given}`,
          `/v2/transcription/${id}/transcript?${given}`,
          `/v2/transcription/${id}/cues?${given}`,
          `/v2/transcription/${id}/peaks?${given}`,
          `/v2/${kind}/${id}?${given}`,
        ]) {
          const response = await app.inject({ url: url.slice(0, 15_000), headers: { "x-service-key": TEST_KEY } });
          expect(response.statusCode, `${url}: ${response.body}`).toBeLessThan(500);
        }
      },
    ),
    fuzzing(250),
  );
});

test("the application still answers", async () => {
  expect((await app.call("GET", "/health")).status).toBe(200);
  expect((await app.call("GET", "/v2/transcription")).status).toBe(200);
});
