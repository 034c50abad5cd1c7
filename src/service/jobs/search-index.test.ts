import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { pino } from "pino";
import { v7 as uuid } from "uuid";
import { expect, test } from "vitest";
import { errors } from "../../platform/errors.ts";
import { clientTime } from "../../platform/storage/db/client-time.ts";
import { openDatabase } from "../../platform/storage/db/database.ts";
import { unsearchableJobs } from "../../platform/storage/db/jobs/job-texts.ts";
import { endJob } from "../../platform/storage/db/jobs/jobs.ts";
import { insertJob } from "../../platform/storage/db/jobs/new-job.ts";
import { Disk } from "../../platform/storage/disk/disk.ts";
import { overviewOf, SearchIndex, type SearchServices } from "./search-index.ts";

const speakers = (count: number) => Array.from({ length: count }, (_, speaker) => ({ speaker, name: null }));

test("the overview of a job lists its speakers, and counts those beyond the first fifty", () => {
  const transcript = { text: "one two", languages: ["en"] };
  expect(overviewOf({ ...transcript, speakers: speakers(50) })).toEqual({
    languages: ["en"],
    speakers: speakers(50),
    first_words: "one two",
  });
  const overview = overviewOf({ ...transcript, speakers: speakers(62) });
  expect(overview.speakers).toEqual(speakers(50));
  expect(overview.further_speakers).toBe(12);
});

test("a transcript that cannot be read for a moment is read again, five times at most", async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-index-"));
  const database = await openDatabase("", folder, new Disk(false));
  const [accountId, id, createdAt] = [uuid(), uuid(), clientTime(new Date())];
  try {
    const account = { id: accountId, name: "a", created_at: createdAt } as never;
    await database.insertInto("accounts").values(account).execute();
    await insertJob(database, { id, accountId, kind: "pre-recorded", model: "m", createdAt, params: {} });
    await endJob(database, id, { status: "done", completedAt: createdAt, resultKey: `results/${id}.json` }, null);
    let error: Error = errors.resourcesExhausted(new Error("no memory"));
    let reads = 0;
    const services = {
      ...{ database, duties: { holds: async () => true }, logger: pino({ level: "silent" }) },
      results: { path: async () => "result.json" },
      transcriptProcess: {
        text: () => {
          reads++;
          return Promise.reject(error);
        },
      },
    };
    const index = new SearchIndex(services as unknown as SearchServices);
    const isPending = async () => (await unsearchableJobs(database, 10)).length > 0;
    const look = () => index["indexPending"](new AbortController().signal);
    for (let round = 0; round < 6; round++) await expect(look()).rejects.toThrow();
    error = errors.processDied("transcripts", "by a signal");
    for (let round = 0; round < 4; round++) expect(await look()).toBe(false);
    expect(await isPending()).toBe(true);
    await look();
    expect([await isPending(), reads]).toEqual([false, 11]);
  } finally {
    await database.destroy();
    rmSync(folder, { recursive: true, force: true });
  }
});
