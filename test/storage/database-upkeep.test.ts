// The embedded database does not grow by what was deleted, and can be copied while it is written to.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { afterEach, expect, test } from "vitest";
import { databaseFolder } from "../../src/storage/db/cluster-files.ts";
import { backUpDatabase, type Database, openDatabase } from "../../src/storage/db/database.ts";
import { databaseBytes, vacuumWhenDue } from "../../src/storage/db/upkeep.ts";
import { Disk } from "../../src/storage/disk/disk.ts";

let folder: string;
let database: Database;
afterEach(async () => {
  await database.destroy();
  rmSync(folder, { recursive: true, force: true });
});

async function open(isDurable: boolean): Promise<void> {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-upkeep-"));
  database = await openDatabase("", path.join(folder, "one"), new Disk(isDurable));
  await sql`create table notes (id serial primary key, text text, half int)`.execute(database);
}

const add = (count: number) =>
  sql`insert into notes (text, half) select repeat('x', 1000), 0 from generate_series(1, ${count}::int)`.execute(
    database,
  );

test("rows that come and go do not make it grow", async () => {
  await open(false);
  const tidy = vacuumWhenDue(database);
  await tidy();
  const sizes: number[] = [];
  for (let round = 0; round < 4; round++) {
    await add(10_000);
    await sql`delete from notes`.execute(database);
    expect(await tidy()).toBe(true);
    sizes.push(await databaseBytes(database));
  }
  expect(await tidy()).toBe(false);
  expect(sizes.at(-1)).toBeLessThan((sizes[0] as number) + 1_000_000);
});

test.each([true, false])("a copy taken during writes has whole transactions (fsync %s)", async (isDurable) => {
  await open(isDurable);
  await add(500);
  let isWriting = true;
  let rounds = 0;
  const write = (async () => {
    while (isWriting) {
      await database.transaction().execute(async (transaction) => {
        await sql`update notes set half = half + 1 where id <= 250`.execute(transaction);
        await sql`update notes set half = half + 1 where id > 250`.execute(transaction);
      });
      rounds++;
    }
  })();
  const copies = [path.join(folder, "two"), path.join(folder, "three")];
  for (const copy of copies) await backUpDatabase(database, databaseFolder(copy));
  isWriting = false;
  await write;
  expect(rounds).toBeGreaterThan(0);
  for (const copy of copies) {
    const opened = await openDatabase("", copy, new Disk(false), { migrates: false });
    const { rows } = await sql<{ halves: string; n: string }>`
      select count(distinct half) as halves, count(*) as n from notes`.execute(opened);
    expect({ halves: Number(rows[0]?.halves), n: Number(rows[0]?.n) }).toEqual({ halves: 1, n: 500 });
    await opened.destroy();
  }
});
