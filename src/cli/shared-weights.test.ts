import { chownSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { keptWeights } from "./shared-weights.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-weights-"));
afterAll(() => rmSync(folder, { recursive: true }));
const DATA = path.join(folder, "data");
const USED = path.join(folder, "used");
mkdirSync(DATA);
mkdirSync(path.join(USED, "shared-weights"), { recursive: true });
const IN_CACHE = path.resolve("/cache/shared-weights");

test.each([
  ["the data folder that a setting names", DATA, "unnamed", "/cache", path.join(DATA, "shared-weights")],
  ["the unnamed data folder that a service has used", USED, USED, "/cache", path.join(USED, "shared-weights")],
  ["the cache, if the unnamed data folder was not used", DATA, DATA, "/cache", IN_CACHE],
  ["the cache, without a data folder", path.join(folder, "missing"), "unnamed", "/cache", IN_CACHE],
  ["none, without a home directory", path.join(folder, "missing"), "unnamed", "", undefined],
])("packed weights are kept in %s", (_, dataDirectory, unnamed, cache, expected) => {
  expect(keptWeights({ dataDirectory }, { cache, config: "" }, unnamed)).toBe(expected);
});

const NOBODY = 65_534;
test.skipIf(process.platform === "win32")("the folder of another user is not used", () => {
  const others = path.join(folder, "others");
  mkdirSync(others);
  if (process.getuid?.() === 0) chownSync(others, NOBODY, NOBODY);
  const dataDirectory = process.getuid?.() === 0 ? others : "/";
  expect(keptWeights({ dataDirectory }, { cache: "/cache", config: "" }, "unnamed")).toBe(IN_CACHE);
});
