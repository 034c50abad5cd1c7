// Copies beyond the limit go, but none that is in use, and none on the word of a store that does not answer.
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Copies, sweepCopies } from "./sweep-copies.ts";

const CONTENT = "eleven bytes";
let cache: string;
const used = new Set<string>();
beforeEach(() => {
  cache = mkdtempSync(path.join(os.tmpdir(), "parlance-sweep-"));
  used.clear();
  mkdirSync(path.join(cache, "audio"));
  for (const [at, name] of ["a", "b", "c"].entries()) write(name, 40 - at);
});
afterEach(() => rmSync(cache, { recursive: true }));

const fileOf = (name: string) => path.join(cache, "audio", name);
const left = () => ["a", "b", "c"].filter((name) => existsSync(fileOf(name)));
function write(name: string, minutes: number, content = CONTENT): void {
  writeFileSync(fileOf(name), content);
  const time = new Date(Date.now() - minutes * 60_000);
  utimesSync(fileOf(name), time, time);
}
const sweep = (cacheBytes: number, options: Partial<Copies> = {}) =>
  sweepCopies({
    ...{ cache, cacheBytes, onFound: () => undefined, isStored: async () => true, isInUse: (key) => used.has(key) },
    remove: async ({ file }) => {
      rmSync(file);
      return true;
    },
    ...options,
  });

test("the least recently used copies go until the others fit", async () => {
  await sweep(CONTENT.length);
  expect(left()).toEqual(["c"]);
});

test("a copy that is in use stays", async () => {
  used.add("audio/a");
  await sweep(0);
  expect(left()).toEqual(["a"]);
});

test("the times of files protect no copy: a clock that was set back leaves times in the future", async () => {
  for (const name of ["a", "b", "c"]) write(name, -600);
  await sweep(0);
  expect(left()).toEqual([]);
});

test("a copy that is written again while the store is asked stays", async () => {
  const isStored = async (key: string) => {
    if (key === "audio/a") write("a", 0, "another content");
    return true;
  };
  await sweep(0, { isStored });
  expect(left()).toEqual(["a"]);
});

test("a copy that the store lacks stays, and the sweep continues", async () => {
  await sweep(0, { isStored: async (key) => key !== "audio/a" });
  expect(left()).toEqual(["a"]);
});

test("a recording that is being fetched counts, and stays", async () => {
  write("c.77.part", 60);
  let found = 0;
  const onFound = (bytes: number) => {
    found = bytes;
  };
  await sweep(0, { onFound });
  expect(found).toBe(4 * CONTENT.length);
  expect(existsSync(fileOf("c.77.part"))).toBe(true);
});

test("the sweep ends at the first failed request", async () => {
  const asked: string[] = [];
  const isStored = async (key: string) => {
    asked.push(key);
    if (key === "audio/b") throw new Error("503");
    return true;
  };
  await expect(sweep(0, { isStored })).rejects.toThrow("503");
  expect(asked).toEqual(["audio/a", "audio/b"]);
  expect(left()).toEqual(["b", "c"]);
});
