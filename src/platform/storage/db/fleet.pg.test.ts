// What several processes share on one PostgreSQL server: its clock.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { v7 as uuid } from "uuid";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { hasPostgres, type PostgresServer, startPostgres } from "../../../../test/fixtures/postgres.ts";
import { ensureAccount } from "./accounts/accounts.ts";
import { type Database, openDatabase } from "./database.ts";
import { databaseTime, statementTime } from "./database-time.ts";
import { claimLane, insertDeliveries } from "./deliveries/deliveries.ts";
import { saveFile } from "./files/files.ts";
import { dueRemovals, planRemovals } from "./files/object-removals.ts";
import { claimNextJob } from "./jobs/job-claims.ts";
import { recoverExpired } from "./jobs/leases.ts";
import { unusedSessions } from "./jobs/live-sessions.ts";
import { insertJob } from "./jobs/new-job.ts";

const MODEL = "m";

describe.skipIf(!hasPostgres)("several processes on one PostgreSQL (skipped without it)", () => {
  let server: PostgresServer;
  let folder: string;
  /** One for each process. */
  let databases: Database[];
  let database: Database;

  beforeAll(async () => {
    server = await startPostgres();
    folder = mkdtempSync(path.join(os.tmpdir(), "parlance-fleet-"));
    databases = [await openDatabase(server.url, folder), await openDatabase(server.url, folder)];
    [database] = databases as [Database];
  });
  afterEach(() => vi.useRealTimers());
  afterAll(async () => {
    for (const one of databases) await one.destroy();
    server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const newAccount = async () =>
    (await ensureAccount(database, { id: uuid(), name: uuid() }, databaseTime(database))).id;

  async function newJob(accountId: string, kind: "pre-recorded" | "live" = "pre-recorded"): Promise<string> {
    const id = uuid();
    const createdAt = databaseTime(database);
    if (kind === "live") {
      await insertJob(database, { id, accountId, kind, model: MODEL, createdAt, params: {} });
      return id;
    }
    await saveFile(database, {
      ...{ id, account_id: accountId, filename: "a", source: null, extension: "wav", size: 1, object_key: id },
      ...{ audio_duration: 1, number_of_channels: 1, created_at: createdAt },
    });
    await insertJob(database, { id, accountId, kind, model: MODEL, createdAt, params: {}, fileId: id });
    return id;
  }

  const claim = (on: Database, worker: string, concurrentJobs = 0) =>
    claimNextJob(on, { worker, lane: "process", busyAccounts: [], concurrentJobs, models: [MODEL] });

  test.each([
    ["a day ahead", 86_400_000],
    ["a day behind", -86_400_000],
  ])("a process whose clock is %s ends no work of another one", async (_, difference) => {
    const accountId = await newAccount();
    const [session, job] = [await newJob(accountId, "live"), await newJob(accountId)];
    expect((await claim(database, "right#1"))?.id).toBe(job);
    const target = { jobId: job, url: "http://127.0.0.1/", method: "POST" };
    const delivery = { id: uuid(), sequence: 0, event: "e", payload: "{}" };
    await insertDeliveries(database, target, [delivery], statementTime);
    const lanes = { heldSeconds: 60, busyHosts: [], busyAccounts: [] };
    expect((await claimLane(database, lanes))?.jobId).toBe(job);
    await planRemovals(database, [{ key: job, isFolder: false }], 60);

    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + difference });
    const wrong = await openDatabase(server.url, folder);
    try {
      const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(wrong);
      expect(Math.abs(databaseTime(wrong).getTime() - (rows[0]?.now.getTime() ?? 0))).toBeLessThan(10_000);
      expect(Math.abs(Date.now() - databaseTime(wrong).getTime())).toBeGreaterThan(80_000_000);
      const recovery = { isOnlyProcess: false, self: { machine: "wrong", generation: 1 }, running: [], mostStrikes: 5 };
      expect(await recoverExpired(wrong, recovery)).toEqual({ requeued: [], exhausted: [] });
      expect(await unusedSessions(wrong, 600)).not.toContain(session);
      expect(await claimLane(wrong, lanes)).toBeUndefined();
      expect((await dueRemovals(wrong, 100)).map(({ key }) => key)).not.toContain(job);
    } finally {
      await wrong.destroy();
      await sql`delete from jobs`.execute(database);
    }
  });
});
