// Data folders on one database, and copies of them.
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Database, openDatabase } from "./db/database.ts";
import { lockDirectory } from "./directory-lock.ts";
import { Disk } from "./disk/disk.ts";
import { enterDatabase } from "./machine-name.ts";
import { Quarantine } from "./quarantine.ts";

let folder: string;
let database: Database;
const warnings: object[] = [];

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-names-"));
  database = await openDatabase("", path.join(folder, "database"), new Disk(false));
});
afterAll(async () => {
  await database.destroy();
  rmSync(folder, { recursive: true, force: true });
});

/** A process starts on a data folder. */
async function start(name: string, isOnlyProcess = false) {
  const lock = await lockDirectory(path.join(folder, name));
  const entered = await enterDatabase({
    lock,
    database,
    isOnlyProcess,
    quarantine: new Quarantine(lock.folder),
    disk: new Disk(false),
    newName: () => crypto.randomUUID(),
    logger: { warn: (details: object) => warnings.push(details) },
  });
  return { ...entered, stop: () => lock.release() };
}

const copy = (from: string, to: string) => cpSync(path.join(folder, from), path.join(folder, to), { recursive: true });

test("a data folder keeps its name over restarts; of two copies, the one that is started later has a new one", async () => {
  const first = await start("one");
  await first.stop();
  const second = await start("one");
  expect(second).toMatchObject({ machine: first.machine, generation: 2 });
  // While it runs, as a snapshot of a disk is made.
  copy("one", "two");
  const cloned = await start("two");
  expect(cloned).toMatchObject({ machine: first.machine, generation: 3 });
  await Promise.all([second.stop(), cloned.stop()]);
  expect(warnings).toEqual([]);
  const again = await start("one");
  expect(again).toMatchObject({ isNew: false, generation: 1 });
  expect(again.machine).not.toBe(first.machine);
  expect(warnings).toEqual([expect.objectContaining({ former: first.machine, name: again.machine })]);
  await again.stop();
  // From now on they leave each other alone.
  for (const [name, machine, generation] of [
    ["two", first.machine, 4],
    ["one", again.machine, 2],
    ["two", first.machine, 5],
  ] as const) {
    const next = await start(name);
    expect(next).toMatchObject({ machine, generation });
    await next.stop();
  }
  expect(warnings).toHaveLength(1);
});

test("a crash between the notes in the folder and in the database is no copy", async () => {
  const { machine, stop } = await start("three");
  await stop();
  const lock = await lockDirectory(path.join(folder, "three"));
  await lock.write({ machine, generation: 2 });
  await lock.release();
  expect(await start("three")).toMatchObject({ machine, generation: 3 });
});
