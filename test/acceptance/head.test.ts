// HEAD on every route that answers GET: the same status and headers, no content.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { HELLO_MP3 } from "../fixtures/recordings.ts";
import { call, finished, type RunningService, startService, TEST_KEY, upload } from "../service.ts";

let service: RunningService;
let id: string;
let fileId: string;
beforeAll(async () => {
  service = await startService();
  const { json } = await upload(service, readFileSync(HELLO_MP3), "hello.mp3");
  fileId = json.audio_metadata.id;
  id = (await call(service, "POST", "/v2/pre-recorded", { body: { audio_url: json.audio_url } })).json.id;
  await finished(service, id);
});
afterAll(() => service.remove());

/** They differ in every answer. */
const CHANGING = new Set([
  "date",
  "x-request-id",
  "x-aipi-call-id",
  "content-security-policy",
  "connection",
  "keep-alive",
]);
/** Answers whose length is not known before they are sent. */
const OPEN_LENGTH = new Set(["content-length", "transfer-encoding"]);

async function answer(method: string, path: string) {
  const headers = { "x-service-key": TEST_KEY };
  const response = await fetch(new URL(path, service.base), { method, headers, redirect: "manual" });
  const named = [...response.headers].filter(([name]) => !CHANGING.has(name));
  return {
    status: response.status,
    headers: Object.fromEntries(named),
    bytes: (await response.arrayBuffer()).byteLength,
  };
}

/** The process that indexes the jobs of all adds the overview a few seconds after the end. */
const listed = async () => (await call(service, "GET", "/v2/pre-recorded")).json.items[0];

test("every GET route of the document, and the pages, answer HEAD as they answer GET", async () => {
  const { paths } = (await call(service, "GET", "/openapi.json", { key: null })).json;
  const routes = Object.entries<Record<string, unknown>>(paths)
    .filter(([, methods]) => methods["get"] !== undefined)
    .map(([path]) => path.replace("{model}", "whisper-1").replace("{id}", path.startsWith("/file/") ? fileId : id))
    .filter((path) => !path.includes("{"))
    .map((path) => (path === "/v2/events" ? `${path}?seconds=1` : path));
  expect(routes.length).toBeGreaterThan(20);
  await expect.poll(async () => (await listed()).overview).not.toBeNull();
  for (const path of [...routes, "/", "/docs", "/docs/api/", "/openapi.json", "/asyncapi.json"]) {
    const get = await answer("GET", path);
    const head = await answer("HEAD", path);
    expect(head.status, path).toBe(get.status);
    expect(head.bytes, path).toBe(0);
    const isStreamed = get.headers["content-length"] === undefined;
    const compared = ({ headers }: typeof get) =>
      Object.fromEntries(Object.entries(headers).filter(([name]) => !isStreamed || !OPEN_LENGTH.has(name)));
    if (path === "/v2/status" || path === "/metrics" || path === "/ready") continue;
    expect(compared(head), path).toEqual(compared(get));
  }
});

test("HEAD of a recording has its length and honours ranges", async () => {
  const headers = { "x-service-key": TEST_KEY, range: "bytes=0-99" };
  const response = await fetch(new URL(`/file/${fileId}`, service.base), { method: "HEAD", headers });
  expect(response.status).toBe(206);
  expect(response.headers.get("content-length")).toBe("100");
});
