import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { Writable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { afterEach, expect, test } from "vitest";
import { Disk } from "../disk/disk.ts";
import { S3Store } from "./s3-store.ts";

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

function storeAt(endpoint: string, disk = new Disk(false), silenceMilliseconds = 200): S3Store {
  const cache = mkdtempSync(path.join(os.tmpdir(), "parlance-s3-"));
  undo.push(() => rmSync(cache, { recursive: true }));
  const options = { endpoint, region: "none", bucket: "none", prefix: "", pathStyle: true, silenceMilliseconds };
  const keys = { accessKeyId: "id", secretAccessKey: "secret" };
  const store = new S3Store({ ...options, ...keys, cache, cacheBytes: 1_000_000, disk });
  undo.push(() => store.stop());
  return store;
}

/** A store whose server answers as `answer` does. */
async function storeWith(answer: RequestListener, disk?: Disk, silenceMilliseconds?: number): Promise<S3Store> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  undo.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return storeAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, disk, silenceMilliseconds);
}

test("the store starts without a warning about the version of Node", async () => {
  const warnings: string[] = [];
  const note = (warning: Error) => warnings.push(warning.message);
  process.on("warning", note);
  storeAt("http://127.0.0.1:9");
  await new Promise((resolve) => setImmediate(resolve));
  process.off("warning", note);
  expect(warnings).toEqual([]);
});

test("requests to a server that stays silent fail", { timeout: 20_000 }, async () => {
  const store = await storeWith(() => undefined);
  const unavailable = { code: "storage.unavailable" };
  await Promise.all([
    expect(store.size("audio/a")).rejects.toMatchObject(unavailable),
    expect(store.localPath("audio/a")).rejects.toMatchObject(unavailable),
    expect(store.put("audio/b", "content")).rejects.toMatchObject(unavailable),
    expect(store.removeFolder("jobs/a")).rejects.toMatchObject(unavailable),
  ]);
});

test("an object whose content stops halfway is not read as a whole", { timeout: 20_000 }, async () => {
  const store = await storeWith((_, response) => {
    response.writeHead(200, { "content-length": 100 });
    response.write("a part");
  });
  await expect(store.localPath("audio/a")).rejects.toMatchObject({ code: "storage.unavailable" });
});

test("a folder of which the server could not delete an object is not removed", async () => {
  const store = await storeWith((request, response) => {
    const isDeletion = request.method === "POST";
    request
      .resume()
      .once("end", () =>
        response
          .writeHead(200, { "content-type": "application/xml" })
          .end(
            isDeletion
              ? "<DeleteResult><Error><Key>jobs/a/1.pcm</Key><Code>InternalError</Code><Message>try again</Message></Error></DeleteResult>"
              : "<ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>jobs/a/1.pcm</Key></Contents></ListBucketResult>",
          ),
      );
  });
  await expect(store.removeFolder("jobs/a")).rejects.toMatchObject({ code: "storage.unavailable" });
});

test.each([
  ["the code of a missing object", "application/xml", "<Error><Code>NoSuchKey</Code></Error>", true],
  ["no content", "text/plain", "", true],
  ["the code of a missing bucket", "application/xml", "<Error><Code>NoSuchBucket</Code></Error>", false],
  ["the page of a gateway", "text/html", "<html><body>404 Not Found</body></html>", false],
])("an answer of status 404 with %s", async (_, type, body, isMissing) => {
  const store = await storeWith((_request, response) => {
    response.writeHead(404, { "content-type": type }).end(body);
  });
  const code = isMissing ? "request.not_found" : "storage.unavailable";
  await expect(store.read("audio/a")).rejects.toMatchObject({ code });
});

/** Answers ranges of `content`; each answer stops, or breaks off, after `most` bytes. */
const answerParts =
  (content: Buffer, most: number, end: "stops" | "breaks off", tag = () => '"a"'): RequestListener =>
  (request, response) => {
    const [, from = "0"] = /^bytes=(\d+)-/.exec(request.headers.range ?? "") ?? [];
    const start = Number(from);
    const range = `bytes ${start}-${content.length - 1}/${content.length}`;
    const headers = { etag: tag(), "content-length": content.length - start };
    if (request.headers["if-match"] !== undefined && request.headers["if-match"] !== tag()) {
      response.writeHead(412).end();
      return;
    }
    response.writeHead(
      request.headers.range ? 206 : 200,
      request.headers.range ? { ...headers, "content-range": range } : headers,
    );
    if (request.method === "HEAD" || start + most >= content.length) response.end(content.subarray(start));
    else response.write(content.subarray(start, start + most), () => end === "breaks off" && response.destroy());
  };

test.each(["stops", "breaks off"] as const)(
  "a download continues where its connection %s",
  { timeout: 20_000 },
  async (end) => {
    const content = Buffer.from("0123456789".repeat(10));
    const store = await storeWith(answerParts(content, 30, end));
    expect(await buffer(await store.read("audio/a"))).toEqual(content);
    expect(await buffer(await store.read("audio/a", { start: 5, end: 99 }))).toEqual(content.subarray(5));
    const file = await store.localPath("audio/a");
    expect(readFileSync(file)).toEqual(content);
  },
);

test("a download fails if the object changes meanwhile, and after three reconnections without a byte", {
  timeout: 20_000,
}, async () => {
  let requests = 0;
  const changing = await storeWith(answerParts(Buffer.alloc(100), 30, "breaks off", () => `"${requests++}"`));
  await expect(buffer(await changing.read("audio/a"))).rejects.toThrow();
  const silent = await storeWith(answerParts(Buffer.alloc(100), 0, "stops"));
  await expect(buffer(await silent.read("audio/a"))).rejects.toThrow();
});

test("a reader may pause for longer than a connection may be silent", { timeout: 20_000 }, async () => {
  const content = Buffer.alloc(8_000_000, "parlance ");
  const store = await storeWith(answerParts(content, content.length, "stops"));
  const reading = await store.read("audio/a");
  const pieces: Buffer[] = [];
  for await (const piece of reading) {
    if (pieces.length === 1) await new Promise((resolve) => setTimeout(resolve, 600));
    pieces.push(piece as Buffer);
  }
  expect(Buffer.concat(pieces).equals(content)).toBe(true);
});

test("a reader that fails ends the download, without another request", { timeout: 20_000 }, async () => {
  const content = Buffer.alloc(8_000_000, "parlance ");
  let requests = 0;
  let closed = 0;
  const store = await storeWith((request, response) => {
    requests++;
    response.on("close", () => closed++);
    answerParts(content, content.length, "stops")(request, response);
  });
  const reading = await store.read("audio/a");
  const failing = new Writable({ write: (_piece, _encoding, done) => done(new Error("the reader failed")) });
  await expect(pipeline(reading, failing)).rejects.toThrow("the reader failed");
  await expect.poll(() => closed).toBe(1);
  expect(requests).toBe(1);
});

test("a full disk is not reported as an outage of the store", async () => {
  class FullDisk extends Disk {
    override async replaceWith(): Promise<void> {
      throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
    }
  }
  const content = Buffer.from("content");
  const store = await storeWith(answerParts(content, content.length, "stops"), new FullDisk(false));
  await expect(store.localPath("audio/a")).rejects.toMatchObject({ code: "storage.full" });
});

test("a reader that leaves ends a download whose connection is silent", async () => {
  let closed = 0;
  const store = await storeWith(
    (request, response) => {
      response.on("close", () => closed++);
      if (request.method === "HEAD") response.writeHead(200, { etag: '"a"', "content-length": 100 }).end();
      else response.writeHead(200, { etag: '"a"', "content-length": 100 }).write("a part");
    },
    new Disk(false),
    60_000,
  );
  const reading = await store.read("audio/a");
  for await (const piece of reading) {
    expect(String(piece)).toBe("a part");
    break;
  }
  await expect.poll(() => closed).toBe(1);
});
