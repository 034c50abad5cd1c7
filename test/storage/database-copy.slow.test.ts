// The embedded database can be copied while it is written to.
import path from "node:path";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { backUpDatabase, openDatabase } from "../../src/platform/storage/db/database.ts";
import { databaseFolder } from "../../src/platform/storage/db/embedded/cluster-files.ts";
import { Disk } from "../../src/platform/storage/disk/disk.ts";
import { addPages, openPages } from "../fixtures/pages-database.ts";

test.each([true, false])("a copy taken during writes has whole transactions (fsync %s)", async (isDurable) => {
  const { folder, database } = await openPages(isDurable);
  await addPages(database, 500);
  let isWriting = true;
  let rounds = 0;
  const write = (async () => {
    while (isWriting) {
      await database.transaction().execute(async (transaction) => {
        await sql`update pages set half = half + 1 where id <= 250`.execute(transaction);
        await sql`update pages set half = half + 1 where id > 250`.execute(transaction);
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
      select count(distinct half) as halves, count(*) as n from pages`.execute(opened);
    expect({ halves: Number(rows[0]?.halves), n: Number(rows[0]?.n) }).toEqual({ halves: 1, n: 500 });
    await opened.destroy();
  }
});
