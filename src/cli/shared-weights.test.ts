import { chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { keptWeights } from "./shared-weights.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-weights-"));
afterAll(() => rmSync(folder, { recursive: true }));
const below = (...names: string[]) => path.join(folder, ...names);

beforeAll(() => {
  for (const name of ["data", "linked", "others"]) mkdirSync(below(name));
  symlinkSync(below("data"), below("linked", "shared-weights"));
  writeFileSync(below("file"), "");
});

test.each([
  ["the data folder that a setting names", below("data"), below("data", "shared-weights")],
  ["none, if no setting names the data folder", "./data", undefined],
  ["none, without a data folder", below("missing"), undefined],
  ["none, if the folder is a link", below("linked"), undefined],
  ["none, if it is a file", below("file"), undefined],
])("packed weights are kept in %s", (_, dataDirectory, expected) => {
  expect(keptWeights({ dataDirectory })).toBe(expected);
});

const NOBODY = 65_534;
test.skipIf(process.platform === "win32")("the folder of another user is not used", () => {
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(below("others"), NOBODY, NOBODY);
  expect(keptWeights({ dataDirectory: isRoot ? below("others") : "/" })).toBeUndefined();
});
