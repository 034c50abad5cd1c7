// What every store of objects promises, held against each: a folder, and an S3-compatible server.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Disk } from "../../src/platform/storage/disk/disk.ts";
import { FileStore } from "../../src/platform/storage/objects/file-store.ts";
import type { ObjectStore } from "../../src/platform/storage/objects/object-store.ts";
import { S3Store } from "../../src/platform/storage/objects/s3-store.ts";
import { type S3Server, startS3, VERSITYGW } from "../fixtures/s3.ts";

const PART_BYTES = 16 * 1024 * 1024;

interface Made {
  store: ObjectStore;
  /** Another machine's view of the same objects; of a folder, the same one. */
  other: ObjectStore;
  remove(): Promise<void>;
}

async function makeFolder(): Promise<Made> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-objects-"));
  const store = new FileStore(folder, new Disk(true));
  return { store, other: store, remove: async () => rmSync(folder, { recursive: true }) };
}

const s3Of = (server: S3Server, cache: string) =>
  new S3Store({
    ...server,
    region: "us-east-1",
    prefix: "some/place/",
    pathStyle: true,
    cache,
    cacheBytes: 1e9,
    disk: new Disk(true),
  });

async function makeS3(): Promise<Made> {
  const server = await startS3();
  const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-objects-"));
  const store = s3Of(server, path.join(folder, "one"));
  const other = s3Of(server, path.join(folder, "other"));
  const remove = async () => {
    await Promise.all([store.stop(), other.stop()]);
    await server.remove();
    rmSync(folder, { recursive: true });
  };
  return { store, other, remove };
}

const read = async (store: ObjectStore, key: string, range?: { start: number; end: number }) =>
  (await buffer(await store.read(key, range))).toString();

describe.each([
  ["a folder", makeFolder, true],
  ["S3 (skipped where there is no versitygw)", makeS3, VERSITYGW !== undefined],
] as const)("%s", (_, make, isThere) => {
  describe.skipIf(!isThere)("promises", () => {
    let made: Made;
    beforeAll(async () => {
      made = await make();
    });
    afterAll(() => made?.remove());

    test("its identity is seen by every machine, is no key, and damage to it is recognised", async () => {
      const { store, other } = made;
      expect(await store.identity()).toBeUndefined();
      const identity = `${store.kind}:00000000-0000-7000-8000-000000000001`;
      await store.setIdentity(identity);
      expect(await other.identity()).toBe(identity);
      const keys: string[] = [];
      for await (const key of store.keys()) keys.push(key);
      expect(keys).toEqual([]);
      await store.setIdentity("damaged");
      expect(await other.identity()).toBeUndefined();
    });

    test("what was written is read, in whole and in parts, also by another machine", async () => {
      const { store, other } = made;
      expect(await store.write("audio/one", Readable.from(["hello ", "world"]))).toBe(11);
      for (const reader of [store, other]) {
        expect(await read(reader, "audio/one")).toBe("hello world");
        expect(await read(reader, "audio/one", { start: 6, end: 8 })).toBe("wor");
        expect(await reader.size("audio/one")).toBe(11);
        expect(readFileSync(await reader.localPath("audio/one"), "utf8")).toBe("hello world");
      }
    });

    test("a key that climbs out of its folder is none", async () => {
      for (const key of ["../one", "audio/../../one", "/etc/passwd", "audio\\..\\one", "audio//one", "."]) {
        await expect(made.store.localPath(key), key).rejects.toThrow(/is not an object key/);
        await expect(made.store.size(key), key).rejects.toThrow(/is not an object key/);
      }
    });

    test("more than allowed leaves nothing", async () => {
      const { store, other } = made;
      await expect(store.write("audio/large", Readable.from(["x".repeat(100)]), 99)).rejects.toMatchObject({
        code: "file.too_large",
      });
      for (const reader of [store, other]) expect(await reader.size("audio/large")).toBeUndefined();
    });

    test("a stream that breaks leaves nothing, and what was there stays", async () => {
      const { store, other } = made;
      await store.put("audio/kept", "before");
      const broken = Readable.from(
        (async function* () {
          yield "after";
          throw new Error("the connection broke");
        })(),
      );
      await expect(store.write("audio/kept", broken)).rejects.toThrow("the connection broke");
      expect(await read(other, "audio/kept")).toBe("before");
    });

    test("what is larger than a part arrives whole", async () => {
      const { store, other } = made;
      const content = Buffer.alloc(2 * PART_BYTES + 12_345, "parlance");
      await store.write("audio/parts", Readable.from([content.subarray(0, 1_000), content.subarray(1_000)]));
      expect((await buffer(await other.read("audio/parts"))).equals(content)).toBe(true);
      const part = await buffer(await other.read("audio/parts", { start: 2 * PART_BYTES, end: 2 * PART_BYTES + 9 }));
      expect(part.equals(content.subarray(2 * PART_BYTES, 2 * PART_BYTES + 10))).toBe(true);
    });

    test("what a process wrote at its path is there for other machines once it is kept", async () => {
      const { store, other } = made;
      writeFileSync(await store.localPath("jobs/1/words.jsonl"), "one\n");
      await store.keep("jobs/1/words.jsonl");
      expect(readFileSync(await other.localPath("jobs/1/words.jsonl"), "utf8")).toBe("one\n");
      writeFileSync(await store.localPath("jobs/1/words.jsonl"), "one\ntwo\n");
      writeFileSync(await store.localPath("jobs/1/voices.jsonl"), "voices");
      await store.keepFolder("jobs/1");
      await other.takeOver("jobs/1");
      expect(readFileSync(await other.localPath("jobs/1/words.jsonl"), "utf8")).toBe("one\ntwo\n");
      expect(readFileSync(await other.localPath("jobs/1/voices.jsonl"), "utf8")).toBe("voices");
    });

    test("what is removed is gone everywhere; removing what is not there is no fault", async () => {
      const { store, other } = made;
      await store.put("results/1.json", "{}");
      await store.remove("results/1.json");
      await store.remove("results/1.json");
      expect(await other.size("results/1.json")).toBeUndefined();
      await expect(other.read("results/1.json")).rejects.toMatchObject({ code: "request.not_found" });
      await store.put("jobs/2/a", "a");
      await store.put("jobs/2/b", "b");
      await store.put("jobs/22/a", "a");
      await store.removeFolder("jobs/2");
      expect(await other.size("jobs/2/b")).toBeUndefined();
      expect(await other.size("jobs/22/a")).toBe(1);
    });

    test("all keys are listed", async () => {
      const { store, other } = made;
      await store.put("results/told.json", "{}");
      const keys: string[] = [];
      for await (const key of other.keys()) keys.push(key);
      expect(keys).toContain("results/told.json");
      expect(new Set(keys).size).toBe(keys.length);
    });

    test("a key that would lead elsewhere is refused", async () => {
      for (const key of ["../outside", "/etc/passwd", "audio/../../x", ""]) {
        await expect(made.store.put(key, "x")).rejects.toThrow();
      }
    });

    test("an address, where there is one, gives the object to anybody for some minutes", async () => {
      const { store } = made;
      await store.put("audio/given", "for you");
      const address = await store.address("audio/given", "Gespräch.wav");
      if (address === undefined) return;
      const answer = await fetch(address);
      expect(await answer.text()).toBe("for you");
      expect((await fetch(address.replace(/X-Amz-Signature=[^&]*/, "X-Amz-Signature=0"))).ok).toBe(false);
    });
  });
});
