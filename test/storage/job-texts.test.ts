// Words of several jobs that are put into the search together: each as it reads by then, none of a job that is gone.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { clientTime } from "../../src/platform/storage/db/client-time.ts";
import { type Database, openDatabase } from "../../src/platform/storage/db/database.ts";
import { correctionVersion, insertCorrection } from "../../src/platform/storage/db/jobs/corrections.ts";
import { listJobs } from "../../src/platform/storage/db/jobs/job-lists.ts";
import { labelJob } from "../../src/platform/storage/db/jobs/job-tags.ts";
import { passages, saveTexts, unsearchableJobs } from "../../src/platform/storage/db/jobs/job-texts.ts";
import { endJob, remakeResult, removeJobs } from "../../src/platform/storage/db/jobs/jobs.ts";
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

async function queued(): Promise<string> {
  const id = crypto.randomUUID();
  const createdAt = clientTime(new Date());
  await insertJob(database, { id, accountId, kind: "pre-recorded", model: "a-model", createdAt, params: {} });
  return id;
}

async function ended(): Promise<string> {
  const id = await queued();
  const now = clientTime(new Date());
  await endJob(database, id, { status: "done", completedAt: now, resultKey: `results/${id}.json` }, null);
  return id;
}

/** A job that is done, as it was read. */
const done = (jobId: string) => ({ jobId, status: "done" as const, resultKey: `results/${jobId}.json` });
const UNNAMED = { name: null, tags: [], names: [], overview: null, replaced: [] };

async function correct(jobId: string): Promise<void> {
  const change = { speakers: [{ speaker: 0, name: "Anna" }] };
  await insertCorrection(
    database,
    { id: crypto.randomUUID(), jobId, madeBy: "a key", change, resultKey: `results/${jobId}.json` },
    clientTime(new Date()),
  );
}

test("jobs that were corrected or deleted since they were read are left out, the others found", async () => {
  const ids = await Promise.all([ended(), ended(), ended(), ended(), ended()] as const);
  const [plain, corrected, stale, gone, unreadable] = ids;
  await correct(corrected);
  const made = await Promise.all(ids.map((id) => correctionVersion(database, id)));
  expect(made).toEqual(ids.map((id) => (id === corrected ? 1 : 0)));
  const texts = ids.map((jobId, at) => ({
    ...done(jobId),
    text: jobId === unreadable ? undefined : `words number ${at}`,
    ...UNNAMED,
    corrections: { made: made[at] ?? 0, undone: 0 },
  }));
  await correct(stale);
  await removeJobs(database, [gone]);
  await saveTexts(database, texts);
  const found = await passages(database, ids, "words");
  expect([...found.keys()].sort()).toEqual([plain, corrected].sort());
  expect((await unsearchableJobs(database, 10)).map(({ id }) => id)).toEqual([stale]);

  await saveTexts(database, [{ ...UNNAMED, ...done(stale), text: "other words", corrections: { made: 1, undone: 0 } }]);
  await saveTexts(database, [{ ...UNNAMED, ...done(plain), text: "newer words", corrections: { made: 0, undone: 0 } }]);
  expect(await unsearchableJobs(database, 10)).toEqual([]);
  expect((await passages(database, ids, "newer")).get(plain)).toContain("newer");
});

test("jobs are found by their names, also before they end and after they failed; a name given meanwhile is read again", async () => {
  const find = async (search: string) => {
    const { rows } = await listJobs(database, { accountId, search, offset: 0, limit: 100 }, "none");
    return rows.map(({ id }) => id);
  };
  const [interview, failed, waiting] = [await ended(), await queued(), await queued()];
  const overview = { languages: ["en"], speakers: [{ speaker: 0, name: "Zoë" }], first_words: "so" };
  const names = ["2026-11_interviewGrant.mp3", "Zoë Duguid"];
  const text = {
    ...done(interview),
    ...{ text: "so the first time", tags: [], names, overview, replaced: [] },
    corrections: { made: 0, undone: 0 },
  };
  await saveTexts(database, [{ ...text, name: null }]);
  for (const search of ["grant", "interviewgrant", "2026-11_interviewGrant.mp3", "zoe", "dugu time", "ZOË"]) {
    expect(await find(search), search).toEqual([interview]);
  }
  expect(await find("zoe -time")).toEqual([]);
  const listed = await listJobs(database, { accountId, search: "grant", offset: 0, limit: 1 }, "none");
  expect(listed.rows[0]).toMatchObject({ name: null, overview });

  // An older reading of a job does not hide the name that it was given meanwhile.
  await labelJob(database, interview, { name: "Archive, reel 3" });
  await saveTexts(database, [{ ...text, name: null }]);
  expect((await unsearchableJobs(database, 10)).map(({ id }) => id)).toEqual([interview]);
  await saveTexts(database, [{ ...text, name: "Archive, reel 3" }]);
  expect(await find("reel duguid")).toEqual([interview]);

  await labelJob(database, waiting, { name: "Café_réunion.wav" });
  for (const search of ["cafe", "reunion", "Café_réunion.wav", "caf"])
    expect(await find(search), search).toEqual([waiting]);
  expect(await find("cafe -reunion")).toEqual([]);

  await endJob(
    database,
    failed,
    { status: "error", completedAt: clientTime(new Date()), errorCode: 400, errorMessage: "No sound." as never },
    null,
  );
  expect((await unsearchableJobs(database, 10)).map(({ id }) => id)).toEqual([failed]);
  await saveTexts(database, [
    {
      ...{ ...UNNAMED, jobId: failed, status: "error", resultKey: null },
      ...{ text: undefined, names: ["holiday.mov"], corrections: { made: 0, undone: 0 } },
    },
  ]);
  expect(await find("holiday")).toEqual([failed]);
  expect((await passages(database, [failed], "holiday")).size).toBe(0);
});

test("the words of a result that is being made again are not stored, so that those of the new one are", async () => {
  const id = await ended();
  const read = { ...UNNAMED, ...done(id), text: undefined, corrections: { made: 0, undone: 0 } };
  expect(await remakeResult(database, id, `results/${id}.json`)).toBe(true);
  await saveTexts(database, [read]);
  const resultKey = `results/${id}.2.json`;
  await endJob(database, id, { status: "done", completedAt: clientTime(new Date()), resultKey }, null);
  expect((await unsearchableJobs(database, 10)).map((row) => row.id)).toEqual([id]);
  await saveTexts(database, [read]);
  expect((await unsearchableJobs(database, 10)).map((row) => row.id)).toEqual([id]);
  await saveTexts(database, [{ ...read, resultKey, text: "made again" }]);
  expect((await passages(database, [id], "again")).size).toBe(1);
});
