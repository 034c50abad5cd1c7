import { PGlite } from "@electric-sql/pglite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isFatal, PreparedStatements } from "./pglite-statements.ts";

let database: PGlite;
let statements: PreparedStatements;

beforeAll(async () => {
  database = await PGlite.create();
  statements = new PreparedStatements(database);
}, 60_000);

afterAll(() => database.close());

const VALUES = {
  id: "7d0a4c58-3f1f-4bd4-8d5e-30a8bd3c8f11",
  number: 42,
  large: "9007199254740993",
  share: 0.25,
  at: new Date("2026-11-23T10:00:00.123Z"),
  is_done: true,
  parameters: { languages: ["en"], nothing: null },
  nothing: null,
  names: ["one", 'two, with "marks"'],
  text: "Größe 語 'quoted'",
};
const TYPES = "uuid, integer, bigint, float8, timestamptz, boolean, jsonb, text, text[], text".split(", ");

test("values are returned as by PGlite's queries, unchanged", async () => {
  const columns = Object.keys(VALUES).map((name, at) => `$${at + 1}::${TYPES[at]} as "${name}"`);
  const sql = `select ${columns.join(", ")}`;
  const parameters = Object.values(VALUES);
  const expected = (await database.query(sql, parameters)).rows;
  for (let time = 0; time < 7; time++) expect((await statements.run(sql, parameters)).rows).toEqual(expected);
  expect(expected).toEqual([{ ...VALUES, large: 9_007_199_254_740_993n }]);
  expect((await statements.run("select $1::jsonb as answer", [null])).rows).toEqual([{ answer: null }]);
  expect((await statements.run("select $1::jsonb as answer", ["null"])).rows).toEqual([{ answer: null }]);
});

test("rows that a statement changed are counted", async () => {
  await database.exec("create table counted (id integer primary key, name text)");
  const insert = "insert into counted select number, 'x' from generate_series(1, $1::integer) as number";
  expect(await statements.run(insert, [3])).toEqual({ rows: [], affectedRows: 3 });
  const update = "update counted set name = $1 where id < $2";
  expect((await statements.run(update, ["y", 3])).affectedRows).toBe(2);
  expect((await statements.run(update, ["z", 0])).affectedRows).toBe(0);
  const removed = await statements.run("delete from counted where name = $1 returning id", ["x"]);
  expect(removed).toEqual({ rows: [{ id: 3 }], affectedRows: 1 });
  expect((await statements.run("select id from counted where id > $1", [0])).affectedRows).toBe(0);
});

test("a failed statement reports the reason, and works afterwards", async () => {
  await database.exec("create table single (id integer primary key)");
  const insert = "insert into single values ($1)";
  await statements.run(insert, [1]);
  await expect(statements.run(insert, [1])).rejects.toMatchObject({ code: "23505" });
  expect((await statements.run(insert, [2])).affectedRows).toBe(1);
  await expect(statements.run("select $1 from nowhere", [1])).rejects.toMatchObject({ code: "42P01" });
  await expect(statements.run("selekt $1", [1])).rejects.toMatchObject({ code: "42601" });
  expect((await statements.run("select count(*)::integer as count from single where id > $1", [0])).rows).toEqual([
    { count: 2 },
  ]);
});

test("one that fails in a transaction ends it, and nothing else", async () => {
  await database.exec("create table steps (id integer primary key)");
  await database.exec("begin");
  await statements.run("insert into steps values ($1)", [1]);
  await expect(statements.run("insert into steps values ($1)", [1])).rejects.toMatchObject({ code: "23505" });
  await expect(statements.run("select id from steps where id = $1", [1])).rejects.toMatchObject({ code: "25P02" });
  await database.exec("rollback");
  expect((await statements.run("select id from steps where id = $1", [1])).rows).toEqual([]);
});

test("a table may get another column", async () => {
  await database.exec("create table grown (id integer); insert into grown values (1)");
  const select = "select * from grown where id = $1";
  expect((await statements.run(select, [1])).rows).toEqual([{ id: 1 }]);
  await database.exec("alter table grown add column name text default 'new'");
  await expect(statements.run(select, [1])).rejects.toMatchObject({ code: "0A000" });
  expect((await statements.run(select, [1])).rows).toEqual([{ id: 1, name: "new" }]);
});

test("of more statements than are kept the least used ones go", async () => {
  const kept = async () => {
    const { rows } = await database.query<{ count: number }>(
      "select count(*)::integer as count from pg_prepared_statements",
    );
    return rows[0]?.count;
  };
  for (let number = 0; number < 600; number++) {
    const { rows } = await statements.run(`select $1::integer + ${number} as sum`, [1]);
    expect(rows).toEqual([{ sum: number + 1 }]);
  }
  expect(await kept()).toBe(256);
});

test("an error of a file of the write-ahead log is fatal; a value that looks like one is not", async () => {
  const full = 'could not write to file "pg_wal/xlogtemp.42": No space left on device';
  expect(isFatal(Object.assign(new Error(full), { severity: "ERROR", code: "53100" }))).toBe(true);
  const refused = await statements.run("select $1::text::uuid", ["pg_wal/x"]).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: "22P02", message: expect.stringContaining('"pg_wal/x"') });
  expect(isFatal(refused)).toBe(false);
});
