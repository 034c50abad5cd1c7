import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Kysely, sql } from "kysely";
import { afterAll, expect, test } from "vitest";
import { pgliteDialect } from "./pglite-driver.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-stall-"));
const dialect = pgliteDialect({ folder: path.join(folder, "database"), isDurable: true });
const database = new Kysely<unknown>({ dialect });
afterAll(async () => {
  await database.destroy();
  rmSync(folder, { recursive: true, force: true });
});

test("a statement that never finishes is ended, and the database is recovered", async () => {
  await sql`create table pages (text text)`.execute(database);
  await sql`insert into pages values (${"kept"})`.execute(database);
  dialect.limitStatements(3_000);
  const endless = sql`do $$ begin loop end loop; end $$`.execute(database);
  // It waits for the only connection, and gets the next one.
  const waiting = sql`select 1`.execute(database).catch((error: { code?: string }) => error.code);
  await expect(endless).rejects.toMatchObject({ code: "database.unavailable" });
  // The restart may take longer than the short limit.
  dialect.limitStatements();
  await waiting;
  await expect
    .poll(() =>
      sql`select text from pages`.execute(database).then(
        ({ rows }) => rows,
        () => [],
      ),
    )
    .toEqual([{ text: "kept" }]);
});
