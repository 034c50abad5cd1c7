import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { Disk } from "../disk/disk.ts";
import { S3Store } from "./s3-store.ts";

const undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

function storeAt(endpoint: string): S3Store {
  const cache = mkdtempSync(path.join(os.tmpdir(), "parlance-s3-"));
  undo.push(() => rmSync(cache, { recursive: true }));
  const options = { endpoint, region: "none", bucket: "none", prefix: "", pathStyle: true, silenceMilliseconds: 200 };
  const keys = { accessKeyId: "id", secretAccessKey: "secret" };
  const store = new S3Store({ ...options, ...keys, cache, cacheBytes: 1_000_000, disk: new Disk(false) });
  undo.push(() => store.stop());
  return store;
}

/** A store whose server answers as `answer` does. */
async function storeWith(answer: RequestListener): Promise<S3Store> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  undo.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return storeAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
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
