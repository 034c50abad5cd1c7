// Pages of jobs beside a job: older and newer ones, also of one moment, none twice and none missing. Searches in time.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { clientTime } from "../../src/platform/storage/db/client-time.ts";
import { type Database, openDatabase } from "../../src/platform/storage/db/database.ts";
import { listJobs } from "../../src/platform/storage/db/jobs/job-lists.ts";
import { insertJob } from "../../src/platform/storage/db/jobs/new-job.ts";
import { vacuumWhenDue } from "../../src/platform/storage/db/upkeep/upkeep.ts";
import { prepareAccounts } from "../../src/service/accounts/first-account.ts";

const COUNT = 70;
const UNFINISHED = 600;
const MOST_SEARCH_MILLISECONDS = 2_000;
const MOMENTS = [0, 0, 1, 1, 1];

let folder: string;
let database: Database;
let accountId: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-lists-"));
  database = await openDatabase("", folder);
  accountId = (await prepareAccounts(database, false, () => crypto.randomUUID())).account.id;
  for (let at = 0; at < COUNT; at++) {
    const createdAt = clientTime(new Date(1_700_000_000_000 + (MOMENTS[at] ?? at)));
    const id = crypto.randomUUID();
    await insertJob(database, { id, accountId, kind: "pre-recorded", model: "a-model", createdAt, params: {} });
  }
});
afterAll(async () => {
  await database?.destroy();
  rmSync(folder, { recursive: true, force: true });
});

const page = async (limit: number, place: { olderThan?: string; newerThan?: string } = {}) => {
  const { rows, hasMore } = await listJobs(database, { accountId, offset: 0, limit, ...place }, "all");
  return { ids: rows.map(({ id }) => id), hasMore };
};

test.each([1, 7, 25, 60])("pages of %i jobs, first to the oldest and then back to the newest", async (limit) => {
  const { ids: all } = await page(COUNT);
  expect(all).toHaveLength(COUNT);
  let { ids, hasMore } = await page(limit);
  const older = [...ids];
  while (hasMore) {
    ({ ids, hasMore } = await page(limit, { olderThan: ids.at(-1) as string }));
    older.push(...ids);
  }
  expect(older).toEqual(all);
  const newer = [all.at(-1) as string];
  do {
    ({ ids, hasMore } = await page(limit, { newerThan: newer[0] as string }));
    newer.unshift(...ids);
  } while (hasMore);
  expect(newer).toEqual(all);
});

test("a search among many unfinished jobs reads their names once", async () => {
  const { account } = await prepareAccounts(database, false, () => crypto.randomUUID());
  for (let at = 0; at < UNFINISHED; at++) {
    const createdAt = clientTime(new Date(1_700_000_000_000 + at));
    const id = crypto.randomUUID();
    await insertJob(database, { id, accountId: account.id, kind: "pre-recorded", model: "m", createdAt, params: {} });
  }
  const search = async () => {
    const began = performance.now();
    await listJobs(database, { accountId: account.id, offset: 0, limit: 20, search: "minutes" }, "none");
    return performance.now() - began;
  };
  // Once for each job of the list, it took seven seconds with 600 jobs.
  expect(Math.min(await search(), await search(), await search())).toBeLessThan(MOST_SEARCH_MILLISECONDS);
  const tidy = vacuumWhenDue(database);
  expect(await tidy()).toBe(true);
  expect(Math.min(await search(), await search(), await search())).toBeLessThan(MOST_SEARCH_MILLISECONDS);
});
