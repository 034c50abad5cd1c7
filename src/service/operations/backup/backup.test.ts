import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Database, openDatabase } from "../../../platform/storage/db/database.ts";
import { backUp } from "./backup.ts";
import { readManifest } from "./manifest.ts";

let folder: string;
let database: Database;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-backup-"));
  database = await openDatabase("", path.join(folder, "data"));
});
afterAll(async () => {
  await database.destroy();
  rmSync(folder, { recursive: true, force: true });
});

function backedUp(target: string, now = () => new Date()): Promise<unknown> {
  const dataDirectory = path.join(folder, "data");
  return backUp({ database, dataDirectory, hasOwnObjects: true, version: "1.0.0", now }, target);
}

test("a backup is written into an empty folder, which is not replaced: it may be a mounted volume", async () => {
  const target = path.join(folder, "volume");
  mkdirSync(path.join(target, "lost+found"), { recursive: true });
  // Of a command that was killed.
  mkdirSync(path.join(target, "backup.unfinished"));
  writeFileSync(path.join(target, "backup.unfinished", "part"), "");
  const { ino } = statSync(target);
  await backedUp(target);
  expect(statSync(target).ino).toBe(ino);
  expect(readdirSync(target).sort()).toEqual(["backup.json", "database", "lost+found", "objects"]);
  expect(await readManifest(target)).toMatchObject({ version: "1.0.0" });
  await expect(backedUp(target)).rejects.toMatchObject({
    code: "backup.bad_target",
    message: expect.stringMatching(/is not empty/),
  });
});

test("a backup that fails leaves an empty folder empty", async () => {
  const target = path.join(folder, "empty");
  mkdirSync(target);
  const now = () => {
    throw new Error("interrupted");
  };
  await expect(backedUp(target, now)).rejects.toThrow("interrupted");
  expect(readdirSync(target)).toEqual([]);
});

test("a new folder appears whole; one that cannot be made is named", async () => {
  const target = path.join(folder, "new");
  await backedUp(target);
  expect(readdirSync(target).sort()).toEqual(["backup.json", "database", "objects"]);
  expect(existsSync(`${target}.unfinished`)).toBe(false);
  // Names have up to 255 bytes.
  const unwritable = path.join(folder, "a".repeat(250));
  await expect(backedUp(unwritable)).rejects.toMatchObject({
    code: "backup.bad_target",
    message: expect.stringMatching(/: it cannot be written \(ENAMETOOLONG/),
  });
});
