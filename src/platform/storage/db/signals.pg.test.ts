// What wakes the idle parts of a process, on a PostgreSQL server.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { pino } from "pino";
import { v7 as uuid } from "uuid";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { hasPostgres, type PostgresServer, startPostgres } from "../../../../test/fixtures/postgres.ts";
import { JobQueue } from "../../../service/jobs/queue.ts";
import { ModelStore } from "../../../service/models/store.ts";
import { beginDeletion, ensureAccount, setLimits } from "./accounts/accounts.ts";
import { type Database, openDatabase } from "./database.ts";
import { databaseTime, statementTime } from "./database-time.ts";
import { insertDeliveries } from "./deliveries/deliveries.ts";
import { Duties } from "./duties.ts";
import { saveFile } from "./files/files.ts";
import { holdOf, requeueJob } from "./jobs/held-jobs.ts";
import { endJob, removeJobs, useModel } from "./jobs/jobs.ts";
import { recoverExpired } from "./jobs/leases.ts";
import { insertJob } from "./jobs/new-job.ts";
import { beginGeneration } from "./machines.ts";
import { openNotifications } from "./notifications.ts";
import { Signals } from "./signals.ts";

const logger = pino({ level: "silent" });
const MODEL = "moonshine-base-en";

describe.skipIf(!hasPostgres)("signals (skipped without PostgreSQL)", () => {
  let server: PostgresServer;
  let folder: string;
  let database: Database;
  const started: { stop(): Promise<void> }[] = [];

  beforeAll(async () => {
    server = await startPostgres();
    folder = mkdtempSync(path.join(os.tmpdir(), "parlance-signals-"));
    database = await openDatabase(server.url, folder);
  });
  afterEach(async () => {
    for (const one of started.splice(0)) await one.stop();
    await sql`truncate jobs, accounts, duties cascade`.execute(database);
  });
  afterAll(async () => {
    await database?.destroy();
    server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const newAccount = async () =>
    (await ensureAccount(database, { id: uuid(), name: uuid() }, databaseTime(database))).id;

  async function newJob(accountId: string, isWanted = false): Promise<string> {
    const id = uuid();
    const createdAt = databaseTime(database);
    await saveFile(database, {
      ...{ id, account_id: accountId, filename: "a", source: null, extension: "wav", size: 1, object_key: id },
      ...{ audio_duration: 1, number_of_channels: 1, created_at: createdAt },
    });
    const wanted = isWanted ? { wantedUntil: statementTime } : {};
    const job = { id, accountId, kind: "pre-recorded", model: MODEL, createdAt, params: {}, fileId: id } as const;
    await insertJob(database, { ...job, ...wanted });
    return id;
  }

  const newQueue = (signals?: Signals) =>
    new JobQueue(database, { fetch: 0, process: 0 }, new ModelStore(path.join(folder, "models")), {
      ...(signals ? { signals } : {}),
    });
  const claimOf = (lane: "fetch" | "process") => ({ worker: "a#1", lane, busyAccounts: [] });

  async function listeningSignals(): Promise<Signals> {
    const signals = new Signals({ database, machine: "here", logger });
    started.push(signals);
    signals.start();
    await expect.poll(() => signals.isListening).toBe(true);
    return signals;
  }

  test("each reason to look for work sends a notification when its transaction commits", async () => {
    const received: string[] = [];
    const listening = openNotifications(database, {
      onNotification: (payload) => received.push(payload),
      onEnd: () => undefined,
    });
    started.push({ stop: () => listening.close() });
    const { rows } = await sql<{ channel: string }>`select signal_channel() as channel`.execute(database);
    await sql`listen ${sql.id(rows[0]?.channel ?? "")}`.execute(listening.database);
    const sends = async (topic: string, change: () => Promise<unknown>) => {
      // The answer to a statement follows the notifications of what was committed before.
      await sql`select 1`.execute(listening.database);
      received.length = 0;
      await change();
      await expect.poll(() => received).toContain(topic);
    };
    const account = await newAccount();
    const queue = newQueue();
    let job = "";
    await sends("process", async () => {
      job = await newJob(account);
    });
    const claimed = async () => {
      const row = await queue.take(claimOf("process"));
      expect(row?.id).toBe(job);
      return holdOf(row as never);
    };
    const hold = await claimed();
    await sends("process", () => requeueJob(database, hold, false));
    await claimed();
    await sends("process", async () => {
      await sql`update jobs set lease_until = now() - interval '1 second'`.execute(database);
      const recovery = { isOnlyProcess: false, self: { machine: "b", generation: 1 }, running: [], mostStrikes: 5 };
      expect((await recoverExpired(database, recovery)).requeued).toHaveLength(1);
    });
    await sends("process", () => setLimits(database, account, { concurrent_jobs: 3 }));
    await sends("process", () => useModel(database, job, "moonshine-tiny-en"));
    await useModel(database, job, MODEL);
    const running = await claimed();
    await newJob(account, true);
    await sends("process", () =>
      endJob(database, job, { status: "done", completedAt: databaseTime(database), resultKey: "" }, running),
    );
    await sends("fetch", async () => {
      const params = { id: uuid(), accountId: account, kind: "pre-recorded", model: MODEL, params: {} } as const;
      await insertJob(database, { ...params, createdAt: databaseTime(database) });
    });
    await sends("ended", async () => {
      const row = await queue.take(claimOf("process"));
      const end = { status: "done", completedAt: databaseTime(database), resultKey: "" } as const;
      await endJob(database, row?.id ?? "", end, holdOf(row as never));
    });
    const wanted = await newJob(account, true);
    await sends("ended", () => removeJobs(database, [wanted]));
    const delivery = { id: uuid(), sequence: 0, event: "e", payload: "{}" };
    const target = { jobId: job, url: "http://127.0.0.1/", method: "POST" };
    await sends("callbacks", () => insertDeliveries(database, target, [delivery], statementTime));
    await sends("removal", () => beginDeletion(database, account, statementTime));
    await beginGeneration(database, "folder", 0);
    await sends("machines", () => beginGeneration(database, "folder", 0));
    const duties = new Duties(database, "p1", false);
    await duties.holds("search");
    await sends("duties", () => duties.release());
  });

  test("a job that is accepted between an empty claim and the wait is claimed at once", async () => {
    const queue = newQueue(await listeningSignals());
    const wakes = () =>
      (queue as unknown as { lanes: { process: { waker: { count: number } } } }).lanes.process.waker.count;
    // What happened before the connection was made has woken the queue.
    await expect.poll(wakes).toBeGreaterThanOrEqual(0);
    expect(await queue.take(claimOf("process"))).toBeUndefined();
    const before = wakes();
    const job = await newJob(await newAccount());
    await expect.poll(wakes).toBeGreaterThan(before);
    await queue.waitForWork("process", new AbortController().signal);
    expect((await queue.take(claimOf("process")))?.id).toBe(job);
  });

  test("a job that is accepted while the connection for notifications is lost is claimed", async () => {
    const signals = await listeningSignals();
    const queue = newQueue(signals);
    expect(await queue.take(claimOf("process"))).toBeUndefined();
    const waiting = queue.waitForWork("process", new AbortController().signal);
    const account = await newAccount();
    const job = await database.transaction().execute(async (transaction) => {
      const { rows } = await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where pid <> pg_backend_pid() and (query like '%pg_listening_channels%' or query like 'listen %')`.execute(
        transaction,
      );
      expect(rows.length).toBeGreaterThan(0);
      return newJob(account);
    });
    await waiting;
    expect((await queue.take(claimOf("process")))?.id).toBe(job);
    await expect.poll(() => signals.isListening).toBe(true);
  });

  test("idle processes send few statements", async () => {
    const processes = 4;
    const stopping = new AbortController();
    const loops: Promise<unknown>[] = [];
    for (let index = 0; index < processes; index++) {
      const queue = newQueue(await listeningSignals());
      for (const lane of ["fetch", "process"] as const)
        loops.push(
          (async () => {
            while (!stopping.signal.aborted) {
              await queue.take(claimOf(lane));
              await queue.waitForWork(lane, stopping.signal);
            }
          })(),
        );
    }
    const count = async () => {
      await sql`select pg_stat_clear_snapshot()`.execute(database);
      const { rows } = await sql<{ count: number }>`select xact_commit::integer as count from pg_stat_database
        where datname = current_database()`.execute(database);
      return rows[0]?.count ?? 0;
    };
    const sent = async () => {
      const before = await count();
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      return (await count()) - before;
    };
    // The server counts the claims of the start late. Polls of both lanes twice a second would be 48 each time.
    try {
      await expect.poll(sent).toBeLessThan(20);
    } finally {
      stopping.abort();
      await Promise.all(loops);
    }
  });
});

test("the embedded database signals work in the same way", async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-signals-"));
  const database = await openDatabase("", folder);
  const signals = new Signals({ database, machine: "here", logger });
  try {
    const topics: string[] = [];
    signals.on("process", () => topics.push("process"));
    signals.start();
    await expect.poll(() => signals.isListening).toBe(true);
    topics.length = 0;
    const { id } = await ensureAccount(database, { id: uuid(), name: "a" }, databaseTime(database));
    const job = { id: uuid(), accountId: id, kind: "pre-recorded", model: MODEL, params: {} } as const;
    const createdAt = databaseTime(database);
    await saveFile(database, {
      ...{ id: job.id, account_id: id, filename: "a", source: null, extension: "wav", size: 1, object_key: "a" },
      ...{ audio_duration: 1, number_of_channels: 1, created_at: createdAt },
    });
    await insertJob(database, { ...job, createdAt, fileId: job.id });
    // With the answer of the statement: no interval.
    expect(topics).toContain("process");
  } finally {
    await signals.stop();
    await database.destroy();
    rmSync(folder, { recursive: true, force: true });
  }
});
