// Copies beyond the limit go, but none that was handed out meanwhile, and none on the word of a store that does not answer.
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { sweepCopies } from "./sweep-copies.ts";

let cache: string;
beforeEach(() => {
  cache = mkdtempSync(path.join(os.tmpdir(), "parlance-sweep-"));
  mkdirSync(path.join(cache, "audio"));
  for (const [at, name] of ["a", "b", "c"].entries()) {
    writeFileSync(fileOf(name), "eleven bytes");
    lastUsed(name, 40 - at);
  }
});
afterEach(() => rmSync(cache, { recursive: true }));

const fileOf = (name: string) => path.join(cache, "audio", name);
const left = () => ["a", "b", "c"].filter((name) => existsSync(fileOf(name)));
function lastUsed(name: string, minutes: number): void {
  const time = new Date(Date.now() - minutes * 60_000);
  utimesSync(fileOf(name), time, time);
}

test("the least recently used copies go until the others fit", async () => {
  await sweepCopies({ cache, cacheBytes: 12, isStored: async () => true });
  expect(left()).toEqual(["c"]);
});

test("a copy that is handed out while the store is asked stays", async () => {
  const isStored = async (key: string) => {
    if (key === "audio/a") lastUsed("a", 0);
    return true;
  };
  await sweepCopies({ cache, cacheBytes: 0, isStored });
  expect(left()).toEqual(["a"]);
});

test("a copy that the store lacks stays, and the sweep continues", async () => {
  await sweepCopies({ cache, cacheBytes: 0, isStored: async (key) => key !== "audio/a" });
  expect(left()).toEqual(["a"]);
});

test("the sweep ends at the first failed request", async () => {
  const asked: string[] = [];
  const isStored = async (key: string) => {
    asked.push(key);
    if (key === "audio/b") throw new Error("503");
    return true;
  };
  await expect(sweepCopies({ cache, cacheBytes: 0, isStored })).rejects.toThrow("503");
  expect(asked).toEqual(["audio/a", "audio/b"]);
  expect(left()).toEqual(["b", "c"]);
});
