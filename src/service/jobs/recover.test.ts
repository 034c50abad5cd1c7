// Jobs of processes that no longer run, in the embedded database: which are requeued, and when one fails.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { pino } from "pino";
import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { clientTime } from "../../platform/storage/db/client-time.ts";
import { type Database, openDatabase } from "../../platform/storage/db/database.ts";
import type { DatabaseTime } from "../../platform/storage/db/database-time.ts";
import { finishStage } from "../../platform/storage/db/jobs/held-jobs.ts";
import { findJob } from "../../platform/storage/db/jobs/jobs.ts";
import { workerName } from "../../platform/storage/db/jobs/leases.ts";
import { insertJob } from "../../platform/storage/db/jobs/new-job.ts";
import { Disk } from "../../platform/storage/disk/disk.ts";
import { FileStore } from "../../platform/storage/objects/file-store.ts";
import { type RecoverOptions, recoverJobs } from "./recover.ts";
import { finishRemovals } from "./remove-objects.ts";

/** Leases are compared with the clock of the database, not with this one. */
const NOW = clientTime(new Date("2020-01-01T12:00:00Z"));
const SELF = { machine: "a", generation: 3 };
const HOUR = 3_600_000;
const later = (milliseconds: number) => clientTime(new Date(Date.now() + milliseconds));

let folder: string;
let database: Database;
let objects: FileStore;
const accountId = uuid();
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-recover-"));
  database = await openDatabase("", folder);
  objects = new FileStore(path.join(folder, "objects"), new Disk(false));
  await database
    .insertInto("accounts")
    .values({ id: accountId, name: "a", created_at: NOW } as never)
    .execute();
});
beforeEach(() => database.deleteFrom("jobs").execute());
afterAll(async () => {
  await database.destroy();
  rmSync(folder, { recursive: true, force: true });
});

/** A job that a process runs. */
async function running(worker: string, leaseUntil: DatabaseTime | null, strikes = 0): Promise<string> {
  const id = uuid();
  await insertJob(database, { id, accountId, kind: "pre-recorded", model: "m", createdAt: NOW, params: {} });
  await database
    .updateTable("jobs")
    .set({ status: "processing", worker, lease_until: leaseUntil, strikes })
    .where("id", "=", id)
    .execute();
  return id;
}

const recover = (options: Partial<RecoverOptions> = {}) =>
  recoverJobs(
    { database, objects, logger: pino({ level: "silent" }) },
    { isOnlyProcess: false, self: SELF, running: [], ...options },
  );

test.each([
  ["an expired lease", "b#1", later(-1), true],
  ["no lease", "b#1", null, true],
  ["a lease that ends later than any can", "b#1", later(2 * HOUR), true],
  ["a valid lease of another machine", "b#9", later(HOUR / 2), false],
  ["a valid lease of an earlier process of this folder", workerName({ ...SELF, generation: 2 }), later(HOUR / 2), true],
  ["a valid lease of this process", workerName(SELF), later(HOUR / 2), false],
])("a job with %s", async (_name, worker, lease, isRequeued) => {
  const id = await running(worker, lease);
  expect(await recover()).toBe(isRequeued ? 1 : 0);
  const row = await findJob(database, id);
  expect(row).toMatchObject(
    isRequeued ? { status: "queued", worker: null, strikes: 1 } : { status: "processing", worker, strikes: 0 },
  );
});

test("after an outage, only jobs of an earlier process of this folder are recovered until leases count again", async () => {
  await running("b#1", later(-1));
  await running(workerName({ ...SELF, generation: 2 }), later(-1));
  expect(await recover({ sparesExpired: true })).toBe(1);
  expect(await recover()).toBe(1);
});

test("the only process of a database requeues every running job", async () => {
  await running("b#9", later(HOUR / 2));
  expect(await recover({ isOnlyProcess: true })).toBe(1);
});

test("a job fails at its fifth interruption without progress; a finished stage resets the count", async () => {
  const failed = await running("b#1", null, 4);
  const advanced = await running("b#1", null, 4);
  await finishStage(
    database,
    { id: advanced, worker: "b#1", attempt: 0 },
    { stageOutputs: {}, nextStage: "decode", progress: 0.5, restSeconds: 10 },
  );
  expect(await recover()).toBe(1);
  expect(await findJob(database, failed)).toMatchObject({ status: "error", error_code: 500 });
  expect(await findJob(database, advanced)).toMatchObject({ status: "queued", strikes: 1 });
});

test("working files and results that a failed job could not remove at its end are removed later, unless it is made again", async () => {
  const ids = await Promise.all([running("b#1", null, 4), running("b#1", null, 4)]);
  const keys = ids.map((id) => [`jobs/${id}/1/channel-0.pcm`, `results/${id}.json`]);
  for (const key of keys.flat()) await objects.put(key, "content");
  await database.updateTable("jobs").set({ attempt: 2 }).execute();
  const removeFolder = vi.spyOn(objects, "removeFolder").mockRejectedValue(new Error("away"));
  await recover();
  removeFolder.mockRestore();
  expect(await Promise.all(ids.map(async (id) => (await findJob(database, id))?.status))).toEqual(["error", "error"]);
  await database
    .updateTable("jobs")
    .set({ status: "queued" })
    .where("id", "=", ids[1] as string)
    .execute();
  await finishRemovals({ database, objects }, () => undefined);
  const sizes = await Promise.all(keys.flat().map((key) => objects.size(key)));
  expect(sizes.map((size) => size !== undefined)).toEqual([false, false, true, false]);
});

test("a job that runs in this process is left to it, however long the process was stalled", async () => {
  const id = await running(workerName(SELF), later(-60_000), 4);
  expect(await recover({ running: [id] })).toBe(0);
  expect(await findJob(database, id)).toMatchObject({ status: "processing", worker: workerName(SELF), strikes: 4 });
  expect(await recover({ self: { ...SELF, generation: 4 } })).toBe(0);
  expect(await findJob(database, id)).toMatchObject({ status: "error", worker: null });
});

test("more jobs than one statement recovers, and rows with impossible numbers, are all recovered", async () => {
  const ids = await Promise.all(Array.from({ length: 501 }, () => running("b#1", null)));
  const numbers = { strikes: 2_147_483_647, attempt: 2_147_483_647 };
  await database
    .updateTable("jobs")
    .set({ ...numbers, worker: "b#99999999999999999999" })
    .where("id", "=", ids[7] ?? "")
    .execute();
  expect(await recover()).toBe(500);
  const left = await database.selectFrom("jobs").select("id").where("status", "=", "processing").execute();
  expect(left).toEqual([]);
  expect((await findJob(database, ids[7] ?? ""))?.status).toBe("error");
});
