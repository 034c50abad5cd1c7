// Repeated corrections of an account: counted over its transcripts, kept apart from those of others, gone with their transcripts.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { clientTime } from "../../src/platform/storage/db/client-time.ts";
import { type Database, openDatabase } from "../../src/platform/storage/db/database.ts";
import { saveTexts } from "../../src/platform/storage/db/jobs/job-texts.ts";
import { endJob, removeJobs } from "../../src/platform/storage/db/jobs/jobs.ts";
import { insertJob } from "../../src/platform/storage/db/jobs/new-job.ts";
import {
  findRepeated,
  jobsWithPhrase,
  listRepeated,
  type Replaced,
  setDismissed,
} from "../../src/platform/storage/db/jobs/replaced-phrases.ts";
import { prepareAccounts } from "../../src/service/accounts/first-account.ts";

let folder: string;
let database: Database;
let accountId: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-replaced-"));
  database = await openDatabase("", folder);
  accountId = (await prepareAccounts(database, false, () => crypto.randomUUID())).account.id;
});
afterAll(async () => {
  await database?.destroy();
  rmSync(folder, { recursive: true, force: true });
});

let count = 0;

/** Ids grow, as those of the service. */
async function ended(account = accountId): Promise<string> {
  const id = `01a1fdd3-2c3f-761e-8a4a-${String(++count).padStart(12, "0")}`;
  const now = clientTime(new Date());
  const job = { id, accountId: account, kind: "pre-recorded" as const, model: "a-model", createdAt: now, params: {} };
  await insertJob(database, job);
  await endJob(database, id, { status: "done", completedAt: now, resultKey: `results/${id}.json` }, null);
  return id;
}

const replaced = (before: string, after: string, utterances = 1): Replaced => ({
  ...{ before, after, utterances },
  key: before.toLowerCase(),
});

const save = (jobId: string, all: readonly Replaced[], text = "") =>
  saveTexts(database, [
    {
      ...{ jobId, status: "done", resultKey: `results/${jobId}.json` },
      ...{ text, name: null, tags: [], names: [], overview: null },
      replaced: all,
      corrections: { made: 0, undone: 0 },
    },
  ]);

const list = (more: Partial<Parameters<typeof listRepeated>[1]> = {}) =>
  listRepeated(database, { accountId, isDismissed: false, limit: 100, ...more });

test("what was replaced in two utterances is listed, of one transcript or of several, with what else replaced it", async () => {
  const [one, other] = [await ended(), await ended()];
  await save(one, [replaced("Kubernets", "Kubernetes"), replaced("sam", "Sam B.", 2), replaced("once", "one's")]);
  expect((await list()).map(({ before }) => before)).toEqual(["sam"]);
  await save(other, [replaced("kubernets", "Kubernetes"), replaced("kubernets", "cabinets")]);
  expect(await list()).toMatchObject([
    { before: "Kubernets", after: "Kubernetes", utterances: 2, recordings: 2, others: ["cabinets"] },
    { before: "sam", after: "Sam B.", utterances: 2, recordings: 1, others: [] },
  ]);
  // Only those of one transcript.
  expect((await list({ jobId: other })).map(({ after }) => after)).toEqual(["Kubernetes"]);

  const [newest] = await list({ limit: 1 });
  if (!newest) throw new Error("nothing is listed");
  expect((await list({ after: newest })).map(({ before }) => before)).toEqual(["sam"]);
  expect(await findRepeated(database, crypto.randomUUID(), newest.pair)).toBeUndefined();

  // A reading without changes keeps the time; an undone correction is no longer counted.
  await save(other, [replaced("kubernets", "Kubernetes"), replaced("kubernets", "cabinets")]);
  expect((await findRepeated(database, accountId, newest.pair))?.changedAt).toEqual(newest.changedAt);
  await save(other, []);
  expect((await list()).map(({ before }) => before)).toEqual(["sam"]);
  expect(await findRepeated(database, accountId, newest.pair)).toBeUndefined();
  await save(other, [replaced("kubernets", "Kubernetes", 3)]);

  await setDismissed(database, { accountId, pair: newest.pair }, true);
  await setDismissed(database, { accountId, pair: newest.pair }, true);
  expect((await list()).map(({ before }) => before)).toEqual(["sam"]);
  expect(await list({ isDismissed: true })).toMatchObject([{ after: "Kubernetes", utterances: 4, isDismissed: true }]);
  await setDismissed(database, { accountId, pair: newest.pair }, false);
  expect(await list()).toHaveLength(2);

  await removeJobs(database, [one]);
  expect(await list()).toMatchObject([{ before: "kubernets", utterances: 3, recordings: 1 }]);
  await removeJobs(database, [other]);
  expect(await list()).toEqual([]);
});

test("transcripts are found by the words of a phrase in their order, the newest first, in every script", async () => {
  const [first, second, third] = [await ended(), await ended(), await ended()];
  await save(first, [], "we push it to git hub, and so on");
  await save(second, [], "the hub of git");
  await save(third, [], "Git hub. 渡部さんが来ます قال احمت");
  const find = (phrase: string, more = {}) => jobsWithPhrase(database, { accountId, phrase, limit: 10, ...more });
  expect(await find("git hub")).toEqual([third, first]);
  expect(await find("git hub", { until: first })).toEqual([first]);
  expect(await find("git hub", { limit: 1 })).toEqual([third]);
  expect(await find("渡部")).toEqual([third]);
  expect(await find("احمت")).toEqual([third]);
  expect(await find("git hub", { accountId: crypto.randomUUID() })).toEqual([]);
  // Signs of a query have no meaning.
  expect(await find("'!&|")).toEqual([]);
});
