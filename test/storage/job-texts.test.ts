// Words of several jobs that are put into the search together: each as it reads by then, none of a job that is gone.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { clientTime } from "../../src/platform/storage/db/client-time.ts";
import { type Database, openDatabase } from "../../src/platform/storage/db/database.ts";
import { correctionsOfJobs, insertCorrection } from "../../src/platform/storage/db/jobs/corrections.ts";
import { passages, saveTexts, unsearchableJobs } from "../../src/platform/storage/db/jobs/job-texts.ts";
import { endJob, removeJob } from "../../src/platform/storage/db/jobs/jobs.ts";
import { insertJob } from "../../src/platform/storage/db/jobs/new-job.ts";
import { prepareAccounts } from "../../src/service/accounts/first-account.ts";

let folder: string;
let database: Database;
let accountId: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-texts-"));
  database = await openDatabase("", folder);
  accountId = (await prepareAccounts(database, false, () => crypto.randomUUID())).account.id;
});
afterAll(async () => {
  await database?.destroy();
  rmSync(folder, { recursive: true, force: true });
});

async function ended(): Promise<string> {
  const id = crypto.randomUUID();
  const now = clientTime(new Date());
  await insertJob(database, { id, accountId, kind: "pre-recorded", model: "a-model", createdAt: now, params: {} });
  await endJob(database, id, { status: "done", completedAt: now, resultKey: `results/${id}.json` }, null);
  return id;
}

async function correct(jobId: string): Promise<void> {
  const change = { speakers: [{ speaker: 0, name: "Anna" }] };
  await insertCorrection(database, { id: crypto.randomUUID(), jobId, madeBy: "a key", change }, clientTime(new Date()));
}

test("jobs that were corrected or deleted since they were read are left out, the others found", async () => {
  const ids = await Promise.all([ended(), ended(), ended(), ended(), ended()] as const);
  const [plain, corrected, stale, gone, unreadable] = ids;
  await correct(corrected);
  const made = await correctionsOfJobs(database, ids);
  expect([...made.keys()]).toEqual([corrected]);
  const texts = ids.map((jobId, at) => ({
    jobId,
    text: jobId === unreadable ? undefined : `words number ${at}`,
    corrections: { made: made.get(jobId)?.length ?? 0, undone: 0 },
  }));
  await correct(stale);
  await removeJob(database, gone);
  await saveTexts(database, texts);
  const found = await passages(database, ids, "words");
  expect([...found.keys()].sort()).toEqual([plain, corrected].sort());
  expect((await unsearchableJobs(database, 10)).map(({ id }) => id)).toEqual([stale]);

  await saveTexts(database, [{ jobId: stale, text: "other words", corrections: { made: 1, undone: 0 } }]);
  await saveTexts(database, [{ jobId: plain, text: "newer words", corrections: { made: 0, undone: 0 } }]);
  expect(await unsearchableJobs(database, 10)).toEqual([]);
  expect((await passages(database, ids, "newer")).get(plain)).toContain("newer");
});
