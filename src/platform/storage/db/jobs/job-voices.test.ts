// Voices that a request named are in the row of its job until the job ends.

import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, expect, test } from "vitest";
import { recordedJob } from "../../../../../test/fixtures/recorded-job.ts";
import { ensureAccount } from "../accounts/accounts.ts";
import { clientTime } from "../client-time.ts";
import { type Database, openDatabase } from "../database.ts";
import { endJob, findJob } from "./jobs.ts";
import { insertJob } from "./new-job.ts";

let folder: string;
let database: Database;
let accountId: string;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-job-voices-"));
  database = await openDatabase("", path.join(folder, "data"));
  accountId = (await ensureAccount(database, { id: uuid(), name: "account" }, clientTime(new Date()))).id;
});
afterAll(async () => {
  await database.destroy();
  rmSync(folder, { recursive: true, force: true });
});

async function paramsAfterEnd(params: object, isDamaged = false): Promise<unknown> {
  const id = uuid();
  await insertJob(database, recordedJob(accountId, { id, params }));
  await endJob(database, id, { status: "done", completedAt: clientTime(new Date()), resultKey: "r" }, null, isDamaged);
  return (await findJob(database, id))?.request_params;
}

test("the voices of a request are deleted when its job ends, and nothing else", async () => {
  const others = { diarization: true, sentences: false };
  expect(await paramsAfterEnd({ ...others, sealed_voices: "sealed:v1:AAAA" })).toEqual(others);
  expect(await paramsAfterEnd({ ...others, known_voices: [{ name: "Ann", print: [1], seconds: 2 }] })).toEqual(others);
  expect(await paramsAfterEnd(others)).toEqual(others);
});

test("a job with parameters that the database cannot parse ends; voices in them are deleted with the rest", async () => {
  const damaged = { callback_url: "http://127.0.0.1/\u0000" };
  expect(await paramsAfterEnd(damaged)).toEqual(damaged);
  await expect(paramsAfterEnd({ ...damaged, sealed_voices: "sealed:v1:AAAA" })).rejects.toThrow();
  expect(await paramsAfterEnd({ ...damaged, sealed_voices: "sealed:v1:AAAA" }, true)).toEqual({});
});
