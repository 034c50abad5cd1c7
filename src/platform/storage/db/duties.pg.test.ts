// Duties of processes that share a database.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasPostgres, type PostgresServer, startPostgres } from "../../../../test/fixtures/postgres.ts";
import { Disk } from "../disk/disk.ts";
import { type Database, openDatabase } from "./database.ts";
import { Duties } from "./duties.ts";
import { workerName, workerNamePrefix } from "./jobs/leases.ts";

describe.skipIf(!hasPostgres)("duties (skipped without PostgreSQL)", () => {
  let server: PostgresServer;
  let database: Database;
  beforeAll(async () => {
    server = await startPostgres();
    database = await openDatabase(server.url, "", new Disk(false));
  });
  afterAll(async () => {
    await database?.destroy();
    server?.stop();
  });

  const process = (machine: string, generation: number) =>
    new Duties(database, workerName({ machine, generation }), false);

  test("a process that starts again has the duties of its killed predecessor at once, and no others", async () => {
    expect(await process("one", 1).holds("retention")).toBe(true);
    expect(await process("on", 1).holds("search")).toBe(true);
    const again = process("one", 2);
    expect(await again.holds("retention")).toBe(false);
    await again.releaseEarlier(workerNamePrefix("one"));
    expect(await again.holds("retention")).toBe(true);
    expect(await again.holds("search")).toBe(false);
    await process("on", 2).releaseEarlier(workerNamePrefix("on"));
    expect(await again.holds("search")).toBe(true);
    expect(await process("on", 2).holds("retention")).toBe(false);
  });
});
