// Servers whose defaults differ from those of a fresh PostgreSQL: other dates, stricter isolation, another encoding.
import { readFileSync } from "node:fs";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { clientTime } from "../../src/platform/storage/db/client-time.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "../fixtures/postgres.ts";
import { HELLO_MP3 } from "../fixtures/recordings.ts";
import { call, finished, startService, submit } from "../service.ts";

const JOBS = 12;

describe.skipIf(!hasPostgres)("a server with other defaults (skipped without PostgreSQL)", () => {
  let postgres: PostgresServer;
  beforeAll(async () => {
    postgres = await startPostgres({
      settings: {
        DateStyle: "German, DMY",
        IntervalStyle: "sql_standard",
        bytea_output: "escape",
        default_transaction_isolation: "serializable",
        TimeZone: "Asia/Kolkata",
      },
    });
  });
  afterAll(() => postgres?.stop());

  test("many jobs at once are done, listed and searched", { timeout: 240_000 }, async () => {
    const hello = readFileSync(HELLO_MP3);
    const service = await startService({ environment: { DATABASE_URL: postgres.url, PARLANCE_CONCURRENT_JOBS: "6" } });
    const ids = await Promise.all(
      Array.from({ length: JOBS }, () => submit(service, hello, { custom_metadata: { kind: "defaults" } })),
    );
    for (const id of ids) expect((await finished(service, id)).status).toBe("done");
    const today = clientTime(new Date()).toISOString().slice(0, 10);
    const { status, json } = await call(service, "GET", `/v2/transcription?date=${today}&limit=100`);
    expect(status).toBe(200);
    expect(json.items.map(({ id }: { id: string }) => id).sort()).toEqual([...ids].sort());
    for (const item of json.items) expect(item.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(await service.stop()).toBe(0);
    expect(service.log()).not.toMatch(/"level":"(warn|error)"/);
    await service.remove();
  });

  test("a database that is not UTF-8 is refused at the start, with what to do", async () => {
    const client = new pg.Client(postgres.url);
    await client.connect();
    await client.query("create database latin encoding 'LATIN1' template template0 lc_collate 'C' lc_ctype 'C'");
    await client.end();
    const start = startService({ environment: { DATABASE_URL: postgres.url.replace(/postgres$/, "latin") } });
    const error = await start.catch((thrown: Error) => thrown);
    expect(String(error)).toMatch(/has the encoding LATIN1; transcripts need UTF8.*create database/);
    expect(String(error)).not.toMatch(/\n\s+at /);
  });
});

describe.skipIf(!hasPostgres)("transactions that conflict (skipped without PostgreSQL)", () => {
  test("deadlocks are repeated until both have happened", { timeout: 60_000 }, async () => {
    const { openDatabase } = await import("../../src/platform/storage/db/database.ts");
    const { inTransaction } = await import("../../src/platform/storage/db/transaction.ts");
    const postgres = await startPostgres({ settings: { deadlock_timeout: "50ms" } });
    const database = await openDatabase(postgres.url, "");
    try {
      const names = ["one", "other"];
      for (const [index, name] of names.entries()) {
        await database
          .insertInto("accounts")
          .values({ id: ID(index), name, created_at: clientTime(new Date()) })
          .execute();
      }
      const rename = (order: number[], suffix: string) =>
        inTransaction(database, async (transaction) => {
          for (const index of order) {
            const set = { name: `${names[index]} ${suffix}` };
            await transaction.updateTable("accounts").set(set).where("id", "=", ID(index)).execute();
            await new Promise((resolve) => setTimeout(resolve, 100));
          }
        });
      await Promise.all([rename([0, 1], "a"), rename([1, 0], "b")]);
      const rows = await database.selectFrom("accounts").select("name").where("name", "like", "o%").execute();
      const suffixes = new Set(rows.map(({ name }) => name.at(-1)));
      expect(suffixes.size).toBe(1);
    } finally {
      await database.destroy();
      postgres.stop();
    }
  });
});

const ID = (index: number) => `00000000-0000-7000-8000-00000000000${index}`;
