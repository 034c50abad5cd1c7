// Requests that a page of a stranger's makes a user's browser send: without a key, or with the console's cookie.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rawRequest } from "../fixtures/raw-request.ts";
import { type RunningService, startService, TEST_KEY } from "../service.ts";

const CHANGES = [
  ["POST", "/v2/account/keys", '{"name":"stolen"}', "application/json"],
  ["POST", "/v2/account/callback-secret", "", "text/plain"],
  ["DELETE", "/v2/account/callback-secret/previous", undefined, undefined],
  ["POST", "/v2/live", "{}", "application/json"],
  ["POST", "/v2/upload", "--x\r\n", "multipart/form-data; boundary=x"],
  ["POST", "/v1/audio/transcriptions", "--x\r\n", "multipart/form-data; boundary=x"],
  ["POST", "/asr", "--x\r\n", "multipart/form-data; boundary=x"],
  ["POST", "/v1/listen", "RIFF", "audio/wav"],
  ["PUT", "/v2/system/language-model", '{"url":"http://localhost:1","model":"x"}', "application/json"],
] as const;

async function statuses(service: RunningService, headers: Record<string, string>): Promise<number[]> {
  const answers: number[] = [];
  for (const [method, path, body, type] of CHANGES) {
    const { status } = await rawRequest(
      service,
      method,
      path,
      { ...headers, ...(type ? { "content-type": type } : {}) },
      body,
    );
    answers.push(status);
  }
  return answers;
}
const refused = CHANGES.map(() => 403);

describe("PARLANCE_ANONYMOUS", () => {
  let service: RunningService;
  let host: string;
  beforeAll(async () => {
    service = await startService({
      environment: {
        PARLANCE_ANONYMOUS: "true",
        PARLANCE_CORS_ORIGINS: "https://app.example.org/, https://Other.example:443",
        PARLANCE_ALLOWED_HOSTS: "transcripts.example.org",
        PARLANCE_TRUST_PROXY: "loopback",
      },
    });
    host = new URL(service.base).host;
  });
  afterAll(() => service.remove());

  test.each([
    ["a form of another site", { origin: "https://evil.example", "sec-fetch-site": "cross-site" }],
    ["another port of this host", { origin: "http://localhost:1", "sec-fetch-site": "same-site" }],
    ["a sandboxed page", { origin: "null" }],
    ["a browser without Sec-Fetch headers", { origin: "https://evil.example" }],
    ["an origin that only begins like an allowed one", { origin: "https://app.example.org.evil.example" }],
    ["no Origin, but cross-site", { "sec-fetch-site": "cross-site" }],
  ])("%s changes nothing", async (_, headers) => {
    expect(await statuses(service, headers as unknown as Record<string, string>)).toEqual(refused);
  });

  test("a foreign Host (DNS rebinding) neither reads nor changes, whatever else it sends", async () => {
    for (const foreign of ["evil.example", "localhost.evil.example:8080", "127.0.0.1.nip.example"]) {
      const headers = { host: foreign, origin: `http://${foreign}`, "sec-fetch-site": "same-origin" };
      expect(await statuses(service, headers), foreign).toEqual(refused);
      expect(await statuses(service, { ...headers, "x-forwarded-host": "localhost" }), foreign).toEqual(refused);
      for (const path of ["/v2/account", "/v2/transcription", "/metrics", "/v2/account/callback-secret"]) {
        expect((await rawRequest(service, "GET", path, headers)).status, path).toBe(403);
      }
    }
    expect((await rawRequest(service, "GET", "/v2/account", { "x-forwarded-host": "evil.example" })).status).toBe(403);
  });

  test("pages of allowed origins read answers and their headers, errors included", async () => {
    for (const origin of ["https://app.example.org", "https://other.example"]) {
      const asked = {
        origin,
        "access-control-request-method": "PATCH",
        "access-control-request-headers": "x-service-key",
      };
      const preflight = await rawRequest(service, "OPTIONS", "/v2/transcription/x/transcript", asked);
      expect(preflight.status).toBe(204);
      expect(preflight.headers["access-control-allow-origin"]).toBe(origin);
      expect(preflight.headers["access-control-allow-methods"]).toMatch(/PATCH/);
      expect(preflight.headers["access-control-allow-headers"]).toBe("x-service-key");
      for (const [path, status] of [
        ["/v2/account", 200],
        ["/v2/account?", 200],
        ["/v2/transcription/x", 404],
        ["/v2/transcription?limit=x", 400],
        ["/nothing", 404],
      ] as const) {
        const { status: answered, headers } = await rawRequest(service, "GET", path, { origin });
        expect(answered, path).toBe(status);
        expect(headers["access-control-allow-origin"], path).toBe(origin);
        expect(headers["vary"], path).toMatch(/origin/i);
        const exposed = String(headers["access-control-expose-headers"]).toLowerCase().split(", ");
        for (const name of ["retry-after", "x-request-id", "content-disposition"]) expect(exposed).toContain(name);
      }
    }
    const { headers } = await rawRequest(service, "GET", "/health", { origin: "https://evil.example" });
    expect(headers["access-control-allow-origin"]).toBeUndefined();
  });

  test("programs, the service's own pages and allowed origins and hosts are served", async () => {
    const secret = (headers: Record<string, string>) =>
      rawRequest(service, "POST", "/v2/account/callback-secret", headers).then(({ status }) => status);
    expect(await secret({})).toBe(201);
    expect(await secret({ origin: `http://${host}`, "sec-fetch-site": "same-origin" })).toBe(201);
    expect(await secret({ origin: `http://${host}`, host })).toBe(201);
    expect(await secret({ origin: "https://app.example.org", "sec-fetch-site": "cross-site" })).toBe(201);
    expect(await secret({ host: "transcripts.example.org", origin: "https://transcripts.example.org" })).toBe(201);
    expect(await secret({ host: "192.168.7.7:8080" })).toBe(201);
    // A key in a header is no browser's doing.
    expect(await secret({ host: "evil.example", origin: "https://evil.example", "x-service-key": TEST_KEY })).toBe(201);
  });
});

describe("the console's cookie", () => {
  let service: RunningService;
  let host: string;
  let cookie: string;
  const key = JSON.stringify({ key: TEST_KEY });
  const json = { "content-type": "application/json" };
  beforeAll(async () => {
    service = await startService();
    ({ host } = new URL(service.base));
    const answer = await rawRequest(
      service,
      "POST",
      "/console/session",
      { ...json, origin: `http://${host}`, host },
      key,
    );
    expect(answer.status).toBe(204);
    cookie = (answer.headers["set-cookie"]?.[0] ?? "").split(";")[0] ?? "";
  });
  afterAll(() => service.remove());

  test("without allowed origins, the answer to a preflight names the setting", async () => {
    const asked = { origin: "app://obsidian.md", "access-control-request-method": "POST" };
    const { status, text } = await rawRequest(service, "OPTIONS", "/v1/audio/transcriptions", asked);
    expect([status, JSON.parse(text).error.message]).toEqual([404, expect.stringContaining("PARLANCE_CORS_ORIGINS")]);
  });

  test("counts for the console's own requests alone", async () => {
    const secret = (headers: Record<string, string>) =>
      rawRequest(service, "POST", "/v2/account/callback-secret", { cookie, ...headers }).then(({ status }) => status);
    expect(await secret({ host, origin: `http://${host}`, "sec-fetch-site": "same-origin" })).toBe(201);
    expect(await secret({ host, origin: `http://${host}` })).toBe(201);
    expect(await secret({ host })).toBe(401);
    expect(await secret({ host, "sec-fetch-site": "none" })).toBe(401);
    expect(await secret({ host, origin: "https://evil.example", "sec-fetch-site": "cross-site" })).toBe(401);
    expect(await secret({ host, origin: "null" })).toBe(401);
    expect(await secret({ host: "evil.example", origin: "http://evil.example", "sec-fetch-site": "same-origin" })).toBe(
      403,
    );
    expect((await rawRequest(service, "GET", "/v2/account", { cookie, host: "evil.example" })).status).toBe(403);
  });

  test("a page that shows another account than the one that is signed in is refused", async () => {
    const own = { cookie, host, origin: `http://${host}` };
    const secret = (headers: Record<string, string>) =>
      rawRequest(service, "POST", "/v2/account/callback-secret", { ...own, ...headers }).then(({ status }) => status);
    expect(await secret({ "x-console-account": "default" })).toBe(201);
    expect(await secret({ "x-console-account": "m%C3%BCller" })).toBe(401);
    expect((await rawRequest(service, "GET", "/v2/account", { ...own, "x-console-account": "other" })).status).toBe(
      401,
    );
  });

  test("is for TLS alone where the page came over TLS, whether the proxy is trusted or not", async () => {
    const signIn = (origin: string) =>
      rawRequest(service, "POST", "/console/session", { ...json, origin, host }, key).then(({ headers }) =>
        String(headers["set-cookie"]),
      );
    expect(await signIn(`https://${host}`)).toMatch(/HttpOnly; SameSite=Strict; Secure/);
    expect(await signIn(`http://${host}`)).not.toMatch(/Secure/);
  });

  test("no other page or host signs in or out", async () => {
    for (const headers of [
      { host: "evil.example", origin: "http://evil.example", "sec-fetch-site": "same-origin" },
      { host, origin: "https://evil.example", "sec-fetch-site": "cross-site" },
      { host, origin: "https://evil.example" },
      { host },
    ] as unknown as Record<string, string>[]) {
      const answer = await rawRequest(service, "POST", "/console/session", { ...json, ...headers }, key);
      expect(answer.status, JSON.stringify(headers)).toBe(403);
      expect(answer.headers["set-cookie"]).toBeUndefined();
    }
    const out = await rawRequest(service, "DELETE", "/console/session", { host, origin: "https://evil.example" });
    expect(out.status).toBe(403);
    expect(out.headers["set-cookie"]).toBeUndefined();
  });
});
