import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { sql } from "kysely";
import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, expect, test } from "vitest";
import { publicText } from "../../../public-message.ts";
import { ensureAccount, setLimits } from "../accounts/accounts.ts";
import { type Database, openDatabase } from "../database.ts";
import { addSeconds, databaseTime, statementTime } from "../database-time.ts";
import { saveFile } from "../files/files.ts";
import { inTransaction } from "../transaction.ts";
import { countsOf, queueTotals, repairCounts } from "./account-lanes.ts";
import { finishStage, type Hold, holdOf, requeueJob } from "./held-jobs.ts";
import { claimNextJob, type Lane } from "./job-claims.ts";
import {
  attachFile,
  endJob,
  findJob,
  type JobRow,
  jobsWaitingForModels,
  remakeResult,
  removeJobs,
  startLiveJob,
} from "./jobs.ts";
import { recoverExpired } from "./leases.ts";
import { insertJob } from "./new-job.ts";
import { QueuePlaces } from "./queue-place.ts";

const RUNS = 12;
const MODELS = ["a", "b"];
const WORKER = { machine: "m", generation: 1 };
let folder: string;
let database: Database;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-lanes-"));
  database = await openDatabase("", folder);
});
afterAll(async () => {
  await database.destroy();
  rmSync(folder, { recursive: true, force: true });
});

const newAccount = async () => (await ensureAccount(database, { id: uuid(), name: uuid() }, statementTime)).id;

async function newJob(
  accountId: string,
  {
    hasFile = true,
    isLive = false,
    model = "a",
    age = 0,
  }: { hasFile?: boolean; isLive?: boolean; model?: string; age?: number } = {},
  on: Database = database,
): Promise<string> {
  const id = uuid();
  const kind = isLive ? "live" : "pre-recorded";
  const createdAt = addSeconds(databaseTime(database), -age);
  await insertJob(on, {
    id,
    accountId,
    kind,
    model,
    createdAt,
    params: {},
    ...(hasFile && !isLive ? { fileId: id } : {}),
  });
  return id;
}

const claim = (lane: Lane = "process", concurrentJobs = 0, models: readonly string[] = MODELS) =>
  claimNextJob(database, { worker: "m#1", lane, busyAccounts: [], concurrentJobs, models });

/** What the counts must be: by a count of the jobs. */
async function counted() {
  const { rows } = await sql`select account_id, lane_of_job(kind, file_id) as lane,
      count(*) filter (where status = 'queued')::int as waiting, count(*) filter (where status = 'processing')::int as running,
      min(created_at) filter (where status = 'queued' and kind <> 'live') as head_at
    from jobs where status in ('queued', 'processing') group by 1, 2 order by 1, 2`.execute(database);
  return rows;
}

async function stored() {
  const { rows } = await sql`select account_id, lane, waiting, running, head_at from account_lanes
    where waiting <> 0 or running <> 0 or head_at is not null order by 1, 2`.execute(database);
  return rows;
}

interface State {
  accounts: string[];
  jobs: string[];
  holds: Hold[];
}
type Operation = (state: State, choice: number) => Promise<unknown>;

const one = <Item>(items: readonly Item[], choice: number) => items[choice % Math.max(1, items.length)];
const done = () => ({ status: "done" as const, completedAt: databaseTime(database), resultKey: "r" });
const failed = () => ({
  ...{ status: "error" as const, completedAt: databaseTime(database) },
  ...{ errorCode: 500, errorMessage: publicText("failed") },
});

const OPERATIONS: Record<string, Operation> = {
  add: async ({ accounts, jobs }, choice) =>
    jobs.push(
      await newJob(one(accounts, choice) as string, {
        ...{ hasFile: choice % 2 === 0, isLive: choice % 7 === 0, age: choice % 50 },
        model: MODELS[choice % 2] as string,
      }),
    ),
  "add in a transaction that fails": ({ accounts }, choice) =>
    inTransaction(database, async (transaction) => {
      await newJob(one(accounts, choice) as string, {}, transaction);
      throw new Error("rolled back");
    }).catch(() => undefined),
  claim: async ({ holds }, choice) => {
    const row = await claim(choice % 3 === 0 ? "fetch" : "process", choice % 4, choice % 5 === 0 ? ["b"] : MODELS);
    if (row) holds.push(holdOf(row));
  },
  requeue: ({ holds }, choice) =>
    requeueJob(database, one(holds, choice) ?? { id: uuid(), worker: "", attempt: 0 }, true),
  "finish the fetch": async ({ holds }, choice) => {
    const hold = one(holds, choice);
    const step = { stageOutputs: {}, nextStage: "decode", progress: 0.1, restSeconds: 10 };
    if (hold) await finishStage(database, hold, { ...step, fileId: uuid() });
  },
  end: async ({ holds }, choice) => {
    const hold = one(holds, choice);
    if (hold) await endJob(database, hold.id, choice % 2 ? done() : failed(), hold);
  },
  "end one that waits": ({ jobs }, choice) => endJob(database, one(jobs, choice) ?? uuid(), failed(), null),
  remake: ({ jobs }, choice) => remakeResult(database, one(jobs, choice) ?? uuid(), "r"),
  "begin a session": ({ jobs }, choice) => startLiveJob(database, one(jobs, choice) ?? uuid()),
  "store a recording": ({ jobs }, choice) => attachFile(database, one(jobs, choice) ?? uuid(), uuid()),
  recover: async ({ holds }, choice) => {
    await sql`update jobs set lease_until = now() - interval '1 second' where status = 'processing'`.execute(database);
    const recovery = { isOnlyProcess: false, self: WORKER, running: [], mostStrikes: 2 + (choice % 3) };
    holds.push(...(await recoverExpired(database, recovery)).exhausted);
  },
  remove: ({ jobs }, choice) => removeJobs(database, [one(jobs, choice) ?? uuid()]),
  limit: ({ accounts }, choice) =>
    setLimits(database, one(accounts, choice) as string, {
      concurrent_jobs: [null, 0, 1, 2][choice % 4] as number | null,
    }),
};

test("the counts of an account are those of its jobs, whatever happens to them", async () => {
  const step = fc.tuple(fc.constantFrom(...Object.keys(OPERATIONS), "add", "add", "claim", "claim"), fc.nat(1_000));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
      const state: State = {
        accounts: [await newAccount(), await newAccount(), await newAccount()],
        jobs: [],
        holds: [],
      };
      for (const [name, choice] of steps) {
        await (OPERATIONS[name] as Operation)(state, choice);
        expect(await stored(), name).toEqual(await counted());
      }
      expect(await repairCounts(database)).toBe(0);
      await sql`delete from accounts`.execute(database);
      expect(await stored()).toEqual([]);
    }),
    { numRuns: RUNS, seed: 20_261_127 },
  );
});

test("wrong counts are found and corrected", async () => {
  const [first, second] = [await newAccount(), await newAccount()];
  await newJob(first);
  await newJob(second, { hasFile: false });
  await claim();
  await sql`update account_lanes set running = 7, waiting = 3, head_at = null, most_running = 2 where account_id = ${first}`.execute(
    database,
  );
  await sql`delete from account_lanes where account_id = ${second}`.execute(database);
  expect(await repairCounts(database)).toBe(2);
  expect(await stored()).toEqual(await counted());
  expect(await repairCounts(database)).toBe(0);
  expect(await countsOf(database, first)).toEqual({ waiting: 0, running: 1 });
  expect(await queueTotals(database)).toMatchObject({ waiting: 1, running: 1 });
  await sql`delete from accounts`.execute(database);
});

test("jobs of missing models are found among others, and do not hold up their account", async () => {
  const account = await newAccount();
  await newJob(account, { model: "missing", age: 100 });
  const ready = await newJob(account, { model: "b", age: 50 });
  expect((await jobsWaitingForModels(database, MODELS)).map(({ model }) => model)).toEqual(["missing"]);
  expect((await claim())?.id).toBe(ready);
  expect(await claim()).toBeUndefined();
  await sql`delete from accounts`.execute(database);
});

test("a job's place counts its account's earlier jobs, and as many of every other account", async () => {
  const [first, second] = [await newAccount(), await newAccount()];
  for (const age of [90, 80, 70]) await newJob(first, { age, hasFile: age !== 80 });
  for (const age of [5, 4, 3, 2, 1]) await newJob(second, { age });
  const last = await newJob(first);
  const places = new QueuePlaces(database);
  const place = async (id: string) => places.of((await findJob(database, id)) as JobRow);
  expect(await place(last)).toEqual({ ahead: 3 + 4, audioSecondsAhead: 0, unknownAhead: 3 + 4 });
  await claim();
  // What concerns the other accounts is read once a second.
  await expect.poll(() => place(last)).toEqual({ ahead: 2 + 3, audioSecondsAhead: 0, unknownAhead: 2 + 3 + 1 });
  await sql`delete from accounts`.execute(database);
});

test("add-ons that are made from a text count as jobs without audio, others as their recording", async () => {
  const account = await newAccount();
  const file = { account_id: account, filename: "a", source: null, extension: "wav", size: 1, number_of_channels: 1 };
  const createdAt = addSeconds(databaseTime(database), -60);
  const request = async (params: object, isAddOns: boolean) => {
    const [id, fileId] = [uuid(), uuid()];
    await saveFile(database, { ...file, id: fileId, object_key: fileId, audio_duration: 100, created_at: createdAt });
    const addedTo = isAddOns ? { addedTo: await newJob(account, { isLive: true }) } : {};
    await insertJob(database, {
      ...{ id, accountId: account, kind: "pre-recorded" as const, model: "a", createdAt, params, fileId, ...addedTo },
    });
  };
  await request({ summarization: true }, true);
  expect(await queueLengths(account)).toEqual({ ahead: 1, audioSecondsAhead: 0, unknownAhead: 0 });
  await request({ summarization: true, diarization: true }, true);
  expect(await queueLengths(account)).toEqual({ ahead: 2, audioSecondsAhead: 100, unknownAhead: 0 });
  await request({}, false);
  expect(await queueLengths(account)).toEqual({ ahead: 3, audioSecondsAhead: 200, unknownAhead: 0 });
  await sql`delete from accounts`.execute(database);
});

/** What is ahead of a new job of an account. */
async function queueLengths(account: string) {
  const job = (await findJob(database, await newJob(account))) as JobRow;
  const place = await new QueuePlaces(database).of(job);
  await sql`delete from jobs where id = ${job.id}`.execute(database);
  return place;
}

test("after an error of the database, the next place is read again at once", async () => {
  let isDown = true;
  const unsteady = database.withPlugin({
    transformQuery: ({ node }) => {
      if (isDown) throw new Error("the database does not answer");
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  const job = (await findJob(database, await newJob(await newAccount()))) as JobRow;
  const places = new QueuePlaces(unsteady);
  await expect(places.of(job)).rejects.toThrow("the database does not answer");
  isDown = false;
  expect(await places.of(job)).toMatchObject({ ahead: 0 });
  await sql`delete from accounts`.execute(database);
});
