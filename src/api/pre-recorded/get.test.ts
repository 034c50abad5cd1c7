// A result whose file disappears between the look-up of the job and the answer.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import Fastify from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ensureAccount } from "../../platform/storage/db/accounts/accounts.ts";
import { type Database, openDatabase } from "../../platform/storage/db/database.ts";
import { databaseTime, statementTime } from "../../platform/storage/db/database-time.ts";
import { endJob, removeJobs } from "../../platform/storage/db/jobs/jobs.ts";
import { insertJob } from "../../platform/storage/db/jobs/new-job.ts";
import type { Api } from "../context.ts";
import { addErrorRenderer } from "../plugins/errors.ts";
import { addGet } from "./get.ts";

let folder: string;
let database: Database;
let accountId: string;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-get-"));
  database = await openDatabase("", folder);
  accountId = (await ensureAccount(database, { id: crypto.randomUUID(), name: "a" }, statementTime)).id;
});
afterAll(async () => {
  await database?.destroy();
  rmSync(folder, { recursive: true, force: true });
});

async function finishedJob(): Promise<string> {
  const id = crypto.randomUUID();
  const [createdAt, completedAt] = [await databaseTime(database), await databaseTime(database)];
  await insertJob(database, { ...{ id, accountId, createdAt }, kind: "live", model: "m", params: {} });
  await endJob(database, id, { status: "done", completedAt, resultKey: `results/${id}`, resultHash: "0" }, null);
  return id;
}

/** @param open  the path of the result at each reading */
async function answer(id: string, open: () => Promise<string>) {
  let closed = 0;
  const app = Fastify() as unknown as Api;
  app.addHook("onRequest", async (request) => {
    request.account = { id: accountId } as never;
    request.publicRequestId = request.id;
  });
  addErrorRenderer(app, {} as never);
  const namedResults = { open: async () => ({ path: await open(), close: async () => void closed++ }) };
  const context = { database, namedResults } as unknown as Parameters<typeof addGet>[1];
  addGet(app, context, { path: "/v2/transcription", kind: undefined, tag: "Jobs" });
  const { statusCode, payload } = await app.inject(`/v2/transcription/${id}`);
  await app.close();
  return { statusCode, body: JSON.parse(payload), closed };
}

test("a job deleted meanwhile is not found", async () => {
  const id = await finishedJob();
  const { statusCode, body, closed } = await answer(id, async () => {
    await removeJobs(database, [id]);
    return path.join(folder, "deleted.json");
  });
  expect([statusCode, closed], JSON.stringify(body)).toEqual([404, 1]);
  expect(body.message).toMatch(/^Job/);
});

test("if the local copy of a result was evicted meanwhile, it is fetched again", async () => {
  const id = await finishedJob();
  const copy = path.join(folder, "copy.json");
  let readings = 0;
  const { statusCode, body, closed } = await answer(id, async () => {
    if (readings++ > 0) writeFileSync(copy, '{"a":1}');
    return copy;
  });
  expect([statusCode, readings, closed]).toEqual([200, 2, 2]);
  expect(body.result).toEqual({ a: 1 });
});

test("any failure of a request whose job was deleted meanwhile says so", async () => {
  const id = await finishedJob();
  const { statusCode } = await answer(id, async () => {
    await removeJobs(database, [id]);
    throw new Error("a file is missing");
  });
  expect(statusCode).toBe(404);
});

test("a result that stays missing is an error", async () => {
  const id = await finishedJob();
  const { statusCode, closed } = await answer(id, async () => path.join(folder, "missing.json"));
  expect([statusCode, closed]).toEqual([500, 2]);
});
