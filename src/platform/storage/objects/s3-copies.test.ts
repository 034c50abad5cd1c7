// Local copies within a limit: all of them count, those in use stay, and a deletion ends the copies that are being made.
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
    cacheBytes: 3_100,
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

test("copies in use stay beyond the limit, and go when a new one needs their room after the use", async () => {
  const store = storeWith();
  const readers = ["a", "b", "c", "d"].map((name) => reader(store, `audio/${name}`));
  for (const { begun } of readers) await begun;
  expect(copies()).toEqual(["a", "b", "c", "d"]);
  for (const { end } of readers) end();
  expect(await Promise.all(readers.map(({ done }) => done))).toEqual([1_000, 1_000, 1_000, 1_000]);
  await store.whileCopied("audio/e", async () => undefined);
  expect(bytes()).toBeLessThanOrEqual(3_100);
  expect(copies()).toContain("e");
});

test("a path that was handed out without a lease counts as in use for ten minutes, whatever the clock shows", async () => {
  const store = storeWith();
  for (const name of "abcd") await store.localPath(`audio/${name}`);
  vi.spyOn(Date, "now").mockReturnValue(0);
  await store.localPath("audio/e");
  expect(copies()).toEqual(["a", "b", "c", "d", "e"]);
  const now = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => now() + 601_000);
  await store.localPath("audio/f");
  expect(bytes()).toBeLessThanOrEqual(3_100);
});

test("a copy that is read as a stream is in use until the stream ends", async () => {
  const store = storeWith({ cacheBytes: 1_000 });
  await store.whileCopied("audio/a", async () => undefined);
  const stream = await store.read("audio/a");
  await store.whileCopied("audio/b", async () => undefined);
  expect(copies()).toEqual(["a", "b"]);
  expect(await text(stream)).toBe(OBJECT.toString());
  await store.whileCopied("audio/c", async () => undefined);
  expect(copies()).toEqual(["c"]);
});

test("an object larger than the limit is copied, and replaced by the next", async () => {
  const store = storeWith({ cacheBytes: 10 });
  for (const name of "ab")
    await store.whileCopied(`audio/${name}`, async (file) => expect(readFileSync(file)).toEqual(OBJECT));
  expect(copies()).toEqual(["b"]);
});

test("an upload is read right after it was stored, whatever the limit is", async () => {
  const store = storeWith({ cacheBytes: 0 });
  await store.write("audio/new", Readable.from([OBJECT]));
  await store.whileCopied("audio/a", async () => undefined);
  await store.whileCopied("audio/new", async (file) => expect(readFileSync(file)).toEqual(OBJECT));
});

test("a copy whose content ends early is none", async () => {
  const store = storeWith();
  s3.before = async ({ method, url }, response) => {
    if (method !== "GET" || !url?.includes("audio/a")) return false;
    response.writeHead(200, { etag: '"a"' });
    response.end(OBJECT.subarray(0, 500));
    return true;
  };
  await expect(store.whileCopied("audio/a", async () => undefined)).rejects.toMatchObject({
    code: "storage.unavailable",
  });
  expect(copies()).toEqual([]);
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

test("a full disk evicts copies that are not in use; without any, the new copy fails", async () => {
  const room = { bytes: 2_500 };
  const space = {
    changed: vi.fn(),
    check: async (_purpose?: string, needed = 0) => {
      if (bytes() + needed > room.bytes) throw errors.storageFull(0, 0, cache);
    },
  };
  const store = storeWith({ cacheBytes: 1e6, space });
  for (const name of "ab") await store.whileCopied(`audio/${name}`, async () => undefined);
  const late = reader(store, "audio/c");
  await late.begun;
  expect(copies()).toEqual(["b", "c"]);
  expect(space.changed).toHaveBeenCalledOnce();
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
