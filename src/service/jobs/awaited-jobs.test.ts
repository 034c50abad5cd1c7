// Uses the embedded database.

import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { pino } from "pino";
import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, expect, test } from "vitest";
import { recordedJob } from "../../../test/fixtures/recorded-job.ts";
import { clientTime } from "../../platform/storage/db/client-time.ts";
import { type Database, openDatabase } from "../../platform/storage/db/database.ts";
import { endJob, findJob, removeJobs } from "../../platform/storage/db/jobs/jobs.ts";
import { insertJob } from "../../platform/storage/db/jobs/new-job.ts";
import { AwaitedJobs } from "./awaited-jobs.ts";

let folder: string;
let database: Database;
let awaited: AwaitedJobs;
const accountId = uuid();
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "parlance-awaited-"));
  database = await openDatabase("", folder);
  await database
    .insertInto("accounts")
    .values({ id: accountId, name: "a", created_at: clientTime(new Date()) } as never)
    .execute();
  awaited = new AwaitedJobs(database, pino({ level: "silent" }));
});
afterAll(async () => {
  await awaited.stop();
  await database.destroy();
  await rm(folder, { recursive: true, force: true });
});

async function newJob(): Promise<string> {
  const id = uuid();
  await insertJob(database, recordedJob(accountId, { id }));
  return id;
}
const { signal } = new AbortController();

test("requests continue when their jobs end, were deleted, or had ended before", async () => {
  const [done, removed, early, open] = [await newJob(), await newJob(), await newJob(), await newJob()];
  const ending = { status: "done", completedAt: clientTime(new Date()), resultKey: "r" } as const;
  await endJob(database, early, ending, null);
  const leave = new AbortController();
  const waiting = awaited.ended(open, leave.signal);
  const others = [done, done, removed, early].map((id) => awaited.ended(id, signal));
  await endJob(database, done, ending, null);
  await removeJobs(database, [removed]);
  await Promise.all(others);
  expect((await findJob(database, open))?.status).toBe("queued");
  leave.abort();
  await expect(waiting).rejects.toMatchObject({ code: "work.aborted" });
});

test("waiting requests are aborted when the service stops", async () => {
  const waiting = awaited.ended(await newJob(), signal);
  const refused = expect(waiting).rejects.toMatchObject({ code: "work.aborted", status: 503 });
  await awaited.stop();
  await refused;
});
