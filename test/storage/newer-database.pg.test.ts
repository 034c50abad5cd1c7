// A database that a newer version has brought up to date is used as it is where that version says that this one can, and otherwise refused with the name of that version, and stays as it is.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDatabase } from "../../src/platform/storage/db/database.ts";
import { deploymentFact, setDeploymentFact } from "../../src/platform/storage/db/deployment.ts";
import { repairCounts } from "../../src/platform/storage/db/jobs/account-lanes.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "../fixtures/postgres.ts";

const FUTURE = "9999-future";

async function check(url: string, folder: string): Promise<void> {
  const newer = await openDatabase(url, folder);
  await sql`insert into kysely_migration (name, timestamp) values (${FUTURE}, '2999-01-01T00:00:00.000Z')`.execute(
    newer,
  );
  await sql`update deployment set value = '99.0.0' where name = 'version'`.execute(newer);
  await newer.destroy();

  // The newer version names the oldest one that can work with its tables: this one.
  const usable = await openDatabase(url, folder);
  expect(await deploymentFact(usable, "version")).toBe("99.0.0");
  expect(await repairCounts(usable)).toBe(0);
  // Its tables lack what this version uses.
  await setDeploymentFact(usable, "schema_usable_from", "9999-future");
  await usable.destroy();

  await expect(openDatabase(url, folder)).rejects.toMatchObject({
    code: "database.newer",
    message: expect.stringMatching(
      /belongs to Parlance 99\.0\.0, and this is \d+\.\d+\.\d+.*Install 99\.0\.0 again; or restore the backup/,
    ),
  });

  const same = await openDatabase(url, folder, undefined, { migrates: false });
  const { rows } = await sql<{ value: string }>`select value from deployment where name = 'version'`.execute(same);
  expect(rows).toEqual([{ value: "99.0.0" }]);
  await sql`delete from kysely_migration where name = ${FUTURE}`.execute(same);
  await same.destroy();

  const again = await openDatabase(url, folder);
  expect(
    (await sql<{ value: string }>`select value from deployment where name = 'version'`.execute(again)).rows[0]?.value,
  ).not.toBe("99.0.0");
  await again.destroy();
}

test("the embedded database", async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-newer-"));
  await check("", folder);
  rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(!hasPostgres)("PostgreSQL (skipped without it)", () => {
  let postgres: PostgresServer;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres?.stop());

  test("the default schema, and another one", async () => {
    await check(postgres.url, "");
    await check(`${postgres.url}?schema=other`, "");
  });
});
