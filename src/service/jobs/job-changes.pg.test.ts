// Streams of events in several processes, on a PostgreSQL server.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { pino } from "pino";
import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { hasPostgres, type PostgresServer, startPostgres } from "../../../test/fixtures/postgres.ts";
import { recordedJob } from "../../../test/fixtures/recorded-job.ts";
import type { JobEvent } from "../../contract/job-events.ts";
import { ensureAccount } from "../../platform/storage/db/accounts/accounts.ts";
import { type Database, openDatabase } from "../../platform/storage/db/database.ts";
import { databaseTime } from "../../platform/storage/db/database-time.ts";
import { insertCorrection } from "../../platform/storage/db/jobs/corrections.ts";
import { listJobs } from "../../platform/storage/db/jobs/job-lists.ts";
import { labelJob } from "../../platform/storage/db/jobs/job-tags.ts";
import { insertJob } from "../../platform/storage/db/jobs/new-job.ts";
import { Signals } from "../../platform/storage/db/signals.ts";
import { JobChanges } from "./job-changes.ts";

const logger = pino({ level: "silent" });

describe.skipIf(!hasPostgres)("streams of events (skipped without PostgreSQL)", () => {
  let server: PostgresServer;
  let folder: string;
  let database: Database;
  let elsewhere: Database;
  let signals: Signals;
  let changes: JobChanges;

  beforeAll(async () => {
    server = await startPostgres();
    folder = mkdtempSync(path.join(os.tmpdir(), "parlance-changes-"));
    database = await openDatabase(server.url, folder);
    elsewhere = await openDatabase(server.url, folder);
    signals = new Signals({ database, machine: "here", logger });
    changes = new JobChanges({ database, signals, logger });
    signals.start();
    await vi.waitUntil(() => signals.isListening, 20_000);
  });
  afterAll(async () => {
    await changes?.stop();
    await signals?.stop();
    await elsewhere?.destroy();
    await database?.destroy();
    server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const newAccount = async () =>
    (await ensureAccount(database, { id: uuid(), name: uuid() }, databaseTime(database))).id;
  async function newJob(accountId: string): Promise<string> {
    const job = recordedJob(accountId);
    await insertJob(elsewhere, job);
    return job.id;
  }
  async function watch(accountId: string) {
    const events: JobEvent[] = [];
    const close = await changes.open(accountId, { send: (event) => events.push(event), end: () => undefined });
    return { events, close };
  }

  test("what another process changes is an event of the account's streams only", async () => {
    const [own, other] = [await newAccount(), await newAccount()];
    const id = await newJob(own);
    const [first, second, foreign] = [await watch(own), await watch(own), await watch(other)];
    const made = {
      id: uuid(),
      jobId: id,
      madeBy: "test",
      resultKey: null,
      change: { speakers: [{ speaker: 0, name: "Anna" }] },
    };
    await insertCorrection(elsewhere, made, databaseTime(elsewhere));
    await labelJob(elsewhere, id, { name: "Meeting", added: ["council"] });
    const expected = { type: "job", data: expect.objectContaining({ id, name: "Meeting", version: 1 }) };
    for (const { events } of [first, second]) await expect.poll(() => events).toContainEqual(expected);
    expect(foreign.events.filter(({ type }) => type !== "reread")).toEqual([]);
    for (const { close } of [first, second, foreign]) close();
  });

  test("tags that two processes add at once are both kept, announced, and found by the filter of each", async () => {
    const account = await newAccount();
    const id = await newJob(account);
    const { events, close } = await watch(account);
    await Promise.all([
      labelJob(database, id, { added: ["a", "shared"] }),
      labelJob(elsewhere, id, { added: ["b", "Shared"] }),
    ]);
    const announced = { type: "job", data: expect.objectContaining({ id, name: null }) };
    await expect.poll(() => events).toContainEqual(announced);
    for (const process of [database, elsewhere]) {
      const wanted = { accountId: account, tags: ["a", "b", "shared"], offset: 0, limit: 10 };
      const { rows } = await listJobs(process, wanted, "none");
      expect(rows.map((row) => [row.id, row.tags.length])).toEqual([[id, 3]]);
    }
    close();
  });

  test("an account without a stream sends no notification", async () => {
    const account = await newAccount();
    const received: string[] = [];
    signals.onChange((_, jobId) => received.push(jobId));
    const quiet = await newJob(account);
    const { close } = await watch(account);
    const announced = await newJob(account);
    await expect.poll(() => received).toContain(announced);
    expect(received).not.toContain(quiet);
    close();
  });

  test("after a lost connection for notifications, streams request to read everything again", async () => {
    const { events, close } = await watch(await newAccount());
    // The second one follows the settling of the new watch.
    await expect.poll(() => events.length).toBe(2);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where query ilike '%listen%' and pid <> pg_backend_pid()`.execute(
      elsewhere,
    );
    await expect.poll(() => events.length).toBeGreaterThan(2);
    expect(events.every(({ type }) => type === "reread")).toBe(true);
    close();
  });
});
