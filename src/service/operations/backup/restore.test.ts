import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "../../../platform/storage/db/database.ts";
import { Disk } from "../../../platform/storage/disk/disk.ts";
import { backUp } from "./backup.ts";
import { restore } from "./restore.ts";

const SETTINGS = "language-model.json";
const now = () => new Date("2026-11-25T12:00:00Z");
let folder: string;
let backup: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "parlance-restore-"));
  backup = path.join(folder, "backup");
  const service = await mkdtemp(path.join(folder, "service-"));
  const database = await openDatabase("", service, new Disk(false));
  await backUp({ database, dataDirectory: service, hasOwnObjects: true, version: "1", now }, backup);
  await database.destroy();
}, 60_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

test("a settings file of the data folder is moved aside, and never deleted", async () => {
  const data = await mkdtemp(path.join(folder, "data-"));
  await writeFile(path.join(data, SETTINGS), "{}");
  const options = { dataDirectory: data, databaseOnly: false, now };
  await expect(restore(backup, { ...options, replaces: false })).rejects.toMatchObject({ code: "restore.occupied" });
  expect(await readdir(data)).toEqual([SETTINGS]);
  const { replaced = "" } = await restore(backup, { ...options, replaces: true });
  expect(await readFile(path.join(replaced, SETTINGS), "utf8")).toBe("{}");
  expect(existsSync(path.join(data, "database"))).toBe(true);
});

test.skipIf(process.platform === "win32").each([
  ["objects/results/link.json", "a file"],
  ["objects/audio", "a folder"],
  [SETTINGS, "a whole entry"],
])("a backup with a symbolic link is refused and changes nothing: %s", async (name) => {
  const copy = await mkdtemp(path.join(folder, "copy-"));
  await cp(backup, copy, { recursive: true });
  const link = path.join(copy, name);
  await rm(link, { recursive: true, force: true });
  await mkdir(path.dirname(link), { recursive: true });
  await symlink(name.endsWith(".json") ? "/etc/hostname" : folder, link);
  const data = await mkdtemp(path.join(folder, "data-"));
  const restoring = restore(copy, { dataDirectory: data, databaseOnly: false, now, replaces: false });
  await expect(restoring).rejects.toMatchObject({ code: "restore.not_a_backup" });
  await expect(restoring).rejects.toThrow(`${name} is a symbolic link`);
  expect(await readdir(data)).toEqual([]);
});
