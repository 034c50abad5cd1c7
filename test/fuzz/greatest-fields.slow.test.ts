// Every field of every request at its greatest allowed size and at the limits of its numbers: no answer is a fault of the service, and none
// occupies its thread or its database for long.
import { afterAll, beforeAll, expect, test } from "vitest";
import { inlineSchemas } from "../../src/api/description/shared-schemas.ts";
import { greatest, greatestTexts, least } from "../fixtures/greatest-values.ts";
import { type InProcess, startInProcess } from "../fixtures/in-process.ts";
import type { Schema } from "../fixtures/schema-arbitrary.ts";
import { threadMilliseconds } from "../fixtures/thread-time.ts";

/**
 * Processor time of one request, which may take several turns of the event loop. A first request of a route compiles its validators.
 */
const MOST_MILLISECONDS = 250;
/** Of one request with its statements, beside other work. */
const MOST_ELAPSED_MILLISECONDS = 10_000;
const TRIES = 3;
const AT_ONCE = 8;
const ID = "01a1fdd3-2c3f-761e-8a4a-98cb1b15d494";

let app: InProcess;
let operations: { method: string; path: string; description: Schema }[];

beforeAll(async () => {
  app = await startInProcess({ PARLANCE_MAX_QUEUED_JOBS: "100000", PARLANCE_ALLOW_PRIVATE_ADDRESSES: "true" });
  const document = inlineSchemas((await app.call("GET", "/openapi.json")).json);
  operations = Object.entries(document.paths as Record<string, Schema>).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, Schema>).map(([method, description]) => ({ method, path, description })),
  );
  // Its answer lasts as long as the query says; test/acceptance/events.test.ts requests it.
  operations = operations.filter(({ path }) => path !== "/v2/events");
});
afterAll(() => app.remove());

interface Case {
  method: string;
  route: string;
  what: string;
  body?: unknown;
  /** Instead of a JSON body. */
  form?: string;
}

const BOUNDARY = "----greatest-fields";
const form = (fields: readonly (readonly [name: string, value: string])[]) =>
  [
    ...fields.map(
      ([name, value]) => `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    ),
    `--${BOUNDARY}--\r\n`,
  ].join("");

interface Cost {
  /** Processor time of the thread of the service. */
  processor: number;
  /** Time until the answers, with the work of the database, which runs in another thread. */
  elapsed: number;
  statuses: number[];
}

async function costOf(cases: readonly Case[]): Promise<Cost> {
  const [processor, began] = [threadMilliseconds(), performance.now()];
  const statuses = await Promise.all(
    cases.map(async ({ method, route, what, body, form: parts }) => {
      const payload = body === undefined ? parts : JSON.stringify(body);
      const type = parts === undefined ? undefined : `multipart/form-data; boundary=${BOUNDARY}`;
      const answer = await app.call(method.toUpperCase(), route, payload, type);
      expect(answer.status, `${what}: ${answer.text.slice(0, 500)}`).toBeLessThan(500);
      return answer.status;
    }),
  );
  const cost = { processor: threadMilliseconds() - processor, elapsed: performance.now() - began, statuses };
  if (process.env["SHOW_TURNS"]) process.stderr.write(`${cases[0]?.what} ${cost.processor}\n`);
  return cost;
}

/** Other requests may wait for work of the queue. */
const isRead = ({ method }: Case) => method === "get";

async function expectShort(one: Case): Promise<void> {
  const mostElapsed = isRead(one) ? MOST_ELAPSED_MILLISECONDS : Number.POSITIVE_INFINITY;
  let cost = await costOf([one]);
  for (let tries = 1; tries < TRIES && (cost.processor >= MOST_MILLISECONDS || cost.elapsed >= mostElapsed); tries++)
    cost = await costOf([one]);
  expect(cost.processor, one.what).toBeLessThan(MOST_MILLISECONDS);
  expect(cost.elapsed, one.what).toBeLessThan(mostElapsed);
}

/** Sends several at once, and those of a batch that took long one by one. @returns the statuses of the answers */
async function expectAllShort(cases: readonly Case[]): Promise<Set<number>> {
  const statuses = new Set<number>();
  for (let at = 0; at < cases.length; at += AT_ONCE) {
    const batch = cases.slice(at, at + AT_ONCE);
    const cost = await costOf(batch);
    for (const status of cost.statuses) statuses.add(status);
    const isSlow = batch.every(isRead) && cost.elapsed >= MOST_ELAPSED_MILLISECONDS;
    if (isSlow || cost.processor >= MOST_MILLISECONDS) for (const one of batch) await expectShort(one);
  }
  return statuses;
}

const pathOf = (path: string) => path.replace(/\{[^}]+\}/g, ID);
/** With a callback, its answer does not wait for the transcript. */
const BODY_ROUTES: Readonly<Record<string, string>> = { "/v1/listen": "/v1/listen?callback=http://127.0.0.1:9/" };

test("bodies", { timeout: 900_000 }, async () => {
  const cases = operations.flatMap(({ method, path, description }): Case[] => {
    const schema: Schema = description.requestBody?.content?.["application/json"]?.schema;
    // An upload by address would be fetched.
    if (!schema || path === "/v2/upload") return [];
    return greatest(schema).map(({ path: field, body }) => {
      const what = `${method} ${path}, ${field}: ${JSON.stringify(body).slice(0, 200)}`;
      return { method, route: BODY_ROUTES[path] ?? pathOf(path), what, body };
    });
  });
  const statuses = await expectAllShort(cases);
  // Values within their limits were accepted.
  for (const status of [201, 400]) expect(statuses).toContain(status);
});

test("queries, with the jobs that the bodies made", { timeout: 900_000 }, async () => {
  const cases = operations.flatMap(({ method, path, description }) =>
    ((description.parameters ?? []) as Schema[])
      .filter(({ in: place }) => place === "query")
      .flatMap(({ name, schema }) =>
        greatest(schema).map(({ body }): Case => {
          const text = typeof body === "string" ? body : JSON.stringify(body);
          const route = `${pathOf(path)}?${name}=${encodeURIComponent(text).slice(0, 15_000).replace(/%.?$/, "")}`;
          const what = `${method} ${route.slice(0, 200)}`;
          return { method, route, what, body: method === "get" ? undefined : least({}) };
        }),
      ),
  );
  await expectAllShort(cases);
});

/** Bytes of one field of a form, and those of all of them together: 1 MiB. */
const [FIELD_BYTES, REPEATED_FIELDS] = [99_000, 10];

test("fields of forms, without a file", { timeout: 900_000 }, async () => {
  const cases = operations.flatMap(({ method, path, description }): Case[] => {
    const schema: Schema = description.requestBody?.content?.["multipart/form-data"]?.schema;
    return Object.keys(schema?.properties ?? {}).flatMap((name) =>
      greatestTexts(FIELD_BYTES).map((text): Case => {
        const fields = Array.from({ length: REPEATED_FIELDS }, (_, at) => [name, `${at}${text}`] as const);
        const what = `${method} ${path}, ${name}: ${text.slice(0, 100)}`;
        return { method, route: pathOf(path), what, form: form(fields) };
      }),
    );
  });
  expect(cases.length).toBeGreaterThan(100);
  await expectAllShort(cases);
});

test("bodies of unknown names", { timeout: 300_000 }, async () => {
  const given = (count: number) => ({
    audio_url: "http://127.0.0.1:9/a.wav",
    ...Object.fromEntries(Array.from({ length: count }, (_, at) => [`${at.toString(36)}x`, 1])),
  });
  const post = (what: string, count: number): Case => {
    return { method: "post", route: "/v2/pre-recorded", what, body: given(count) };
  };
  await expectShort(post("a request", 1));
  const cases = [post("as many as a body may have", 49_000), post("as many as fit", 95_000)];
  const statuses: number[] = [];
  for (const one of cases) statuses.push(...(await expectAllShort([one])));
  expect(statuses).toEqual([201, 400]);
});
