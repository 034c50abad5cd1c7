import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writeUserFile } from "./user-file.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-user-file-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("a file is replaced, and only its user can read it and its folder", async () => {
  const file = path.join(folder, "own", "a.json");
  await writeUserFile(file, { a: 1 });
  await writeUserFile(file, { a: 2 });
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ a: 2 });
  expect([path.dirname(file), file].map((one) => statSync(one).mode & 0o777)).toEqual([0o700, 0o600]);
  expect(readdirSync(path.dirname(file))).toEqual(["a.json"]);
});

test("a failed write leaves nothing behind", async () => {
  const file = path.join(folder, "a.json");
  mkdirSync(path.join(file, "inside"), { recursive: true });
  await expect(writeUserFile(file, {})).rejects.toThrow();
  expect(readdirSync(folder)).toEqual(["a.json"]);
});
