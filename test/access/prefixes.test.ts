// The service below a path of a reverse proxy: by PARLANCE_PUBLIC_URL or X-Forwarded-Prefix, with the prefix removed or left in place.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { rawRequest } from "../fixtures/raw-request.ts";
import { silence, wav } from "../fixtures/recordings.ts";
import { call, finished, type RunningService, startService, TEST_KEY, upload } from "../service.ts";

const ORIGIN = "https://transcripts.example";
const key = { "x-service-key": TEST_KEY };
const json = { ...key, "content-type": "application/json" };

describe.each([
  ["PARLANCE_PUBLIC_URL", { PARLANCE_PUBLIC_URL: `${ORIGIN}/base/path/` }, {}],
  [
    "X-Forwarded-Prefix",
    { PARLANCE_TRUST_PROXY: "loopback" },
    {
      "x-forwarded-for": "203.0.113.9",
      "x-forwarded-proto": "https",
      "x-forwarded-host": "transcripts.example",
      "x-forwarded-prefix": "/base/path",
    },
  ],
])("%s", (_, environment, forwarded) => {
  let service: RunningService;
  let receiver: Server;
  const callbacks: string[] = [];
  const base = `${ORIGIN}/base/path`;
  beforeAll(async () => {
    receiver = createServer((request, response) => {
      let text = "";
      request.on("data", (chunk) => {
        text += chunk;
      });
      request.on("end", () => {
        callbacks.push(text);
        response.end();
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    service = await startService({ environment: { ...environment, PARLANCE_ALLOWED_HOSTS: "transcripts.example" } });
  });
  afterAll(async () => {
    receiver.close();
    await service.remove();
  });
  const ask = (method: string, path: string, headers: Record<string, string> = {}, body?: string) =>
    rawRequest(service, method, path, { ...forwarded, ...headers }, body);

  test("an uploaded file is found again, and every address in answers is below the prefix", async () => {
    const form = new FormData();
    form.append("audio", new Blob([wav([silence(0.3)]) as never]), "a.wav");
    for (const path of ["/v2/upload", "/base/path/v2/upload"]) {
      const uploaded = await call(service, "POST", path, { body: form, headers: forwarded });
      const { audio_url } = uploaded.json;
      expect(audio_url).toMatch(new RegExp(`^${base}/file/`));
      const { port } = receiver.address() as AddressInfo;
      const callback_config = { url: `http://127.0.0.1:${port}/` };
      const created = await ask(
        "POST",
        path.replace("upload", "pre-recorded"),
        json,
        JSON.stringify({ audio_url, callback: true, callback_config }),
      );
      expect(created.status, created.text).toBe(201);
      const { id, result_url } = JSON.parse(created.text);
      expect(result_url).toBe(`${base}/v2/transcription/${id}`);
      const job = await finished(service, id);
      expect(job.status, JSON.stringify(job)).toBe("done");
      expect(job.file.source).toBeNull();
      expect((await ask("GET", new URL(result_url).pathname, key)).status).toBe(200);
      const audio = await ask("GET", new URL(audio_url).pathname, key);
      expect(audio.text.slice(0, 4)).toBe("RIFF");
      await expect.poll(() => callbacks.some((text) => text.includes(id))).toBe(true);
      // Uploaded through one address, transcribed through another.
      const direct = { audio_url: `http://localhost/file/${new URL(audio_url).pathname.split("/").at(-1)}` };
      expect((await call(service, "POST", "/v2/pre-recorded", { body: direct })).status).toBe(201);
    }
    const unknown = JSON.stringify({ audio_url: `${base}/file/0190a1b2-0000-7000-8000-000000000000` });
    const refused = await ask("POST", "/v2/pre-recorded", json, unknown);
    expect(refused.status).toBe(422);
    expect(refused.text).toMatch(/file/);
    const page = JSON.parse((await ask("GET", "/v2/transcription?limit=1", key)).text);
    for (const name of ["first", "current", "next"])
      expect(page[name], name).toMatch(new RegExp(`^${base}/v2/transcr`));
    const next = new URL(page.next);
    expect(JSON.parse((await ask("GET", next.pathname + next.search, key)).text).items).toHaveLength(1);
  });

  test("a live session is reached at the address in the answer", async () => {
    const { status, text } = await ask("POST", "/v2/live", json, "{}");
    expect(status, text).toBe(201);
    const { url } = JSON.parse(text);
    expect(url).toMatch(/^wss:\/\/transcripts\.example\/base\/path\/v2\/live\?token=/);
    const { pathname, search } = new URL(url);
    const closeCode = (path: string) => {
      const socket = new WebSocket(service.base.replace("http", "ws") + path + search, { headers: forwarded });
      return new Promise<number>((resolve, reject) => {
        socket.once("open", () => socket.send('{"type":"stop_recording"}'));
        socket.once("close", resolve);
        socket.once("error", reject);
      });
    };
    expect(await closeCode(pathname)).toBe(1000);
    // The token is known there, too: a wrong one closes with 4401.
    expect(await closeCode(pathname.replace("/base/path", ""))).toBe(1000);
  });

  test("links and files of the console and the documentation are below the prefix, and exist", async () => {
    const seen = new Set<string>();
    const open = [
      "/base/path",
      "/base/path/jobs/x",
      "/base/path/docs",
      "/base/path/docs/api",
      "/base/path/docs/quick-start/",
    ];
    for (let path = open.pop(); path; path = open.pop()) {
      if (seen.has(path)) continue;
      seen.add(path);
      const kept = await ask("GET", path);
      const removed = await ask("GET", path.replace("/base/path", "") || "/");
      expect([200, 302], path).toContain(kept.status);
      expect(removed.status, path).toBe(kept.status);
      expect(removed.headers.location, path).toBe(kept.headers.location);
      const { location } = kept.headers;
      if (location) {
        expect(location).toMatch(/^\/base\/path\//);
        open.push(location);
      }
      expect(kept.text, path).not.toContain("__PREFIX__");
      if (!kept.headers["content-type"]?.startsWith("text/html")) continue;
      for (const [, link = ""] of kept.text.matchAll(/(?:href|src)="([^"#]+)/g)) {
        if (/^[a-z]+:/i.test(link)) continue;
        const { pathname } = new URL(link, `${ORIGIN}${path}`);
        expect(pathname, `${link} on ${path}`).toMatch(/^\/base\/path(\/|$)/);
        open.push(pathname);
      }
    }
    expect([...seen].filter((path) => path.includes("/assets/")).length).toBeGreaterThan(1);
    expect([...seen].filter((path) => path.includes("/docs/")).length).toBeGreaterThan(20);
  });

  test("a script of the console loads its parts relative to itself", async () => {
    const page = await ask("GET", "/");
    const script = /src="\/base\/path(\/assets\/[^"]+\.js)"/.exec(page.text)?.[1] ?? "";
    const { text } = await ask("GET", script);
    expect(text).toContain("import(");
    expect(text).not.toMatch(/["'`]\/assets\//);
  });

  test("the documents name the address with the prefix", async () => {
    const openApi = JSON.parse((await ask("GET", "/openapi.json")).text);
    expect(openApi.servers).toEqual([{ url: base }]);
    expect(openApi.externalDocs.url).toBe(`${base}/docs`);
    const reference = JSON.parse((await ask("GET", "/docs/api/json")).text);
    expect(reference.servers).toEqual([{ url: "/base/path" }]);
    const asyncApi = JSON.parse((await ask("GET", "/asyncapi.json")).text);
    expect(asyncApi.servers.service).toEqual({ host: "transcripts.example", protocol: "wss", pathname: "/base/path" });
  });

  test("the console's cookie is for the prefix alone, and signs in below it", async () => {
    const page = { host: "transcripts.example", origin: ORIGIN, "sec-fetch-site": "same-origin" };
    const body = JSON.stringify({ key: TEST_KEY });
    const signedIn = await ask(
      "POST",
      "/base/path/console/session",
      { ...page, "content-type": "application/json" },
      body,
    );
    expect(signedIn.status, signedIn.text).toBe(204);
    const cookie = String(signedIn.headers["set-cookie"]);
    expect(cookie).toMatch(/; Path=\/base\/path\/; HttpOnly; SameSite=Strict; Secure/);
    const session = { ...page, cookie: cookie.split(";")[0] as string };
    expect((await ask("GET", "/base/path/v2/account", session)).status).toBe(200);
    const out = await ask("DELETE", "/console/session", session);
    expect(String(out.headers["set-cookie"])).toMatch(/parlance_key=; Path=\/base\/path\/; .*Max-Age=0/);
  });

  test("health checks need no prefix", async () => {
    expect((await rawRequest(service, "GET", "/health")).status).toBe(200);
    expect((await ask("GET", "/base/path/health")).status).toBe(200);
    expect((await ask("GET", "/base/health")).status).toBe(404);
    expect((await upload(service, wav([silence(0.1)]))).status).toBe(200);
  });
});
