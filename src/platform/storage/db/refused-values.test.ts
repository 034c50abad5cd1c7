import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Database, openDatabase } from "./database.ts";

let folder: string;
let database: Database;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "parlance-values-"));
  database = await openDatabase("", folder);
});
afterAll(async () => {
  await database.destroy();
  await rm(folder, { recursive: true });
});

test.each([
  ["NUL in a text", sql`select ${"a\0b"}::text`],
  ["NUL in a JSON text", sql`select ${'{"a":"\\u0000"}'}::jsonb`],
  ["half of a surrogate pair in a JSON text", sql`select ${'{"a":"\\ud800"}'}::jsonb`],
  ["no id", sql`select ${"-".repeat(36)}::uuid`],
  ["a number above int4", sql`select ${"2147483648"}::integer`],
  ["a number above int8", sql`select ${"9223372036854775808"}::bigint`],
  ["an infinite number in an integer", sql`select ${"1e308"}::integer`],
  ["a year above those of PostgreSQL", sql`select ${"+275760-09-13T00:00:00.000Z"}::timestamptz`],
  ["the year 0", sql`select ${"0000-01-01T00:00:00.000Z"}::timestamptz`],
  [
    "a text that is too long for a search",
    sql`select to_tsvector('simple', string_agg(md5(i::text), ' ')) from generate_series(1, 60000) i`,
  ],
])("%s is refused as the sender's error, and the database continues", async (_, query) => {
  const outcome = await query.execute(database).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(outcome).toMatchObject({ code: "database.value", status: 400, retryable: false });
  expect((await sql<{ one: number }>`select 1 as one`.execute(database)).rows).toEqual([{ one: 1 }]);
});

test("a fault of a statement of ours stays one", async () => {
  await expect(sql`select nothing from nowhere`.execute(database)).rejects.toMatchObject({ code: "42P01" });
});
