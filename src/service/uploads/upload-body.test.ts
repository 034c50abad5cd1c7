import { createHash } from "node:crypto";
import { PassThrough, Readable } from "node:stream";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { UploadBody } from "./upload-body.ts";

async function partOf(body: UploadBody, most: number): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of body.part(most)) chunks.push(chunk);
  return Buffer.concat(chunks).toString("latin1");
}

const never = new AbortController().signal;

test("parts of any size are the body, for any chunks", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.uint8Array({ maxLength: 20 })),
      fc.integer({ min: 1, max: 30 }),
      async (chunks, most) => {
        const whole = Buffer.concat(chunks);
        const hash = createHash("sha1");
        const body = new UploadBody(Readable.from(chunks.map((chunk) => Buffer.from(chunk))), never, hash);
        let read = "";
        while (await body.hasMore()) {
          const part = await partOf(body, most);
          expect(part.length).toBeLessThanOrEqual(most);
          expect(part.length).toBeGreaterThan(0);
          read += part;
        }
        expect(read).toBe(whole.toString("latin1"));
        expect(hash.digest()).toEqual(createHash("sha1").update(whole).digest());
      },
    ),
  );
});

test("chunks that were given out are freed while the body continues", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const given: WeakRef<Buffer>[] = [];
  const content = Readable.from(
    (async function* () {
      for (;;) {
        const chunk = Buffer.alloc(100_000);
        given.push(new WeakRef(chunk));
        yield chunk;
      }
    })(),
    { objectMode: false, highWaterMark: 1 },
  );
  const body = new UploadBody(content, new AbortController().signal);
  for (let number = 0; number < 5; number++) expect(await partOf(body, 100_000)).toHaveLength(100_000);
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  expect(given[0]?.deref()?.length).toBeUndefined();
});

test("a body that is cut off ends with what was received", async () => {
  const stream = new PassThrough();
  const body = new UploadBody(stream, never);
  stream.write("received");
  const part = partOf(body, 1_000);
  await new Promise((resolve) => setImmediate(resolve));
  stream.destroy(new Error("aborted"));
  expect(await part).toBe("received");
  expect(body.failure).toMatchObject({ message: "aborted" });
  expect(await body.hasMore()).toBe(false);
});

test("a body that a newer request replaces ends although its sender is silent", async () => {
  const stop = new AbortController();
  const stream = new PassThrough();
  const body = new UploadBody(stream, stop.signal);
  stream.write("received");
  const part = partOf(body, 1_000);
  await new Promise((resolve) => setImmediate(resolve));
  stop.abort();
  expect(await part).toBe("received");
  expect(body.failure).toBeUndefined();
});

test("a body that is read leaves no chunks in memory", async () => {
  const chunkBytes = 65_536;
  let freed = 0;
  const registry = new FinalizationRegistry(() => freed++);
  const sent = 500;
  const chunks = (function* () {
    for (let at = 0; at < sent; at++) {
      const chunk = Buffer.alloc(chunkBytes);
      registry.register(chunk, at);
      yield chunk;
    }
  })();
  const body = new UploadBody(Readable.from(chunks), new AbortController().signal);
  let received = 0;
  while (await body.hasMore()) for await (const piece of body.part(1_000_000)) received += piece.length;
  expect(received).toBe(sent * chunkBytes);
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  await expect
    .poll(() => {
      collect();
      return freed;
    })
    .toBeGreaterThan(sent / 2);
  expect(await body.hasMore()).toBe(false);
});
