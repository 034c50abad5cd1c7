// Uploads that no job has used expire; those of jobs, and younger ones, stay. Jobs expire when their callbacks are sent.

import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { pino } from "pino";
import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { recordedJob } from "../../../test/fixtures/recorded-job.ts";
import type { ParlanceError } from "../../platform/errors.ts";
import { clientTime } from "../../platform/storage/db/client-time.ts";
import { type Database, openDatabase } from "../../platform/storage/db/database.ts";
import { fromStatement } from "../../platform/storage/db/database-time.ts";
import { insertDeliveries } from "../../platform/storage/db/deliveries/deliveries.ts";
import { recentDeliveries } from "../../platform/storage/db/deliveries/delivery-lists.ts";
import { findFile, saveFile } from "../../platform/storage/db/files/files.ts";
import { findJob } from "../../platform/storage/db/jobs/jobs.ts";
import { insertJob } from "../../platform/storage/db/jobs/new-job.ts";
import { Disk } from "../../platform/storage/disk/disk.ts";
import { FileStore } from "../../platform/storage/objects/file-store.ts";
import { acceptRecorded } from "./accept.ts";
import { removeAudio, removeWholeJobs } from "./remove-job.ts";
import { type RetentionOptions, startRetention } from "./retention.ts";

const DAY = 86_400_000;
let folder: string;
let database: Database;
let objects: FileStore;
const accountId = uuid();
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-retention-"));
  database = await openDatabase("", folder, new Disk(false));
  objects = new FileStore(path.join(folder, "objects"), new Disk(false));
  const account = { id: accountId, name: "a", created_at: new Date() } as never;
  await database.insertInto("accounts").values(account).execute();
});
afterAll(async () => {
  await database.destroy();
  rmSync(folder, { recursive: true, force: true });
});

async function upload(days: number, isUsed: boolean): Promise<string> {
  const id = uuid();
  const object_key = `audio/${id}`;
  await objects.put(object_key, "audio");
  await saveFile(database, {
    ...{ id, account_id: accountId, filename: "a.wav", source: null, extension: "wav", size: 5, object_key },
    ...{ audio_duration: 1, number_of_channels: 1, created_at: clientTime(new Date(Date.now() - days * DAY)) },
  });
  const job = recordedJob(accountId);
  if (isUsed) await insertJob(database, { ...job, fileId: id });
  return id;
}

test.each([
  [7, [true, false, false]],
  [0, [false, false, false]],
])("with a limit of %i days", async (unusedUploadDays, areGone) => {
  const ids = [await upload(8, false), await upload(8, true), await upload(6, false)];
  const services = {
    ...{ database, objects, isOnlyProcess: true, duties: { holds: async () => true } },
    ...{ worker: { cancel: async () => undefined }, live: { discard: async () => undefined } },
  };
  const options = { audioDays: 0, resultDays: 0, unusedUploadDays, callbackRetrySeconds: 60 };
  let stop: () => Promise<void> = async () => undefined;
  await new Promise<void>((resolve) => {
    stop = startRetention(services, options, pino({ level: "silent" }), async () => resolve());
  });
  await stop();
  for (const [at, id] of ids.entries()) {
    expect((await findFile(database, id)) === undefined).toBe(areGone[at]);
    expect((await objects.size(`audio/${id}`)) === undefined).toBe(areGone[at]);
  }
});

/** Runs one round. */
async function retain(options: Partial<RetentionOptions>): Promise<void> {
  const services = {
    ...{ database, objects, isOnlyProcess: true, duties: { holds: async () => true } },
    ...{ worker: { cancel: async () => undefined }, live: { discard: async () => undefined } },
  };
  const all = { audioDays: 0, resultDays: 0, unusedUploadDays: 0, callbackRetrySeconds: 60, ...options };
  let stop: () => Promise<void> = async () => undefined;
  await new Promise<void>((resolve) => {
    stop = startRetention(services, all, pino({ level: "silent" }), async () => resolve());
  });
  await stop();
}

test("used files are examined once: later rounds leave them out", async () => {
  const [used, young] = [await upload(8, true), await upload(6, true)];
  await retain({ unusedUploadDays: 7 });
  const marks = await database.selectFrom("files").select(["id", "has_job"]).where("id", "in", [used, young]).execute();
  expect(new Map(marks.map(({ id, has_job }) => [id, has_job]))).toEqual(
    new Map([
      [used, true],
      [young, false],
    ]),
  );
});

/** A job that ended some days ago, with a callback whose attempts began at that time. */
async function ended(days: number, status: "pending" | "failed", began = days): Promise<string> {
  const id = uuid();
  const before = (count: number) => clientTime(new Date(Date.now() - count * DAY));
  await insertJob(database, recordedJob(accountId, { id, createdAt: before(days) }));
  await database
    .updateTable("jobs")
    .set({ status: "done", completed_at: before(days) })
    .where("id", "=", id)
    .execute();
  const delivery = { id: uuid(), sequence: 0, event: "transcription.success", payload: null };
  await insertDeliveries(
    database,
    { jobId: id, url: "http://127.0.0.1:9/", method: "POST" },
    [delivery],
    before(began),
  );
  await database.updateTable("deliveries").set({ status }).where("job_id", "=", id).execute();
  return id;
}

test("an expired job stays while its callback is retried, and no longer", async () => {
  const ids = [
    await ended(2, "pending"),
    await ended(2, "failed"),
    await ended(9, "pending"),
    await ended(9, "pending", 1),
  ];
  await retain({ resultDays: 1, callbackRetrySeconds: 3 * 86_400 });
  const isKept = await Promise.all(ids.map(async (id) => (await findJob(database, id)) !== undefined));
  expect(isKept).toEqual([true, false, false, true]);
});

test("a callback whose secret is locked begins again every ten seconds, and does not keep its job forever", async () => {
  const restarted = async (days: number) => {
    const id = await ended(days, "pending");
    const round_began_at = clientTime(new Date());
    await database.updateTable("deliveries").set({ round_began_at }).where("job_id", "=", id).execute();
    return id;
  };
  const ids = [await restarted(3), await restarted(9)];
  await retain({ resultDays: 1, callbackRetrySeconds: 3 * 86_400 });
  const isKept = await Promise.all(ids.map(async (id) => (await findJob(database, id)) !== undefined));
  expect(isKept).toEqual([true, false]);
});

test("deliveries that an earlier version added get their account", async () => {
  const id = await ended(1, "failed");
  await database.updateTable("deliveries").set({ account_id: null }).where("job_id", "=", id).execute();
  const list = () => recentDeliveries(database, accountId, { status: "failed", limit: 10 });
  const before = await list();
  expect(before.map(({ job_id }) => job_id)).toContain(id);
  await retain({});
  const row = await database.selectFrom("deliveries").select("account_id").where("job_id", "=", id).executeTakeFirst();
  expect(row?.account_id).toBe(accountId);
  expect(await list()).toEqual(before);
});

test("a round that is stopped ends after the present row", async () => {
  const ids: string[] = [];
  for (let at = 0; at < 5; at++) ids.push(await upload(100, false));
  let stop: () => Promise<void> = async () => undefined;
  let stopped: Promise<void> | undefined;
  const slow = Object.create(objects) as FileStore;
  slow.remove = async (key: string) => {
    stopped ??= stop();
    await objects.remove(key);
  };
  let isTidied = false;
  const services = {
    ...{ database, objects: slow, isOnlyProcess: true, duties: { holds: async () => true } },
    ...{ worker: { cancel: async () => undefined }, live: { discard: async () => undefined } },
  };
  const options = { audioDays: 0, resultDays: 0, unusedUploadDays: 50, callbackRetrySeconds: 60 };
  stop = startRetention(services, options, pino({ level: "silent" }), async () => {
    isTidied = true;
  });
  await expect.poll(() => stopped !== undefined).toBe(true);
  await stopped;
  const left = await Promise.all(ids.map((id) => findFile(database, id)));
  expect(left.filter((file) => file === undefined)).toHaveLength(1);
  expect(isTidied).toBe(false);
});

test("a job for a file that is deleted at the same time is refused, or the file stays", async () => {
  const accept = { database, queue: { wake: () => undefined }, waitingForModels: { wake: () => undefined } };
  let accepted = 0;
  for (let at = 0; at < 20; at++) {
    const fileId = await upload(0, false);
    const job = recordedJob(accountId);
    const acceptance = () =>
      acceptRecorded({ ...job, fileId }, true, { ...accept, settings: { maximumQueuedJobs: 1_000 } }).then(
        () => true,
        (thrown: ParlanceError) => {
          expect(thrown.code).toBe("file.unknown");
          return false;
        },
      );
    const removal = () => removeAudio(fileId, { database, objects });
    // Of two transactions, the one that begins first is first.
    const removing = at % 2 === 0 ? removal() : undefined;
    const [isAccepted, { isInUse }] = await Promise.all([acceptance(), removing ?? removal()]);
    expect(isInUse).toBe(isAccepted);
    expect((await objects.size(`audio/${fileId}`)) !== undefined).toBe(isAccepted);
    if (isAccepted) accepted++;
  }
  expect(accepted).toBeGreaterThan(0);
  expect(accepted).toBeLessThan(20);
});

const removalServices = () => ({
  ...{ database, objects, isOnlyProcess: true },
  ...{ worker: { cancel: async () => undefined }, live: { discard: async () => undefined } },
});

/** A job that a request last waited for until this time. */
async function awaited(seconds: number): Promise<string> {
  const job = recordedJob(accountId, { wantedUntil: fromStatement(seconds) });
  await insertJob(database, job);
  return job.id;
}

test("a job that a request waits for again stays, though it was found to be unwanted", async () => {
  const [unwanted, wanted] = [await awaited(-1), await awaited(60)];
  expect(await removeWholeJobs([unwanted, wanted], removalServices(), true)).toBe(1);
  expect(await findJob(database, wanted)).toBeDefined();
  expect(await removeWholeJobs([wanted], removalServices())).toBe(1);
});

test("after an outage of the database, requests have a round to renew that they wait for their jobs", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const id = await awaited(-1);
  let isAway = false;
  let rounds = 0;
  const holds = async () => {
    if (isAway) throw new Error("the database is away");
    return true;
  };
  const options = { audioDays: 0, resultDays: 0, unusedUploadDays: 0, callbackRetrySeconds: 0 };
  const services = { ...removalServices(), isOnlyProcess: false, duties: { holds } };
  const stop = startRetention(services, options, pino({ level: "silent" }), async () => rounds++);
  try {
    const stays: boolean[] = [];
    const afterRound = async (count: number) => {
      await vi.waitFor(() => expect(rounds).toBe(count), { timeout: 20_000 });
      stays.push((await findJob(database, id)) !== undefined);
    };
    await afterRound(1);
    for (const [at, isOutage] of [true, false, false].entries()) {
      isAway = isOutage;
      await vi.advanceTimersByTimeAsync(60_000);
      await afterRound(at + 2);
    }
    expect(stays).toEqual([true, true, true, false]);
  } finally {
    vi.useRealTimers();
    await stop();
  }
});
