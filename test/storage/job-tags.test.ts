// Tags of jobs in the database: as they are stored, in filters, in the search, and when two people change them at once.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { MOST_TAGS } from "../../src/contract/bounds.ts";
import { ensureAccount } from "../../src/platform/storage/db/accounts/accounts.ts";
import { clientTime } from "../../src/platform/storage/db/client-time.ts";
import { type Database, openDatabase } from "../../src/platform/storage/db/database.ts";
import { type JobFilter, listJobs } from "../../src/platform/storage/db/jobs/job-lists.ts";
import { labelJob, requestedTags, tagsOfAccount } from "../../src/platform/storage/db/jobs/job-tags.ts";
import { saveTexts, unsearchableJobs } from "../../src/platform/storage/db/jobs/job-texts.ts";
import { endJob, removeJobs } from "../../src/platform/storage/db/jobs/jobs.ts";
import { insertJob, type NewJob } from "../../src/platform/storage/db/jobs/new-job.ts";

let folder: string;
let database: Database;
let accountId: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-tags-"));
  database = await openDatabase("", folder);
});
afterAll(async () => {
  await database?.destroy();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  const id = crypto.randomUUID();
  accountId = (await ensureAccount(database, { id, name: id }, clientTime(new Date()))).id;
});

async function queued(more: Partial<NewJob> = {}): Promise<string> {
  const id = crypto.randomUUID();
  const createdAt = clientTime(new Date());
  await insertJob(database, { id, accountId, kind: "pre-recorded", model: "a-model", createdAt, params: {}, ...more });
  return id;
}

const find = async (filter: Partial<JobFilter>) => {
  const { rows } = await listJobs(database, { accountId, offset: 0, limit: 100, ...filter }, "none");
  return rows.map(({ id }) => id).sort();
};

test("a tag is stored in one line and composed, and once whatever its case", () => {
  expect(requestedTags("tags", [" Cafe\u0301 \n d'Or ", "café D'OR", "a\u0000b", "\u202Eabc\u2069"])).toEqual([
    "Café d'Or",
    "a b",
    "abc",
  ]);
  expect(() => requestedTags("add_tags", ["ok", " \u200b\n"])).toThrow(
    expect.objectContaining({ fields: ["add_tags.1 must have a letter, a digit or a sign"] }),
  );
});

test("a list has the jobs with all of the tags, in any case, together with metadata and without that of the same text", async () => {
  const metadata = { project: "spring", tag: "board" };
  const [both, one, none] = [
    await queued({ tags: ["Board", "budget"], metadata }),
    await queued({ tags: ["board"] }),
    await queued({ metadata: { ...metadata, tags: ["board"] } }),
  ];
  expect(await find({ tags: ["BOARD"] })).toEqual([both, one].sort());
  expect(await find({ tags: ["board", "Board"] })).toEqual([both, one].sort());
  expect(await find({ tags: ["board", "budget"] })).toEqual([both]);
  expect(await find({ tags: ["board"], metadata: { project: "spring" } })).toEqual([both]);
  expect(await find({ tags: ["board"], kinds: ["live"] })).toEqual([]);
  expect(await find({ metadata: { project: "spring" } })).toEqual([both, none].sort());
  await labelJob(database, both, { removed: ["BOARD"] });
  expect(await find({ tags: ["board"] })).toEqual([one]);
  expect(await find({ metadata: { project: "spring" } })).toEqual([both, none].sort());
  await removeJobs(database, [one]);
  expect(await find({ tags: ["board"] })).toEqual([]);
});

test("fields of a change are applied in their order, the first spelling stays, and a name alone keeps the tags", async () => {
  const id = await queued({ tags: ["old"] });
  expect(await labelJob(database, id, { tags: ["a", "b"], removed: ["B", "old"], added: ["A", "c"] })).toEqual({
    name: null,
    tags: ["a", "c"],
  });
  expect(await labelJob(database, id, { name: "Meeting" })).toEqual({ name: "Meeting", tags: ["a", "c"] });
  expect(await labelJob(database, id, { tags: [] })).toEqual({ name: "Meeting", tags: [] });
  expect(await labelJob(database, crypto.randomUUID(), { tags: [] })).toBeUndefined();
});

test("tags that are added at the same time are all kept, and too many change nothing", async () => {
  const id = await queued();
  await Promise.all(["a", "b", "c", "d"].map((tag) => labelJob(database, id, { added: [tag] })));
  const full = Array.from({ length: MOST_TAGS - 4 }, (_, at) => `tag ${at}`);
  const labels = await labelJob(database, id, { added: full });
  expect(labels?.tags.filter((tag) => tag.length === 1).sort()).toEqual(["a", "b", "c", "d"]);
  await expect(labelJob(database, id, { name: "new", added: ["one more"] })).rejects.toMatchObject({
    code: "limit.tags",
    status: 409,
  });
  expect(await find({ tags: ["one more"] })).toEqual([]);
  expect(await labelJob(database, id, {})).toEqual({ name: null, tags: labels?.tags });
});

test("the search finds the tags of jobs that wait and of those that ended, and a tag given meanwhile is read again", async () => {
  const [waiting, ended] = [await queued({ tags: ["Förderung 2026"] }), await queued()];
  const resultKey = `results/${ended}.json`;
  await endJob(database, ended, { status: "done", completedAt: clientTime(new Date()), resultKey }, null);
  expect(await find({ search: "forderung" })).toEqual([waiting]);
  const text = {
    ...{ jobId: ended, status: "done" as const, resultKey, text: "so", name: null, names: [], overview: null },
    ...{ replaced: [], corrections: { made: 0, undone: 0 } },
  };
  await labelJob(database, ended, { added: ["Förderung"] });
  await saveTexts(database, [{ ...text, tags: [] }]);
  expect((await unsearchableJobs(database, 100)).map(({ id }) => id)).toContain(ended);
  await saveTexts(database, [{ ...text, tags: ["Förderung"] }]);
  expect(await find({ search: "foerderung or förder" })).toEqual([waiting, ended].sort());
});

test("an account's tags are those of the most jobs first, in their most frequent spelling, without those of others", async () => {
  for (const tags of [["Board", "x"], ["board"], ["Board"], []]) await queued({ tags });
  const id = crypto.randomUUID();
  const other = await ensureAccount(database, { id, name: id }, clientTime(new Date()));
  await queued({ accountId: other.id, tags: ["secret"] });
  expect(await tagsOfAccount(database, accountId)).toEqual({
    first: [
      { tag: "Board", jobs: 3 },
      { tag: "x", jobs: 1 },
    ],
    rest: 0,
  });
});
