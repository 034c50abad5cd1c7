// Room for local copies: all of them count, those in use stay, new ones wait for room or fail, and a deletion ends the copies that are being made.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type MemoryS3, startMemoryS3 } from "../../../../test/fixtures/memory-s3.ts";
import { errors } from "../../errors.ts";
import { Disk } from "../disk/disk.ts";
import type { S3Options } from "./s3-client.ts";
import { S3Store } from "./s3-store.ts";

const OBJECT = Buffer.alloc(1_000, "parlance");
const FULL = { code: "storage.full" };
const undo: (() => unknown)[] = [];
let s3: MemoryS3;
let cache: string;
beforeEach(async () => {
  s3 = await startMemoryS3();
  cache = mkdtempSync(path.join(os.tmpdir(), "parlance-s3-copies-"));
  undo.push(() => rmSync(cache, { recursive: true, force: true }), s3.close);
  for (const name of "abcdef") s3.objects.set(`audio/${name}`, OBJECT);
});
afterEach(async () => {
  vi.restoreAllMocks();
  for (const step of undo.splice(0).reverse()) await step();
});

/** Room for three objects. */
function storeWith(options: Partial<S3Options> = {}): S3Store {
  const store = new S3Store({
    ...{ endpoint: s3.endpoint, region: "none", bucket: "bucket", prefix: "", pathStyle: true },
    ...{ accessKeyId: "id", secretAccessKey: "secret", cache, disk: new Disk(false) },
    ...{ cacheBytes: 3_100, leastBytesInUse: 0 },
    ...options,
  });
  undo.push(() => store.stop());
  return store;
}

const copies = () => {
  const folder = path.join(cache, "audio");
  return existsSync(folder) ? readdirSync(folder).sort() : [];
};
const bytes = () => copies().reduce((sum, name) => sum + statSync(path.join(cache, "audio", name)).size, 0);

/** Waits for a call. */
function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

/** A reader that keeps its copy until `end`. @property begun  once it has the copy */
function reader(store: S3Store, key: string) {
  const [start, finish] = [gate(), gate()];
  const done = store.whileCopied(key, async (file) => {
    start.open();
    await finish.opened;
    return readFileSync(file).length;
  });
  done.catch(() => undefined);
  return { begun: Promise.race([start.opened, done.then(() => undefined)]), done, end: finish.open };
}

test("copies that are not in use go when a new one needs their room, the least recently used first", async () => {
  const store = storeWith();
  for (const name of "abc") await store.whileCopied(`audio/${name}`, async () => undefined);
  for (const name of "def") {
    await store.whileCopied(`audio/${name}`, async (file) => expect(readFileSync(file)).toEqual(OBJECT));
    expect(bytes()).toBeLessThanOrEqual(3_100);
  }
  expect(copies()).toContain("f");
});

test("a new copy waits until copies in use leave room", async () => {
  const store = storeWith();
  const readers = ["a", "b", "c"].map((name) => reader(store, `audio/${name}`));
  for (const { begun } of readers) await begun;
  const late = reader(store, "audio/d");
  await expect.poll(() => s3.requests).toContain("HEAD audio/d");
  // Time for a download that did not wait.
  expect(await text(await store.read("audio/e"))).toBe(OBJECT.toString());
  expect(copies()).toEqual(["a", "b", "c"]);
  readers[1]?.end();
  await late.begun;
  expect(copies()).toEqual(["a", "c", "d"]);
  for (const one of [...readers, late]) one.end();
  expect(await Promise.all([...readers, late].map(({ done }) => done))).toEqual([1_000, 1_000, 1_000, 1_000]);
});

test("a new copy fails if no room comes in time, and the others stay whole", async () => {
  const store = storeWith({ waitMilliseconds: 0 });
  const readers = ["a", "b", "c"].map((name) => reader(store, `audio/${name}`));
  for (const { begun } of readers) await begun;
  const refused = store.whileCopied("audio/d", async () => undefined);
  await expect(refused).rejects.toMatchObject({ ...FULL, status: 507, message: /PARLANCE_S3_CACHE_BYTES/ });
  for (const { end } of readers) end();
  expect(await Promise.all(readers.map(({ done }) => done))).toEqual([1_000, 1_000, 1_000]);
  await store.whileCopied("audio/d", async () => undefined);
});

test("a path that was handed out without a lease counts as in use", async () => {
  const store = storeWith({ waitMilliseconds: 0 });
  for (const name of "abc") await store.localPath(`audio/${name}`);
  await expect(store.localPath("audio/d")).rejects.toMatchObject(FULL);
  expect(copies()).toEqual(["a", "b", "c"]);
});

test("paths without a lease end the wait of a new copy after a minute, whatever the clock shows", async () => {
  const store = storeWith();
  for (const name of "abc") await store.localPath(`audio/${name}`);
  vi.spyOn(Date, "now").mockReturnValue(0);
  const late = store.localPath("audio/d");
  await expect.poll(() => s3.requests).toContain("HEAD audio/d");
  expect(copies()).toEqual(["a", "b", "c"]);
  const now = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => now() + 61_000);
  await late;
  expect(bytes()).toBeLessThanOrEqual(3_100);
});

test("a deleted copy counts until its reader has ended", async () => {
  const store = storeWith({ waitMilliseconds: 0 });
  const readers = ["a", "b", "c"].map((name) => reader(store, `audio/${name}`));
  for (const { begun } of readers) await begun;
  await store.dropCopy("audio/a");
  expect(copies()).toEqual(["b", "c"]);
  await expect(store.whileCopied("audio/d", async () => undefined)).rejects.toMatchObject(FULL);
  readers[0]?.end();
  await readers[0]?.done.catch(() => undefined);
  await store.whileCopied("audio/d", async () => undefined);
  for (const { end } of readers) end();
});

test("a copy that is read as a stream is in use until the stream ends", async () => {
  const store = storeWith({ waitMilliseconds: 0 });
  for (const name of "abc") await store.whileCopied(`audio/${name}`, async () => undefined);
  const streams = await Promise.all(["a", "b", "c"].map((name) => store.read(`audio/${name}`)));
  await expect(store.whileCopied("audio/d", async () => undefined)).rejects.toMatchObject(FULL);
  for (const stream of streams) expect(await text(stream)).toBe(OBJECT.toString());
  await store.whileCopied("audio/d", async () => undefined);
});

test("an object larger than the limit is copied when no other copy is in use", async () => {
  const store = storeWith({ cacheBytes: 10, waitMilliseconds: 0 });
  const first = reader(store, "audio/a");
  await first.begun;
  await expect(store.whileCopied("audio/b", async () => undefined)).rejects.toMatchObject(FULL);
  first.end();
  expect(await first.done).toBe(1_000);
  await store.whileCopied("audio/b", async () => undefined);
  expect(copies()).toEqual(["b"]);
});

test("readers of one object share a download", async () => {
  const store = storeWith();
  const readers = Array.from({ length: 5 }, () => reader(store, "audio/a"));
  for (const { begun, end } of readers) {
    await begun;
    end();
  }
  expect(s3.requests.filter((request) => request === "GET audio/a")).toHaveLength(1);
});

test("what is stored counts while it is written, and evicts copies", async () => {
  const store = storeWith({ cacheBytes: 9_000_000 });
  for (const name of "ab") {
    s3.objects.set(`audio/${name}`, Buffer.alloc(4_000_000));
    await store.whileCopied(`audio/${name}`, async () => undefined);
  }
  let seen: string[] = [];
  const pieces = async function* () {
    for (let at = 0; at < 8; at++) {
      if (at === 7) seen = copies().filter((name) => name === "a" || name === "b");
      yield Buffer.alloc(1_000_000);
    }
  };
  expect(await store.write("audio/new", Readable.from(pieces()))).toBe(8_000_000);
  expect(seen).toEqual(["b"]);
});

test("a full disk evicts copies that are not in use; without any, the new copy fails", async () => {
  const room = { bytes: 2_500 };
  const space = {
    check: async (_purpose?: string, needed = 0) => {
      if (bytes() + needed > room.bytes) throw errors.storageFull(0, 0, cache);
    },
  };
  const store = storeWith({ cacheBytes: 1e6, space, waitMilliseconds: 60_000 });
  for (const name of "ab") await store.whileCopied(`audio/${name}`, async () => undefined);
  const late = reader(store, "audio/c");
  await late.begun;
  expect(copies()).toEqual(["b", "c"]);
  room.bytes = 500;
  await expect(store.whileCopied("audio/d", async () => undefined)).rejects.toMatchObject(FULL);
  expect(copies()).toEqual(["c"]);
  late.end();
  expect(await late.done).toBe(1_000);
});

test("an object that is deleted while it is copied leaves no copy", async () => {
  const store = storeWith();
  const { open, opened } = gate();
  s3.before = async ({ method, url }, response) => {
    if (method !== "GET" || !url?.includes("audio/a")) return false;
    response.writeHead(200, { etag: '"a"', "content-length": OBJECT.length });
    response.write(OBJECT.subarray(0, 500));
    await opened;
    response.end(OBJECT.subarray(500));
    return true;
  };
  const read = store.localPath("audio/a");
  read.catch(() => undefined);
  await expect.poll(copies).toHaveLength(1);
  await store.remove("audio/a");
  open();
  expect(existsSync(await read)).toBe(false);
  expect(copies()).toEqual([]);
});

test("a folder that is deleted while a file of it is copied stays deleted", async () => {
  const store = storeWith();
  s3.objects.set("jobs/1/channel.pcm", OBJECT);
  const { open, opened } = gate();
  s3.before = async ({ method, url }) => {
    if (method === "GET" && url?.includes("channel.pcm")) await opened;
    return false;
  };
  const read = store.localPath("jobs/1/channel.pcm");
  await expect.poll(() => s3.requests).toContain("GET jobs/1/channel.pcm");
  s3.objects.delete("jobs/1/channel.pcm");
  await store.takeOver("jobs/1");
  open();
  expect(existsSync(await read)).toBe(false);
});

test("copies of an earlier process count, and go", async () => {
  mkdirSync(path.join(cache, "audio"), { recursive: true });
  const earlier = storeWith();
  for (const name of "abc") await earlier.whileCopied(`audio/${name}`, async () => undefined);
  await earlier.stop();
  const store = storeWith();
  await store.whileCopied("audio/d", async () => undefined);
  expect(bytes()).toBeLessThanOrEqual(3_100);
});
