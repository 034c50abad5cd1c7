// Against a real embedded database and real files.

import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { recordedJob } from "../../../test/fixtures/recorded-job.ts";
import { ensureAccount } from "./db/accounts/accounts.ts";
import { clientTime } from "./db/client-time.ts";
import { type Database, openDatabase } from "./db/database.ts";
import { saveFile } from "./db/files/files.ts";
import { planRemovals } from "./db/files/object-removals.ts";
import { insertUpload } from "./db/files/uploads.ts";
import { insertJob } from "./db/jobs/new-job.ts";
import { Quarantine } from "./quarantine.ts";
import { sweepDataFolder } from "./sweep.ts";

const root = mkdtempSync(path.join(os.tmpdir(), "parlance-sweep-"));
const accountId = crypto.randomUUID();
let database: Database;
let data: string;

beforeAll(async () => {
  database = await openDatabase("", path.join(root, "database-of-tests"));
  await ensureAccount(database, { id: accountId, name: "one" }, clientTime(new Date()));
});
afterAll(async () => {
  await database.destroy();
  rmSync(root, { recursive: true, force: true });
});
beforeEach(() => {
  data = mkdtempSync(path.join(root, "data-"));
});
afterEach(async () => {
  await database.deleteFrom("jobs").execute();
  await database.deleteFrom("files").execute();
});

const LONG_AGO = new Date(Date.now() - 3_600_000);

function put(name: string, isOld = true): string {
  const file = path.join(data, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, "0123456789");
  if (isOld) {
    utimesSync(file, LONG_AGO, LONG_AGO);
    utimesSync(path.dirname(file), LONG_AGO, LONG_AGO);
  }
  return file;
}

const sweep = (options: object = {}) =>
  sweepDataFolder({
    database,
    dataDirectory: data,
    modelsDirectory: path.join(data, "models"),
    hasOwnObjects: true,
    quarantine: new Quarantine(data),
    before: new Date(Date.now() - 60_000),
    isDryRun: false,
    ...options,
  });

async function job(status: "queued" | "error"): Promise<string> {
  const id = crypto.randomUUID();
  await insertJob(database, recordedJob(accountId, { id }));
  await database.updateTable("jobs").set({ status }).where("id", "=", id).execute();
  return id;
}

async function file(): Promise<string> {
  const id = crypto.randomUUID();
  const columns = { account_id: accountId, filename: "a", source: null, extension: "a", size: 10, audio_duration: 1 };
  const object_key = `audio/${id}`;
  await saveFile(database, { id, ...columns, number_of_channels: 1, object_key, created_at: clientTime(new Date()) });
  return id;
}

test("parts without an upload go, unless something may still write them; those of an upload stay", async () => {
  const id = crypto.randomUUID();
  const bounds = { mostUploads: 10, mostBytes: 1_000, expirySeconds: 60 };
  await insertUpload(database, { id, accountId, length: 10, filename: "a", metadata: "" }, bounds);
  const gone = put(`objects/uploads/${crypto.randomUUID()}/0.x`);
  const young = put(`objects/uploads/${crypto.randomUUID()}/0.x`, false);
  const kept = put(`objects/uploads/${id}/0.x`);
  const report = await sweep();
  expect(report.temporary.count).toBe(1);
  expect([gone, young, kept].map((file) => existsSync(file))).toEqual([false, true, true]);
});

test("temporary files go, unless something may still write to them", async () => {
  const old = [
    put("objects/audio/x.1-0.part"),
    put(`objects/results/${crypto.randomUUID()}.json.part`),
    put(`objects/peaks/${crypto.randomUUID()}/track-1.json.1-0.part`),
    put("tmp/peaks-1/0.pcm"),
    put("language-model.json.2-0.part"),
    put("models/.making-x/model.json"),
    put("models/.removed-x/weights"),
    put("database.unfinished-abc/PG_VERSION"),
  ];
  const fresh = [put("objects/audio/y.1-0.part", false), put("tmp/now", false), put("models/x/model.json")];
  const report = await sweep();
  expect(report.temporary).toEqual({ count: 8, bytes: 80 });
  for (const name of old) expect(existsSync(name), name).toBe(false);
  for (const name of fresh) expect(existsSync(name), name).toBe(true);
});

test("working files of jobs that have ended or are gone are deleted, those of others stay", async () => {
  const [waiting, failed] = [await job("queued"), await job("error")];
  const stays = put(`objects/jobs/${waiting}/channel-0.pcm`);
  const go = [put(`objects/jobs/${failed}/channel-0.pcm`), put(`objects/jobs/${crypto.randomUUID()}/segments.json`)];
  expect((await sweep()).temporary.count).toBe(2);
  expect(existsSync(stays)).toBe(true);
  for (const name of go) expect(existsSync(name)).toBe(false);
});

test("objects without a row are moved to the quarantine with the reason, never deleted", async () => {
  const [known, waiting] = [await file(), await job("queued")];
  const stays = [
    put(`objects/audio/${known}`),
    put(`objects/peaks/${known}.json`),
    put(`objects/peaks/${known}/track-1.json`),
    put(`objects/results/${waiting}.json`),
  ];
  const id = crypto.randomUUID();
  const unknown = [put(`objects/audio/${id}`), put(`objects/peaks/${id}.json`), put(`objects/results/${id}.json`)];
  const unknownFolder = path.dirname(put(`objects/peaks/${crypto.randomUUID()}/track-0.json`));
  unknown.push(unknownFolder);

  const uploading = put(`objects/audio/${crypto.randomUUID()}`, false);
  const foreign = put("objects/audio/notes.txt");
  const report = await sweep();
  expect(report).toMatchObject({ unknown: { count: 4, bytes: 40 }, foreign: { count: 1, bytes: 10 } });
  for (const name of [...stays, uploading, foreign]) expect(existsSync(name), name).toBe(true);
  for (const name of unknown) expect(existsSync(name)).toBe(false);
  const entries = await new Quarantine(data).list();
  expect(entries.map(({ from }) => from).sort()).toEqual(unknown.map((name) => path.relative(data, name)).sort());
  for (const { folder, from } of entries) expect(readdirSync(folder)).toContain(path.basename(from));
});

test("a database with few of the objects is another one: nothing is moved", async () => {
  const known = await file();
  put(`objects/audio/${known}`);
  const unknown = Array.from({ length: 30 }, () => put(`objects/audio/${crypto.randomUUID()}`));
  const report = await sweep();
  expect(report).toMatchObject({ unknown: { count: 30 }, isOtherDatabase: true });
  for (const name of unknown) expect(existsSync(name)).toBe(true);
});

test("objects whose removal is planned are neither unknown nor moved", async () => {
  const id = crypto.randomUUID();
  const name = put(`objects/audio/${id}`);
  await planRemovals(database, [{ key: `audio/${id}`, isFolder: false }], 60);
  expect(await sweep()).toMatchObject({ unknown: { count: 0 } });
  expect(existsSync(name)).toBe(true);
  expect(await new Quarantine(data).list()).toEqual([]);
});

test("looking alone changes nothing", async () => {
  const left = [put("tmp/x/y"), put(`objects/audio/${crypto.randomUUID()}`)];
  expect(await sweep({ isDryRun: true })).toMatchObject({ temporary: { count: 1 }, unknown: { count: 1 } });
  for (const name of left) expect(existsSync(name)).toBe(true);
});

test("copies of a shared store without a row go; files of a folder that was a store itself stay", async () => {
  const kept = await file();
  const copies = [`audio/${kept}`, `audio/${crypto.randomUUID()}`, `results/${crypto.randomUUID()}.json`].map((key) =>
    put(`objects/${key}`),
  );
  const fresh = put(`objects/audio/${crypto.randomUUID()}`, false);
  const was = put("objects/store-identity");
  await sweep({ hasOwnObjects: false });
  expect(copies.filter((copy) => existsSync(copy))).toEqual(copies);
  rmSync(was);
  const report = await sweep({ hasOwnObjects: false });
  expect(copies.filter((copy) => existsSync(copy))).toEqual(copies.slice(0, 1));
  expect(existsSync(fresh)).toBe(true);
  expect(report).toMatchObject({ temporary: { count: 2 }, unknown: { count: 0 } });
});

test("unfinished files and copies of models of a killed process go when it starts again, also beside other processes", async () => {
  const id = crypto.randomUUID();
  const left = [
    put(`objects/audio/${id}.7-0.part`),
    put(`objects/jobs/${id}/1/channel-0.pcm.7-1.part`),
    put("objects/models/whisper-tiny/weights"),
  ];
  const young = put(`objects/audio/${id}.8-0.part`, false);
  const now = Date.now();
  const options = { hasOwnObjects: false, before: new Date(now - 86_400_000), copiesBefore: new Date(now - 60_000) };
  await sweep(options);
  for (const file of left) expect(existsSync(file), file).toBe(false);
  expect(existsSync(young)).toBe(true);
});
