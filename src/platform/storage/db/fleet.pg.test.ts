// What several processes share on one PostgreSQL server: its clock, the limits of accounts, and work that one process does for all.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { v7 as uuid } from "uuid";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { hasPostgres, type PostgresServer, startPostgres } from "../../../../test/fixtures/postgres.ts";
import { ensureAccount, setLimits } from "./accounts/accounts.ts";
import { type Database, openDatabase } from "./database.ts";
import { databaseTime, noteClock, statementTime } from "./database-time.ts";
import { insertDeliveries } from "./deliveries/deliveries.ts";
import { claimLane } from "./deliveries/lane-claims.ts";
import { Duties } from "./duties.ts";
import { saveFile } from "./files/files.ts";
import { dueRemovals, planRemovals } from "./files/object-removals.ts";
import { repairCounts } from "./jobs/account-lanes.ts";
import { holdOf, requeueJob } from "./jobs/held-jobs.ts";
import { claimNextJob } from "./jobs/job-claims.ts";
import { removeJobs, startLiveJob } from "./jobs/jobs.ts";
import { recoverExpired } from "./jobs/leases.ts";
import { admitSession, endAdmission } from "./jobs/live-admissions.ts";
import { createTokens, noteServed, unusedSessions } from "./jobs/live-sessions.ts";
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

  async function newSession(accountId: string): Promise<string> {
    const id = await newJob(accountId, "live");
    await createTokens(database, id, null, false);
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

  test("the clock follows what other statements read, unless their round trip was long or the machine was suspended", async () => {
    const own = await openDatabase(server.url, folder);
    try {
      const before = databaseTime(own).getTime();
      const ahead = (seconds: number, roundTrip: number) => {
        const received = performance.now();
        noteClock(own, { sent: received - roundTrip, received, milliseconds: before + seconds * 1000 });
        return Math.round((databaseTime(own).getTime() - before) / 1000);
      };
      expect(ahead(1_000, 1)).toBe(1_000);
      expect(ahead(2_000, 500)).toBe(1_000);
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
      expect(ahead(3_000, 1)).toBe(1_000);
    } finally {
      vi.useRealTimers();
      await own.destroy();
    }
  });

  test("one process has a duty, until it stops renewing it or stops", async () => {
    const [first, second] = databases.map((one, index) => new Duties(one, `p${index}`, false)) as [Duties, Duties];
    const answers = await Promise.all([first, second, first, second].map((one) => one.holds("search")));
    expect(new Set([answers[0], answers[1]])).toEqual(new Set([true, false]));
    const [holder, other] = answers[0] ? [first, second] : [second, first];
    expect(await holder.holds("search")).toBe(true);
    expect(await other.holds("search")).toBe(false);
    expect(await other.holds("retention")).toBe(true);
    await sql`update duties set until = now() - interval '1 second' where name = 'search'`.execute(database);
    expect(await other.holds("search")).toBe(true);
    expect(await holder.holds("search")).toBe(false);
    await other.release();
    expect(await holder.holds("search")).toBe(true);
    await holder.release();
  });

  test("processes together admit no more live sessions of an account than its limit", async () => {
    const account = await newAccount();
    const sessions = await Promise.all(Array.from({ length: 6 }, () => newJob(account, "live")));
    const admit = (id: string, index: number) =>
      admitSession(databases[index % databases.length] as Database, account, 2, id);
    const outcomes = await Promise.all(sessions.map(admit));
    const admitted = sessions.filter((_, index) => outcomes[index]);
    expect(admitted).toHaveLength(2);
    // A client that reconnects before its session has started, and afterwards.
    expect(await admitSession(database, account, 2, admitted[0])).toBe(true);
    for (const id of admitted) await startLiveJob(database, id);
    expect(await admitSession(database, account, 2, admitted[0])).toBe(true);
    expect(await Promise.all(sessions.filter((id) => !admitted.includes(id)).map(admit))).not.toContain(true);
    expect(await admitSession(database, account, 2)).toBe(false);
    // The client of one of them has left, and its result is being made: all processes have room for another one, once.
    const served = await newSession(account);
    await startLiveJob(database, served);
    expect(await admitSession(database, account, 3)).toBe(false);
    await noteServed(database, served);
    for (const one of databases) expect(await admitSession(one, account, 3)).toBe(true);
    expect(await admitSession(database, account, 2)).toBe(false);
    // A session that has not begun makes no room, and neither does one of another account.
    await noteServed(database, await newSession(account));
    const other = await newSession(await newAccount());
    await startLiveJob(database, other);
    await noteServed(database, other);
    expect(await admitSession(database, account, 2)).toBe(false);
    await removeJobs(database, [served]);
    // One that fails to start makes room; so does an admission of a process that was lost.
    await removeJobs(database, [admitted[0] as string]);
    const [next = "", last = ""] = sessions.filter((id) => !admitted.includes(id));
    expect(await admitSession(database, account, 2, next)).toBe(true);
    expect(await admitSession(database, account, 2, last)).toBe(false);
    await sql`update live_admissions set until = now() - interval '1 second'`.execute(database);
    expect(await admitSession(database, account, 2, last)).toBe(true);
    await endAdmission(database, last);
    expect(await admitSession(database, account, 2, next)).toBe(true);
    await sql`delete from jobs`.execute(database);
  });

  test("claimers of all processes together run no more jobs of an account than its limit", async () => {
    const accounts = [await newAccount(), await newAccount()];
    await setLimits(database, accounts[1] as string, { concurrent_jobs: 3 });
    for (const account of accounts) for (let job = 0; job < 8; job++) await newJob(account);
    for (let round = 0; round < 8; round++) {
      const claims = Array.from({ length: 8 }, (_, index) =>
        claim(databases[index % databases.length] as Database, `machine${index}#1`, 1),
      );
      const claimed = (await Promise.all(claims)).filter((row) => row !== undefined);
      const perAccount = accounts.map((id) => claimed.filter((row) => row.account_id === id).length);
      // As many as the limits allow, too: a claim that finds the counts locked is tried again.
      expect(perAccount).toEqual([1, 3]);
      expect(new Set(claimed.map(({ id }) => id)).size).toBe(claimed.length);
      for (const row of claimed) expect(await requeueJob(database, holdOf(row), false)).toBe(true);
    }
    expect(await repairCounts(database)).toBe(0);
    await sql`delete from jobs`.execute(database);
  });
});
