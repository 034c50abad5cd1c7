// Jobs whose model this process lacks wait while another process may bring it, and end otherwise.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { pino } from "pino";
import { v7 as uuid } from "uuid";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { errors } from "../../platform/errors.ts";
import { clientTime } from "../../platform/storage/db/client-time.ts";
import { type Database, openDatabase } from "../../platform/storage/db/database.ts";
import { findJob } from "../../platform/storage/db/jobs/jobs.ts";
import { insertJob } from "../../platform/storage/db/jobs/new-job.ts";
import { Disk } from "../../platform/storage/disk/disk.ts";
import { FleetModels, type FleetOptions } from "../models/fleet-models.ts";
import { OtherProcesses } from "../models/other-processes.ts";
import { WaitingForModels, type WaitingServices } from "./waiting-for-models.ts";

const MODEL = "whisper-large";
const logger = pino({ level: "silent" });

let folder: string;
let database: Database;
let account: string;
let job: string;
let others: OtherProcesses;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-waiting-"));
  database = await openDatabase("", folder, new Disk(false));
});
beforeEach(async () => {
  others = new OtherProcesses();
  [account, job] = [uuid(), uuid()];
  const now = clientTime(new Date());
  await sql`insert into accounts (id, name, created_at) values (${account}, ${account}, now())`.execute(database);
  await insertJob(database, {
    ...{ id: job, accountId: account, kind: "pre-recorded", model: MODEL, createdAt: now },
    params: { audio_url: "http://127.0.0.1/a.wav" },
  });
});
afterEach(async () => {
  for (const table of ["jobs", "fleet_models", "accounts"])
    await sql`delete from ${sql.table(table)}`.execute(database);
});
afterAll(async () => {
  await database.destroy();
  rmSync(folder, { recursive: true, force: true });
});

const row = (state: string, more: object = {}) =>
  database
    .insertInto("fleet_models" as never)
    .values({ name: MODEL, state, changed_at: sql`now()`, ...more } as never)
    .execute();

/** Status of the job after one look, in which the model cannot be brought. */
async function statusAfter(error: Error): Promise<string | undefined> {
  let looked = () => {};
  const looking = new Promise<void>((resolve) => (looked = resolve));
  const options = { database, others, objects: { kind: "bucket" }, logger };
  const services = {
    ...{ database, others, logger, multilingualModel: MODEL, speech: {} },
    models: { list: async () => [] },
    supply: { ensure: () => Promise.reject(error) },
    queue: { wake: () => undefined },
    fleet: new FleetModels(options as unknown as FleetOptions),
    readOthers: async () => undefined,
    onEnded: () => looked(),
  };
  const waiting = new WaitingForModels(services as unknown as WaitingServices);
  waiting.start();
  await Promise.race([looking, new Promise((resolve) => setTimeout(resolve, 500))]);
  await waiting.stop();
  return (await findJob(database, job))?.status;
}

test("a model that nobody has or fetches ends its jobs", async () => {
  expect(await statusAfter(errors.modelMissing(MODEL))).toBe("error");
});

test("a passing error of the database or the bucket ends no job", async () => {
  expect(await statusAfter(errors.databaseUnavailable(new Error("closed")))).toBe("queued");
  expect(await statusAfter(errors.storageUnavailable(new Error("closed")))).toBe("queued");
});

test("jobs wait for a model that another process fetches, until the fetch is lost", async () => {
  await row("fetching", { holder: "other#1", until: sql`now() + interval '10 seconds'` });
  expect(await statusAfter(errors.modelMissing(MODEL))).toBe("queued");
  await sql`update fleet_models set until = now() - interval '10 minutes'`.execute(database);
  expect(await statusAfter(errors.modelMissing(MODEL))).toBe("error");
});

test("jobs wait for a model that another worker can copy from the bucket", async () => {
  await row("stored", { has_copy: true, manifest: "{}" });
  others.take([{ machine: "other", roles: ["worker"], models: [] }]);
  expect(await statusAfter(errors.modelMissing(MODEL))).toBe("queued");
  others.take([]);
  expect(await statusAfter(errors.modelMissing(MODEL))).toBe("error");
});

test("jobs wait for a worker that had the model when it stopped before this process started", async () => {
  const stopped = { machine: "other", roles: ["worker"], models: [MODEL], ageSeconds: 300 };
  others.take([], [stopped]);
  expect(await statusAfter(errors.modelMissing(MODEL))).toBe("queued");
  others = new OtherProcesses();
  others.take([], [{ ...stopped, ageSeconds: 700 }]);
  expect(await statusAfter(errors.modelMissing(MODEL))).toBe("error");
});
