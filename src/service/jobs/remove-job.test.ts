// The deletion of several jobs at once: files that other jobs use stay, every other object is removed, and nothing is left to do.
import { readdirSync } from "node:fs";
import path from "node:path";
import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type EmbeddedStores, openStores } from "../../../test/fixtures/embedded-stores.ts";
import { recordedJob } from "../../../test/fixtures/recorded-job.ts";
import { clientTime } from "../../platform/storage/db/client-time.ts";
import type { Database } from "../../platform/storage/db/database.ts";
import { saveFile } from "../../platform/storage/db/files/files.ts";
import { insertJob } from "../../platform/storage/db/jobs/new-job.ts";
import { attemptResultKey, audioKey, liveFolder, peaksKey, resultKey } from "../../platform/storage/objects/keys.ts";
import { Quarantine } from "../../platform/storage/quarantine.ts";
import { type RemovalServices, removeWholeJobs } from "./remove-job.ts";

let folder: string;
let database: Database;
let objects: EmbeddedStores["objects"];
let accountId: string;
let stores: EmbeddedStores;
const cancelled: string[] = [];
let services: RemovalServices;

beforeAll(async () => {
  stores = await openStores();
  ({ database, objects, accountId, folder } = stores);
  services = {
    ...{ database, objects, isOnlyProcess: true, live: { discard: async () => undefined } },
    worker: {
      cancel: async (id) => {
        cancelled.push(id);
      },
    },
  };
});
afterAll(() => stores.remove());

async function upload(): Promise<string> {
  const id = uuid();
  for (const key of [audioKey(id), peaksKey(id)]) await objects.put(key, "audio");
  await saveFile(database, {
    ...{
      id,
      account_id: accountId,
      filename: "a.wav",
      source: null,
      extension: "wav",
      size: 5,
      object_key: audioKey(id),
    },
    ...{ audio_duration: 1, number_of_channels: 1, created_at: clientTime(new Date()) },
  });
  return id;
}

async function job(fileId: string, isDone: boolean): Promise<string> {
  const row = recordedJob(accountId);
  await insertJob(database, { ...row, fileId });
  if (!isDone) return row.id;
  await objects.put(resultKey(row.id), "result");
  const ended = { status: "done", completed_at: clientTime(new Date()), result_key: resultKey(row.id) } as const;
  await database.updateTable("jobs").set(ended).where("id", "=", row.id).execute();
  return row.id;
}

const stored = () =>
  readdirSync(path.join(folder, "objects"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(path.join(folder, "objects"), path.join(entry.parentPath, entry.name)))
    .sort();

test("jobs that share a file, that are unfinished, or that are gone are deleted together", async () => {
  const [shared, kept, own] = [await upload(), await upload(), await upload()];
  const removed = [await job(shared, true), await job(shared, true), await job(kept, true), await job(own, false)];
  const left = await job(kept, true);
  expect(await removeWholeJobs([...removed, uuid()], services)).toBe(4);
  expect(stored()).toEqual([audioKey(kept), peaksKey(kept), resultKey(left)].sort());
  expect((await database.selectFrom("jobs").select("id").execute()).map(({ id }) => id)).toEqual([left]);
  expect((await database.selectFrom("files").select("id").execute()).map(({ id }) => id)).toEqual([kept]);
  expect(await database.selectFrom("object_removals").selectAll().execute()).toEqual([]);
  expect(cancelled).toEqual([removed[3]]);
  expect(await removeWholeJobs(removed, services)).toBe(0);
  expect(await removeWholeJobs([], services)).toBe(0);
});

test("objects that cannot be removed stay planned", async () => {
  const id = await job(await upload(), true);
  const failing = Object.assign(Object.create(objects), { remove: async () => Promise.reject(new Error("no")) });
  await expect(removeWholeJobs([id], { ...services, objects: failing })).rejects.toThrow("no");
  const planned = await database.selectFrom("object_removals").select("key").execute();
  expect(planned.map(({ key }) => key)).toContain(resultKey(id));
});

test("results that earlier attempts of a finished job left are deleted with it", async () => {
  const id = await job(await upload(), true);
  const results = [1, 2, 3].map((attempt) => attemptResultKey(id, attempt));
  for (const key of results) await objects.put(key, "result");
  await database
    .updateTable("jobs")
    .set({ attempt: 3, result_key: attemptResultKey(id, 3) })
    .where("id", "=", id)
    .execute();
  await removeWholeJobs([id], services);
  expect(await Promise.all(results.map((key) => objects.size(key)))).toEqual([undefined, undefined, undefined]);
});

test("a deleted job leaves no copy in the quarantine; entries of others stay", async () => {
  const quarantine = new Quarantine(folder);
  const [id, other] = [await job(await upload(), true), await job(await upload(), true)];
  const place = (key: string) => path.join(folder, "objects", key);
  for (const one of [id, other]) await quarantine.move(place(resultKey(one)), "it is damaged");
  const session = recordedJob(accountId, { kind: "live" });
  await insertJob(database, session);
  await objects.put(`${liveFolder(session.id)}/audio`, "audio");
  await quarantine.move(place(liveFolder(session.id)), "it ended in an error");
  // As a process that starts afterwards does.
  const withQuarantine = { ...services, quarantine: new Quarantine(folder) };
  expect(await removeWholeJobs([id, session.id], withQuarantine)).toBe(2);
  expect((await quarantine.list()).map(({ from }) => from)).toEqual([path.join("objects", resultKey(other))]);
  // One that is moved while the process runs.
  await objects.put(resultKey(other), "damaged again");
  await withQuarantine.quarantine.move(place(resultKey(other)), "it is damaged");
  expect(await removeWholeJobs([other], withQuarantine)).toBe(1);
  expect(await quarantine.list()).toEqual([]);
});
