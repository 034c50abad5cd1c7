// A damaged result that several processes read at once is made again once, and each of them answers so.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ensureAccount } from "../../platform/storage/db/accounts/accounts.ts";
import { type Database, openDatabase } from "../../platform/storage/db/database.ts";
import { databaseTime, statementTime } from "../../platform/storage/db/database-time.ts";
import { saveFile } from "../../platform/storage/db/files/files.ts";
import { insertCorrection, printedCorrections } from "../../platform/storage/db/jobs/corrections.ts";
import { endJob, findJob, remakeResult } from "../../platform/storage/db/jobs/jobs.ts";
import { insertJob } from "../../platform/storage/db/jobs/new-job.ts";
import { Disk } from "../../platform/storage/disk/disk.ts";
import { FileStore } from "../../platform/storage/objects/file-store.ts";
import { audioKey, resultKey } from "../../platform/storage/objects/keys.ts";
import { Quarantine } from "../../platform/storage/quarantine.ts";
import { StoredResults } from "./stored-results.ts";

let folder: string;
let database: Database;
let accountId: string;
let objects: FileStore;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-results-"));
  database = await openDatabase("", folder);
  accountId = (await ensureAccount(database, { id: crypto.randomUUID(), name: "a" }, statementTime)).id;
  objects = new FileStore(path.join(folder, "objects"), new Disk(false));
});
afterAll(async () => {
  await database?.destroy();
  rmSync(folder, { recursive: true, force: true });
});

const now = () => databaseTime(database);

async function jobWithResult(): Promise<string> {
  const id = crypto.randomUUID();
  const content = "recording";
  await objects.put(audioKey(id), content);
  await saveFile(database, {
    ...{ id, account_id: accountId, created_at: now(), filename: "a.wav", source: null, extension: "wav" },
    ...{ size: content.length, audio_duration: 1, number_of_channels: 1, object_key: audioKey(id) },
  });
  await insertJob(database, {
    id,
    accountId,
    kind: "pre-recorded",
    model: "m",
    createdAt: now(),
    params: {},
    fileId: id,
  });
  await objects.put(resultKey(id), "damaged");
  const ending = { status: "done" as const, completedAt: now(), resultKey: resultKey(id), resultHash: "0".repeat(64) };
  await endJob(database, id, ending, null);
  return id;
}

test("processes that find the same damage at once all answer that the result is made again", async () => {
  const id = await jobWithResult();
  const row = await findJob(database, id);
  if (!row) throw new Error("the job is missing");
  let requeued = 0;
  const process = () =>
    new StoredResults({
      ...{ database, objects, quarantine: new Quarantine(folder), logger: pino({ level: "silent" }) },
      problemOf: async () => undefined,
      onRequeued: () => requeued++,
    });
  const answers = await Promise.allSettled(Array.from({ length: 4 }, () => process().path(row)));
  const codes = answers.map((answer) => (answer.status === "rejected" ? answer.reason.code : answer.value));
  expect(codes).toEqual(Array.from({ length: 4 }, () => "job.result_remade"));
  expect(requeued).toBe(1);
  expect((await findJob(database, id))?.status).toBe("queued");
});

test("a correction of a result that is made again meanwhile is not stored for the next one", async () => {
  const id = await jobWithResult();
  const correction = {
    ...{ id: crypto.randomUUID(), jobId: id, madeBy: "a key", change: { speakers: [{ speaker: 0, name: "Anna" }] } },
    resultKey: resultKey(id),
  };
  expect(await remakeResult(database, id, resultKey(id))).toBe(true);
  await expect(insertCorrection(database, correction, now())).rejects.toMatchObject({ code: "job.result_remade" });
  expect(await printedCorrections(database, id)).toEqual([]);
});
