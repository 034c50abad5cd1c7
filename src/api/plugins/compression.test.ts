// Compressed answers: what is compressed, what is not, and that work and memory are bounded.
import { Readable } from "node:stream";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import Fastify from "fastify";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Api } from "../context.ts";
import { addCompression, codingFor } from "./compression.ts";

const TEXT = "Es war einmal ein König. ".repeat(20_000);
let app: Api;
let opened: Readable[];

beforeEach(() => {
  app = Fastify({ exposeHeadRoutes: true, forceCloseConnections: true }) as unknown as Api;
  opened = [];
  addCompression(app);
  const answer = (path: string, type: string, more: Record<string, string> = {}, text = TEXT) =>
    app.get(path, async (_request, reply) => reply.headers({ "content-type": type, ...more }).send(text as never));
  answer("/json", "application/json; charset=utf-8", { etag: '"1"', vary: "Origin" });
  answer("/small", "application/json", {}, "{}");
  answer("/audio", "audio/wav");
  answer("/events", "text/event-stream");
  answer("/part", "text/plain", { "content-range": `bytes 0-${TEXT.length - 1}/${TEXT.length + 1}` });
  answer("/file", "text/javascript", { "accept-ranges": "bytes" });
  app.get("/stream", async (_request, reply) => reply.type("text/vtt").send(Readable.from([TEXT]) as never));
  app.get("/endless", async (_request, reply) => {
    const source = new Readable({
      read() {
        this.push(Buffer.alloc(65_536, crypto.randomUUID()));
      },
    });
    opened.push(source);
    return reply.type("text/plain").send(source as never);
  });
});
afterEach(() => app.close());

const get = (url: string, encoding?: string, method: "GET" | "HEAD" = "GET") =>
  app.inject({ url, method, headers: encoding === undefined ? {} : { "accept-encoding": encoding } });

test.each([
  ["gzip", "gzip"],
  ["br, gzip", "br"],
  ["gzip, deflate, br;q=0.5", "gzip"],
  ["GZIP;q=0.2", "gzip"],
  ["*", "br"],
  ["br;q=0, *;q=0.1", "gzip"],
  ["gzip;q=0, br;q=0.000", undefined],
  ["identity", undefined],
  ["gzip;q=x", undefined],
  ["", undefined],
])("of %j, the coding is %s", (accepted, coding) => {
  expect(codingFor(accepted)).toBe(coding);
});

test("text is compressed as requested, whole or streamed, and varies by the header; other answers stay as they are", async () => {
  for (const path of ["/json", "/stream"]) {
    const [gzip, brotli, plain] = [await get(path, "gzip"), await get(path, "br"), await get(path)];
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(TEXT);
    expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(TEXT);
    expect(plain.payload).toBe(TEXT);
    expect(gzip.rawPayload.length).toBeLessThan(TEXT.length / 50);
    expect(gzip.headers).toMatchObject({ "content-encoding": "gzip" });
    expect(gzip.headers["content-length"]).toBeUndefined();
    expect(plain.headers["content-encoding"]).toBeUndefined();
    for (const { headers } of [gzip, brotli, plain]) expect(headers["vary"]).toMatch(/Accept-Encoding$/);
  }
  expect((await get("/json", "br")).headers).toMatchObject({ vary: "Origin, Accept-Encoding", etag: 'W/"1"' });
  expect((await get("/json")).headers["etag"]).toBe('"1"');
  for (const path of ["/json", "/stream", "/small"]) {
    const [whole, head] = [await get(path, "gzip"), await get(path, "gzip", "HEAD")];
    expect(head.headers["content-encoding"], path).toBe(whole.headers["content-encoding"]);
    expect([head.headers["etag"], head.payload]).toEqual([whole.headers["etag"], ""]);
  }
  const { headers } = await get("/file", "gzip");
  expect([headers["content-encoding"], headers["accept-ranges"]]).toEqual(["gzip", undefined]);
  expect((await get("/file")).headers["accept-ranges"]).toBe("bytes");
  for (const path of ["/small", "/audio", "/events", "/part"]) {
    expect((await get(path, "br, gzip")).headers["content-encoding"], path).toBeUndefined();
  }
});

test("a few answers are compressed at a time, the next ones are sent as they are; clients that leave make room", async () => {
  const base = await app.listen({ port: 0, host: "127.0.0.1" });
  const readers = Array.from({ length: 5 }, () => new AbortController());
  const headers = { "accept-encoding": "gzip" };
  const codings: (string | null)[] = [];
  for (const { signal } of readers) {
    codings.push((await fetch(`${base}/endless`, { headers, signal })).headers.get("content-encoding"));
  }
  expect(codings).toEqual(["gzip", "gzip", "gzip", null, null]);
  // Those that were compressed end with an error: their reader has left.
  const closed = opened.map(
    (source) => new Promise((resolve) => source.on("error", () => undefined).once("close", resolve)),
  );
  for (const reader of readers) reader.abort();
  await Promise.all(closed);
  // An encoder ends after its source, when a thread of zlib has finished its last piece.
  await expect.poll(async () => (await get("/json", "gzip")).headers["content-encoding"]).toBe("gzip");
});
