// What the embedded database promises beyond what PGlite does: commits on disk, a write-ahead log that does not grow without bound,
// and a recovery by itself when the disk was full.
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { afterEach, describe, expect, test } from "vitest";
import { type Database, openDatabase } from "../../src/platform/storage/db/database.ts";
import { Disk } from "../../src/platform/storage/disk/disk.ts";
import { SmallDisk } from "../fixtures/small-disk.ts";

let folder: string | undefined;
let database: Database | undefined;
let disk: SmallDisk | undefined;
afterEach(async () => {
  await database?.destroy();
  disk?.unmount();
  if (folder) rmSync(folder, { recursive: true, force: true });
  database = undefined;
  disk = undefined;
});

async function opened(place = mkdtempSync(path.join(os.tmpdir(), "parlance-embedded-")), isDurable = true) {
  folder = place;
  database = await openDatabase("", place, new Disk(isDurable));
  await sql`create table if not exists pages (id serial primary key, text text)`.execute(database);
  return database;
}

const add = (on: Database, text: string) => sql`insert into pages (text) values (${text})`.execute(on);
const count = async (on: Database) =>
  Number((await sql<{ n: string }>`select count(*) as n from pages`.execute(on)).rows[0]?.n);
/** Some WAL that no table keeps. */
const log = (on: Database, bytes: number) =>
  sql`select pg_logical_emit_message(true, 'test', repeat('x', ${bytes}::int))`.execute(on);

test.each([true, false])("runs with fsync as it is set (%s), and answers many at once", async (isDurable) => {
  const on = await opened(undefined, isDurable);
  const { rows } = await sql<{ fsync: string }>`show fsync`.execute(on);
  expect(rows[0]?.fsync).toBe(isDurable ? "on" : "off");
  await Promise.all(
    Array.from({ length: 200 }, (_, at) =>
      at % 2 === 0 ? add(on, "alone") : on.transaction().execute((transaction) => add(transaction, "in one")),
    ),
  );
  expect(await count(on)).toBe(200);
});

test("the write-ahead log is cut by checkpoints while the database runs", async () => {
  const on = await opened();
  for (let at = 0; at < 300; at++) await log(on, 1_000_000);
  const segments = readdirSync(path.join(folder as string, "database", "pg_wal")).filter((name) => name.length === 24);
  // 300 MB in segments of 16 MB would be 19.
  expect(segments.length).toBeLessThan(12);
});

const probe = SmallDisk.mount(1);
probe?.unmount();

describe.skipIf(!probe)("on a disk that another program fills (skipped where none can be mounted)", () => {
  test("it fails until there is room, and then has everything that it had answered", async () => {
    disk = SmallDisk.mount(200) as SmallDisk;
    const on = await opened(path.join(disk.folder, "data"));
    for (let at = 0; at < 20; at++) await add(on, "kept");
    const failureOf = async () => {
      try {
        await log(on, 1_000_000);
        return undefined;
      } catch (error) {
        return (error as { code?: string }).code ?? String(error);
      }
    };
    disk.fill(0);
    await expect.poll(failureOf, { timeout: 60_000, interval: 1 }).toBeDefined();
    // PostgreSQL cannot make a new segment of its log. It is started again after each such error: about one in a hundred times, another statement
    // would never finish.
    for (let at = 0; at < 5; at++) expect(["53100", "database.unavailable"]).toContain(await failureOf());
    disk.makeRoom();
    await expect.poll(failureOf, { timeout: 30_000 }).toBeUndefined();
    expect(await count(on)).toBe(20);
  });
});
