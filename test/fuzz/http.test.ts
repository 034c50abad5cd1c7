// Thousands of requests made from the service's own OpenAPI document, valid and not: never a fault of the service,
// never an answer that the document does not have, never one that its schema does not fit.
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createSession } from "../fixtures/live-client.ts";
import { silence, wav } from "../fixtures/recordings.ts";
import { anyOf, type Schema } from "../fixtures/schema-arbitrary.ts";
import { call, finished, type RunningService, startService, submit, TEST_KEY, upload } from "../service.ts";

const RUNS = Number(process.env["FUZZ_RUNS"] ?? 120);

interface Operation {
  method: string;
  path: string;
  description: Schema;
}

let service: RunningService;
let document: Schema;
let operations: Operation[];
const ids: string[] = [
  "00000000-0000-0000-0000-000000000000",
  "x",
  "%00",
  "..%2f..%2fetc",
  "01a1fdd3-2c3f-761e-8a4a-98cb1b15d494",
];
let audioUrl: string;

beforeAll(async () => {
  service = await startService({
    environment: { PARLANCE_ALLOW_PRIVATE_ADDRESSES: "false", PARLANCE_LOG_LEVEL: "error", PARLANCE_WORKERS: "1" },
  });
  ({ json: document } = await call(service, "GET", "/openapi.json", { key: null }));
  operations = Object.entries(document.paths as Record<string, Schema>).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, Schema>).map(([method, description]) => ({ method, path, description })),
  );
  const audio = wav([silence(0.1)]);
  const uploaded = await upload(service, audio);
  audioUrl = uploaded.json.audio_url;
  ids.push(uploaded.json.audio_metadata.id, (await createSession(service)).id);
  for (let count = 0; count < 3; count++) {
    const id = await submit(service, audio);
    await finished(service, id);
    ids.push(id);
  }
});
afterAll(() => service.remove());

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true });
(addFormats as unknown as (ajv: Ajv2020) => void)(ajv);
const validators = new Map<Schema, ReturnType<typeof ajv.compile>>();

function check(
  operation: Operation,
  answer: { status: number; text: string; json: unknown; headers: Headers },
  sent: string,
): void {
  const where = `${operation.method} ${operation.path} with ${sent} answered ${answer.status}: ${answer.text.slice(0, 500)}`;
  expect(answer.status, where).toBeLessThan(500);
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

function requestOf({ path, description }: Operation) {
  const parameters: Schema[] = description.parameters ?? [];
  const query = parameters.filter((parameter) => parameter.in === "query");
  const body: Schema = description.requestBody?.content?.["application/json"]?.schema;
  return fc.record({
    path: fc.tuple(...[...path.matchAll(/\{[^}]+\}/g)].map(() => fc.constantFrom(...ids))).map((chosen) => {
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
        )
      : fc.constant(undefined),
  });
}

/** Often an address that exists, so that what comes after it is reached. */
function withAudio(value: unknown): unknown {
  const isObject = typeof value === "object" && value !== null && "audio_url" in value;
  return isObject && JSON.stringify(value).length % 2 === 0 ? { ...value, audio_url: audioUrl } : value;
}

test("every operation of the document, with its own schemas", { timeout: 600_000 }, async () => {
  const statuses = new Map<string, Set<number>>();
  for (const operation of operations) {
    // Its success would be a deletion of what the others need.
    const seen = new Set<number>();
    statuses.set(`${operation.method} ${operation.path}`, seen);
    await fc.assert(
      fc.asyncProperty(requestOf(operation), async ({ path, query, body }) => {
        const search = Object.entries(query)
          .flatMap(([name, value]) => (Array.isArray(value) ? value : [value]).map((item) => [name, queryText(item)]))
          .map(([name, value]) => `${name}=${encodeURIComponent(Buffer.from(value ?? "").toString("utf8"))}`)
          .join("&");
        const route = `${path}${search ? `?${search}` : ""}`;
        const answer = await call(service, operation.method.toUpperCase(), route, { body });
        seen.add(answer.status);
        check(operation, answer, `${route} ${JSON.stringify(body)?.slice(0, 300)}`);
      }),
      { numRuns: RUNS, seed: 7 },
    );
  }
  // Both creations were reached, not only refused.
  expect(statuses.get("post /v2/pre-recorded")).toContain(201);
  expect(statuses.get("post /v2/live")).toContain(201);
  expect(statuses.get("post /v2/pre-recorded")).toContain(400);
});

test("bodies that are no JSON, of any content type", { timeout: 300_000 }, async () => {
  const posts = operations.filter(({ method }) => method !== "get");
  const type = fc.constantFrom(
    "application/json",
    "text/plain",
    "application/xml",
    "multipart/form-data",
    "multipart/form-data; boundary=x",
    "application/x-www-form-urlencoded",
    "",
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...posts),
      type,
      fc.uint8Array({ maxLength: 300 }),
      async (operation, contentType, bytes) => {
        const path = operation.path.replace(/\{[^}]+\}/g, () => ids[0] as string);
        const response = await fetch(new URL(path, service.base), {
          method: operation.method.toUpperCase(),
          headers: { "x-service-key": TEST_KEY, ...(contentType ? { "content-type": contentType } : {}) },
          body: bytes as never,
        });
        const text = await response.text();
        const isJson = response.headers.get("content-type")?.includes("json");
        check(
          operation,
          { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined },
          `${contentType} ${bytes}`,
        );
      },
    ),
    { numRuns: RUNS * 3, seed: 7 },
  );
});

test("the service lives, and nothing hangs in its queue", async () => {
  expect((await call(service, "GET", "/health", { key: null })).status).toBe(200);
});
