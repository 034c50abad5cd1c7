import { chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { keptWeights } from "./shared-weights.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-weights-"));
afterAll(() => rmSync(folder, { recursive: true }));
const below = (...names: string[]) => path.join(folder, ...names);
const IN_CACHE = below("cache", "shared-weights");

beforeAll(() => {
  for (const name of ["data", "linked", "others"]) mkdirSync(below(name));
  symlinkSync(below("data"), below("linked", "shared-weights"));
  writeFileSync(below("file"), "");
});

test.each([
  ["the data folder that a setting names", below("data"), below("cache"), below("data", "shared-weights")],
  ["the cache, if no setting names the data folder", "./data", below("cache"), IN_CACHE],
  ["the cache, without a data folder", below("missing"), below("cache"), IN_CACHE],
  ["the cache, if the folder is a link", below("linked"), below("cache"), IN_CACHE],
  ["none, without a home directory", below("missing"), "", undefined],
  ["none, if the cache cannot be written", below("missing"), below("file"), undefined],
])("packed weights are kept in %s", (_, dataDirectory, cache, expected) => {
  expect(keptWeights({ dataDirectory }, { cache, config: "" })).toBe(expected);
});

const NOBODY = 65_534;
test.skipIf(process.platform === "win32")("the folder of another user is not used", () => {
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(below("others"), NOBODY, NOBODY);
  const dataDirectory = isRoot ? below("others") : "/";
  expect(keptWeights({ dataDirectory }, { cache: below("cache"), config: "" })).toBe(IN_CACHE);
});
