// The embedded database does not grow by what was deleted. database-copy.slow.test.ts: it can be copied while it is written to.
import { sql } from "kysely";
import { expect, test } from "vitest";
import { databaseBytes, vacuumWhenDue } from "../../src/platform/storage/db/upkeep/upkeep.ts";
import { addPages, openPages } from "../fixtures/pages-database.ts";

test("rows that come and go do not make it grow", async () => {
  const { database } = await openPages(false);
  const tidy = vacuumWhenDue(database);
  await tidy();
  const sizes: number[] = [];
  for (let round = 0; round < 4; round++) {
    await addPages(database, 10_000);
    await sql`delete from pages`.execute(database);
    expect(await tidy()).toBe(true);
    sizes.push(await databaseBytes(database));
  }
  expect(await tidy()).toBe(false);
  expect(sizes.at(-1)).toBeLessThan((sizes[0] as number) + 1_000_000);
});
