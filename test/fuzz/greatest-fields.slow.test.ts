// Every field of every request at its greatest allowed size and at the limits of its numbers: no answer is a fault of the service, and none
// occupies its thread for long.
import { afterAll, beforeAll, expect, test } from "vitest";
import { inlineSchemas } from "../../src/api/description/shared-schemas.ts";
import { greatest, least } from "../fixtures/greatest-values.ts";
import { type InProcess, startInProcess } from "../fixtures/in-process.ts";
import type { Schema } from "../fixtures/schema-arbitrary.ts";
import { threadMilliseconds } from "../fixtures/thread-time.ts";

/**
 * Processor time of one request, which may take several turns of the event loop. A first request of a route compiles its validators.
 */
const MOST_MILLISECONDS = 250;
const TRIES = 3;
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

async function expectShort(method: string, route: string, what: string, body?: unknown): Promise<number> {
  let milliseconds = Number.POSITIVE_INFINITY;
  let status = 0;
  for (let tries = 0; tries < TRIES && milliseconds > MOST_MILLISECONDS; tries++) {
    const payload = body === undefined ? undefined : JSON.stringify(body);
    const before = threadMilliseconds();
    const answer = await app.call(method.toUpperCase(), route, payload);
    milliseconds = threadMilliseconds() - before;
    status = answer.status;
    expect(status, `${what}: ${answer.text.slice(0, 500)}`).toBeLessThan(500);
  }
  expect(milliseconds, what).toBeLessThan(MOST_MILLISECONDS);
  return status;
}

const pathOf = (path: string) => path.replace(/\{[^}]+\}/g, ID);

test("bodies", { timeout: 900_000 }, async () => {
  const statuses = new Set<number>();
  for (const { method, path, description } of operations) {
    const schema: Schema = description.requestBody?.content?.["application/json"]?.schema;
    // An upload by address would be fetched.
    if (!schema || path === "/v2/upload") continue;
    for (const { path: field, body } of greatest(schema)) {
      const what = `${method} ${path}, ${field}: ${JSON.stringify(body).slice(0, 200)}`;
      statuses.add(await expectShort(method, pathOf(path), what, body));
    }
  }
  // Values within their limits were accepted.
  for (const status of [201, 400]) expect(statuses).toContain(status);
});

test("queries", { timeout: 900_000 }, async () => {
  for (const { method, path, description } of operations) {
    for (const { in: place, name, schema } of (description.parameters ?? []) as Schema[]) {
      if (place !== "query") continue;
      for (const { body } of greatest(schema)) {
        const text = typeof body === "string" ? body : JSON.stringify(body);
        const route = `${pathOf(path)}?${name}=${encodeURIComponent(text).slice(0, 15_000).replace(/%.?$/, "")}`;
        await expectShort(method, route, `${method} ${route.slice(0, 200)}`, method === "get" ? undefined : least({}));
      }
    }
  }
});
