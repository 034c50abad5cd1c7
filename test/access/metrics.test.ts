// Who may read what concerns the whole service.
import { afterAll, beforeAll, expect, test } from "vitest";
import { parlance } from "../fixtures/parlance.ts";
import { call, type RunningService, startService, TEST_KEY } from "../service.ts";

const METRICS_KEY = "a-key-for-prometheus";
let service: RunningService;
let other: string;
beforeAll(async () => {
  service = await startService({
    environment: { PARLANCE_METRICS_KEY: METRICS_KEY, PARLANCE_LLM_URL: "http://10.9.8.7/v1" },
  });
  await parlance(service.folder, "accounts", "create", "other");
  other = await parlance(service.folder, "keys", "create", "--account", "other");
});
afterAll(() => service.remove());

const metrics = (headers: Record<string, string>) => call(service, "GET", "/metrics", { key: null, headers });

test("the metrics are for the operator's keys and the key for them, in either form", async () => {
  for (const key of [TEST_KEY, METRICS_KEY]) {
    expect((await metrics({ authorization: `Bearer ${key}` })).text).toMatch(/parlance_jobs_total/);
    expect((await metrics({ "x-service-key": key })).status).toBe(200);
  }
  const refused = await metrics({ authorization: `Bearer ${other}` });
  expect(refused.status).toBe(403);
  expect(refused.text).not.toMatch(/parlance_jobs/);
  expect((await metrics({})).status).toBe(401);
  expect((await metrics({ authorization: "Bearer wrong" })).status).toBe(401);
});

test("the key for the metrics opens nothing else", async () => {
  const { paths } = (await call(service, "GET", "/openapi.json", { key: null })).json;
  const open = new Set(["/health", "/ready", "/metrics"]);
  let tried = 0;
  for (const [path, methods] of Object.entries(paths as Record<string, object>)) {
    if (open.has(path)) continue;
    for (const method of Object.keys(methods)) {
      const route = path.replace(/\{[^}]+\}/g, "00000000-0000-0000-0000-000000000000");
      const { status } = await call(service, method.toUpperCase(), route, { key: METRICS_KEY });
      // After twenty wrong keys the address is throttled. Readers of a transcript have a token of a link, which this is not.
      expect(path.startsWith("/v2/shared") ? [404, 429] : [401, 429], `${method} ${path}`).toContain(status);
      tried++;
    }
  }
  expect(tried).toBeGreaterThan(30);
  // Not even in the console's cookie.
  const { status } = await call(service, "POST", "/console/session", {
    key: null,
    body: { key: METRICS_KEY },
    headers: { origin: service.base },
  });
  expect(status).not.toBe(204);
});

test("an ordinary account does not learn where the language model runs, and changes no model", async () => {
  const mine = (await call(service, "GET", "/v2/system", { key: other })).json;
  expect(JSON.stringify(mine)).not.toContain("10.9.8.7");
  expect(mine.is_operator).toBe(false);
  expect(mine.machine).toBeNull();
  const { language_model, machine } = (await call(service, "GET", "/v2/system")).json;
  expect(language_model.url).toContain("10.9.8.7");
  expect(machine.disk_free).toBeGreaterThan(0);
  expect(machine).toMatchObject({ disk_reserve: 500_000_000, jobs: { queued: 0, processing: 0 } });
  for (const [method, route, body] of [
    ["POST", "/v2/models", { id: "whisper-tiny" }],
    ["DELETE", "/v2/models/whisper-tiny", undefined],
    ["GET", "/v2/system/language-models", undefined],
    ["PUT", "/v2/system/language-model", { url: "http://localhost:1", model: "x" }],
    ["DELETE", "/v2/system/language-model", undefined],
  ] as const) {
    expect((await call(service, method, route, { key: other, ...(body ? { body } : {}) })).status, route).toBe(403);
  }
});
