// Who a request comes from: forwarded addresses count from named proxies alone.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rawRequest } from "../fixtures/raw-request.ts";
import { call, type RunningService, startService, TEST_KEY } from "../service.ts";

const guess = (service: RunningService, key: string, headers: Record<string, string> = {}) =>
  rawRequest(service, "GET", "/v2/account", { "x-service-key": key, ...headers });
const auditOf = (service: RunningService) =>
  service
    .log()
    .split("\n")
    .filter((line) => line.includes('"audit":true'))
    .map((line) => JSON.parse(line) as { address: string });
const FORGED = { "x-forwarded-for": "203.0.113.9", "x-forwarded-host": "evil.example", "x-forwarded-proto": "https" };

describe("without a named proxy", () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.remove());

  test("addresses in answers and in the audit log are not the client's choice", async () => {
    const answer = await rawRequest(
      service,
      "POST",
      "/v2/live",
      {
        "x-service-key": TEST_KEY,
        "content-type": "application/json",
        ...FORGED,
      },
      "{}",
    );
    expect(answer.status).toBe(201);
    expect(JSON.parse(answer.text).url).toMatch(
      new RegExp(`^ws://${new URL(service.base).host.replace("localhost", "(localhost|127.0.0.1)")}`),
    );
    await call(service, "POST", "/v2/account/callback-secret", { headers: FORGED });
    await expect.poll(() => auditOf(service).length).toBe(2);
    expect(auditOf(service).map(({ address }) => address)).not.toContain("203.0.113.9");
    expect(service.log()).toMatch(/X-Forwarded-For is ignored.*PARLANCE_TRUST_PROXY/);
  });

  test("300 guesses with forged addresses: all but the first 20 get 429, one after another and at once", async () => {
    const forged = (count: number) => ({ "x-forwarded-for": `198.51.${count >> 8}.${count & 255}` });
    const statuses: number[] = [];
    const began = performance.now();
    for (let count = 0; count < 150; count++)
      statuses.push((await guess(service, `wrong ${count}`, forged(count))).status);
    const more = await Promise.all(
      Array.from({ length: 150 }, (_, count) => guess(service, `more ${count}`, forged(count))),
    );
    statuses.push(...more.map(({ status }) => status));
    const looked = statuses.filter((status) => status === 401).length;
    expect(statuses.filter((status) => status === 429).length).toBe(300 - looked);
    // One more for every three seconds that the test took.
    expect(looked).toBeLessThanOrEqual(21 + Math.ceil((performance.now() - began) / 3_000));
    expect((await guess(service, TEST_KEY)).status).toBe(200);
  });

  test("a Host that cannot stand in an address is answered 400, not 500", async () => {
    for (const host of ["[", "a b", "evil.example/x", "user@host", "%zz"]) {
      for (const [method, path] of [
        ["GET", "/asyncapi.json"],
        ["POST", "/v2/live"],
      ] as const) {
        const headers = { host, "x-service-key": TEST_KEY, "content-type": "application/json" };
        const { status } = await rawRequest(service, method, path, headers, method === "POST" ? "{}" : undefined);
        expect(status, `${method} ${path} of ${host}`).toBe(400);
      }
    }
  });
});

describe("behind a named proxy", () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startService({ environment: { PARLANCE_TRUST_PROXY: "loopback,10.0.0.0/8" } });
  });
  afterAll(() => service.remove());

  test("the entry of the last proxy counts; entries of the client do not", async () => {
    const secret = (value: string, extra: Record<string, string> = {}) =>
      call(service, "POST", "/v2/account/callback-secret", { headers: { "x-forwarded-for": value, ...extra } });
    await secret("203.0.113.9");
    await secret("6.6.6.6, 203.0.113.10");
    await secret("6.6.6.6, 203.0.113.11, 10.1.1.1");
    await expect
      .poll(() => auditOf(service).map(({ address }) => address))
      .toEqual(["203.0.113.9", "203.0.113.10", "203.0.113.11"]);
    const { json } = await call(service, "POST", "/v2/live", {
      body: {},
      headers: { "x-forwarded-host": "evil.example, transcripts.example.org", "x-forwarded-proto": "http, https" },
    });
    expect(json.url).toMatch(/^wss:\/\/transcripts\.example\.org\//);
    const odd = await call(service, "POST", "/v2/live", { body: {}, headers: { "x-forwarded-proto": "javascript" } });
    expect(odd.json.url).toMatch(/^ws:\/\//);
  });

  test("clients behind the proxy are throttled each for itself", async () => {
    const from = (address: string) => ({ "x-forwarded-for": address });
    for (let count = 0; count < 25; count++) await guess(service, `wrong ${count}`, from("203.0.113.50"));
    expect((await guess(service, "wrong", from("203.0.113.50"))).status).toBe(429);
    expect((await guess(service, "wrong", from("203.0.113.51"))).status).toBe(401);
    for (let count = 0; count < 25; count++)
      await guess(service, `six ${count}`, from(`2001:db8::${count.toString(16)}`));
    expect((await guess(service, "wrong", from("2001:db8::ffff"))).status).toBe(429);
    expect((await guess(service, "wrong", from("2001:db8:0:1::1"))).status).toBe(401);
  });
});
