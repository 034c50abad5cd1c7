// Processes of one service start at the same time with a new database.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasPostgres, type PostgresServer, startPostgres } from "../../../test/fixtures/postgres.ts";
import { countKeys } from "../../platform/storage/db/accounts/accounts.ts";
import { type Database, openDatabase } from "../../platform/storage/db/database.ts";
import { Disk } from "../../platform/storage/disk/disk.ts";
import { prepareAccounts } from "./first-account.ts";
import { FirstKey } from "./first-key.ts";

describe.skipIf(!hasPostgres)("the first key (skipped without PostgreSQL)", () => {
  let server: PostgresServer;
  let folder: string;
  let databases: Database[];
  beforeAll(async () => {
    server = await startPostgres();
    folder = mkdtempSync(path.join(os.tmpdir(), "parlance-first-key-"));
    databases = [];
    for (let number = 0; number < 4; number++) databases.push(await openDatabase(server.url, folder, new Disk(false)));
  });
  afterAll(async () => {
    await Promise.all(databases.map((database) => database.destroy()));
    server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test("is made by one of the processes", async () => {
    const keys = databases.map((_, number) => new FirstKey(path.join(folder, String(number)), new Disk(false)));
    const accounts = await Promise.all(
      databases.map((database, number) => prepareAccounts(database, keys[number] as FirstKey, uuid)),
    );
    expect(new Set(accounts.map(({ account }) => account.id)).size).toBe(1);
    expect(await countKeys(databases[0] as Database)).toBe(1);
    expect(keys.filter(({ current }) => current !== undefined)).toHaveLength(1);
  });
});
