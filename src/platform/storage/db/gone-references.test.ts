import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Database, openDatabase } from "./database.ts";
import { databaseTime } from "./database-time.ts";
import { goneReference, referencedTable } from "./gone-references.ts";

let folder: string;
let database: Database;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-references-"));
  database = await openDatabase("", folder);
});
afterAll(async () => {
  await database?.destroy();
  rmSync(folder, { recursive: true, force: true });
});

test("the name of every reference gives the table that it refers to", async () => {
  const { rows } = await sql<{ name: string; refers_to: string }>`
    select conname as name, confrelid::regclass::text as refers_to from pg_constraint where contype = 'f'`.execute(
    database,
  );
  expect(rows.length).toBeGreaterThan(20);
  for (const { name, refers_to } of rows) expect([name, referencedTable(name)]).toEqual([name, refers_to]);
});

test("a row that refers to a missing row is recognised; other errors are not", async () => {
  const missing = crypto.randomUUID();
  const error = await sql`insert into accounts_of_nobody values (1)`.execute(database).catch((thrown) => thrown);
  expect(goneReference(error)).toBeUndefined();
  expect(goneReference(undefined)).toBeUndefined();
  const gone = await database
    .insertInto("uploads")
    .values({
      ...{ id: missing, account_id: missing, length: 1, filename: "a" },
      metadata: "",
      expires_at: await databaseTime(database),
    })
    .execute()
    .catch((thrown: unknown) => thrown);
  expect(goneReference(gone), String(gone)).toBe("accounts");
});
