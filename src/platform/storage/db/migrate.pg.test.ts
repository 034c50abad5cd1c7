// Migrations run while processes of the previous version use the tables.
import { readdirSync } from "node:fs";
import { Kysely, type Migration, Migrator, PostgresDialect, sql } from "kysely";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { hasPostgres, type PostgresServer, startPostgres } from "../../../../test/fixtures/postgres.ts";
import { openDatabase } from "./database.ts";
import type { Database } from "./schema.ts";

const FOLDER = new URL("./migrations/", import.meta.url);
/** Later migrations change several of the tables that are in use here. */
const EARLIER = "0036-later-add-ons";

async function migrations(): Promise<Record<string, Migration>> {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith(".ts"));
  const read = async (file: string) => [file.replace(".ts", ""), await import(new URL(file, FOLDER).href)];
  return Object.fromEntries(await Promise.all(files.map(read)));
}

describe.skipIf(!hasPostgres)("migrations of a database in use (skipped without PostgreSQL)", () => {
  let server: PostgresServer;
  let url: string;
  let count = 0;
  /** A process of the previous version. */
  let other: pg.Client;
  /** This version, when it has started. */
  let opening: Promise<Database>;

  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server?.stop());

  const address = () => ({ connectionString: server.url, options: `-c search_path=earlier${count}` });
  async function connected(): Promise<pg.Client> {
    const client = new pg.Client(address());
    await client.connect();
    return client;
  }

  beforeEach(async () => {
    url = `${server.url}?schema=earlier${++count}`;
    other = await connected();
    await other.query(`create schema earlier${count}`);
    const pool = new pg.Pool(address());
    const earlier = new Kysely<never>({ dialect: new PostgresDialect({ pool }) });
    const provider = { getMigrations: migrations };
    const migrator = new Migrator({ db: earlier, migrationTableSchema: `earlier${count}`, provider });
    const { error } = await migrator.migrateTo(EARLIER);
    await earlier.destroy();
    expect(error).toBeUndefined();
  });
  afterEach(async () => {
    await other.end();
    await (await opening).destroy();
  });

  /** Resolves when a migration waits for a lock. */
  const waits = async () => {
    const waiting = "select from pg_stat_activity where wait_event_type = 'Lock' and query ilike 'alter table%'";
    await expect.poll(async () => (await other.query(waiting)).rowCount, { interval: 20 }).toBeGreaterThan(0);
  };

  test("each one is a transaction of its own", async () => {
    opening = openDatabase(url, "");
    const database = await opening;
    const { rows } = await sql<{ all: number; transactions: number }>`
      select count(*)::integer as all, count(distinct xmin::text)::integer as transactions
      from kysely_migration where name > ${EARLIER}`.execute(database);
    expect(rows[0]?.all).toBeGreaterThan(3);
    expect(rows[0]?.transactions).toBe(rows[0]?.all);
  });

  test("a long transaction that reads a table holds up no other reader, and the migration waits for it", async () => {
    const long = await connected();
    await long.query("begin; select count(*) from jobs");
    opening = openDatabase(url, "");
    await waits();
    // Waits behind the migration, which gives up.
    await other.query("select count(*) from jobs");
    await long.query("commit");
    await long.end();
    const database = await opening;
    expect((await sql`select is_served from live_sessions`.execute(database)).rows).toEqual([]);
  });

  test("a transaction that uses tables in another order than the migrations is no deadlock", async () => {
    const crossing = await connected();
    await crossing.query("begin; select count(*) from deliveries");
    opening = openDatabase(url, "");
    await waits();
    // The migrations before the one that waits have changed this table.
    await crossing.query("select count(*) from jobs; commit");
    await crossing.end();
    await opening;
  });
});
