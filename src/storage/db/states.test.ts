// Random updates of a job's and a delivery's rows against their tables of states, in the embedded database.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import * as fc from "fast-check";
import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, expect, test } from "vitest";
import { publicText } from "../../public-message.ts";
import { type Database, openDatabase } from "./database.ts";
import {
  type AttemptOutcome,
  claimLane,
  insertDeliveries,
  nextDelivery,
  recordAttempt,
  replayDelivery,
} from "./deliveries.ts";
import { DELIVERY_TRANSITIONS, type DeliveryEvent } from "./delivery-states.ts";
import { claimNextJob, renewLease } from "./job-claims.ts";
import { JOB_TRANSITIONS, type JobEvent } from "./job-states.ts";
import { endJob, findJob, finishStage, remakeResult, removeJob, requeueJob } from "./jobs.ts";
import { insertJob } from "./new-job.ts";
import type { DeliveryStatus, JobStatus } from "./schema.ts";

const RUNS = 60;
const SEED = 20_261_125;
const MOST_COMMANDS = 25;
const MODEL = "m";
const RESULT = "r";
const accountId = uuid();

let folder: string;
let database: Database;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-states-"));
  database = await openDatabase("", folder);
  await database
    .insertInto("accounts")
    .values({ id: accountId, name: "a", created_at: new Date() } as never)
    .execute();
});
afterAll(async () => {
  await database.destroy();
  rmSync(folder, { recursive: true, force: true });
});

async function newJob(): Promise<string> {
  const id = uuid();
  await insertJob(database, { id, accountId, kind: "pre-recorded", model: MODEL, createdAt: new Date(), params: {} });
  return id;
}

interface JobModel {
  status: JobStatus;
  worker: string | null;
}

class JobCommand implements fc.AsyncCommand<JobModel, string> {
  /** @param act  @returns whether the update had an effect; undefined if it does not say */
  constructor(
    private readonly event: JobEvent,
    private readonly worker: string | null,
    private readonly act: (id: string) => Promise<boolean | undefined>,
  ) {}
  check = () => true;
  toString = () => (this.worker === null ? this.event : `${this.event} by ${this.worker}`);

  async run(model: JobModel, id: string): Promise<void> {
    const next = JOB_TRANSITIONS[model.status][this.event];
    // J1: only the worker that holds a job changes it; starting needs no holder.
    const isAllowed = this.event === "start" || this.worker === null || this.worker === model.worker;
    const isExpected = next !== null && isAllowed;
    const hadEffect = await this.act(id);
    if (hadEffect !== undefined) expect(hadEffect).toBe(isExpected);
    if (isExpected) model.status = next;
    if (isExpected && this.event === "start") model.worker = this.worker;
    if (model.status !== "processing") model.worker = null;
    const row = await findJob(database, id);
    expect(row).toMatchObject({ status: model.status, worker: model.worker });
    // J2: a job has an end exactly if it ended, and a result exactly if it is done.
    expect(row?.completed_at !== null).toBe(model.status === "done" || model.status === "error");
    expect(row?.result_key).toBe(model.status === "done" ? RESULT : null);
    // J3: a lease is renewed for the holder only.
    for (const worker of ["a", "b"]) {
      const renewed = await renewLease(database, [id], worker, new Date(Date.now() + 60_000));
      expect(renewed.has(id)).toBe(model.worker === worker);
    }
  }
}

const workers = fc.constantFrom("a", "b");
const jobCommands = fc.commands(
  [
    workers.map(
      (worker) =>
        new JobCommand("start", worker, async (id) => {
          const [now, leaseUntil] = [new Date(), new Date(Date.now() + 60_000)];
          const claim = { worker, now, leaseUntil, lane: "fetch" as const, busyAccounts: [] };
          const row = await claimNextJob(database, { ...claim, concurrentJobs: 0, models: [MODEL] });
          return row?.id === id;
        }),
    ),
    workers.map(
      (worker) =>
        new JobCommand("advance", worker, (id) =>
          finishStage(database, id, worker, { stageOutputs: {}, nextStage: "decode", progress: 0.5 }),
        ),
    ),
    workers.map(
      (worker) =>
        new JobCommand("requeue", worker, async (id) => {
          await requeueJob(database, id, worker, true);
          return undefined;
        }),
    ),
    fc
      .option(workers)
      .map(
        (worker) =>
          new JobCommand("succeed", worker, (id) =>
            endJob(
              database,
              id,
              { status: "done", completedAt: new Date(), resultKey: RESULT },
              worker === null ? undefined : worker,
            ),
          ),
      ),
    fc.option(workers).map(
      (worker) =>
        new JobCommand("fail", worker, (id) => {
          const ending = { errorCode: 500, errorMessage: publicText("failed") };
          return endJob(database, id, { status: "error", completedAt: new Date(), ...ending }, worker ?? undefined);
        }),
    ),
    fc.constant(new JobCommand("remake", null, (id) => remakeResult(database, id, RESULT))),
  ],
  { maxCommands: MOST_COMMANDS },
);

test("updates of a job have the effects of its table, and only for the worker that holds it", async () => {
  const property = fc.asyncProperty(jobCommands, async (list) => {
    const id = await newJob();
    try {
      const model: JobModel = { status: "queued", worker: null };
      await fc.asyncModelRun(() => ({ model, real: id }), list);
    } finally {
      await removeJob(database, id);
    }
  });
  await fc.assert(property, { numRuns: RUNS, seed: SEED });
});

const DELIVERIES = 3;
const CLAIM_MILLISECONDS = 1_000;

interface LaneModel {
  now: number;
  statuses: DeliveryStatus[];
  /** Index of the claimed delivery, and until when. */
  claim: { index: number; until: number } | undefined;
  dueAt: number;
}

interface Lane {
  jobId: string;
  ids: string[];
}

class LaneCommand implements fc.AsyncCommand<LaneModel, Lane> {
  constructor(
    private readonly name: string,
    readonly check: (model: Readonly<LaneModel>) => boolean,
    private readonly act: (model: LaneModel, lane: Lane) => Promise<void>,
  ) {}
  toString = () => this.name;

  async run(model: LaneModel, lane: Lane): Promise<void> {
    await this.act(model, lane);
    const rows = await database
      .selectFrom("deliveries")
      .select(["status", "ended_at"])
      .where("job_id", "=", lane.jobId)
      .orderBy("sequence")
      .execute();
    expect(rows.map(({ status }) => status)).toEqual(model.statuses);
    // D2: a delivery has an end exactly if it is not pending.
    expect(rows.map(({ ended_at }) => ended_at === null)).toEqual(model.statuses.map((one) => one === "pending"));
    // D3: the next delivery is the first pending one.
    const next = model.statuses.indexOf("pending");
    expect((await nextDelivery(database, lane.jobId))?.id).toBe(lane.ids[next]);
  }
}

const always = () => true;
const attempt = (name: string, event: DeliveryEvent, outcomeAt: (now: number) => AttemptOutcome) =>
  new LaneCommand(
    name,
    ({ claim }) => claim !== undefined,
    async (model, lane) => {
      const { index } = model.claim as { index: number };
      const delivery = await database
        .selectFrom("deliveries")
        .selectAll()
        .where("id", "=", lane.ids[index] as string)
        .executeTakeFirstOrThrow();
      const outcome = outcomeAt(model.now);
      const record = { at: new Date(model.now), milliseconds: 0, responseStatus: 200, detail: "" };
      await recordAttempt(database, delivery, record, outcome);
      model.statuses[index] = DELIVERY_TRANSITIONS[model.statuses[index] as DeliveryStatus][event] as DeliveryStatus;
      if (outcome.kind === "failed" && outcome.stopsLane)
        model.statuses = model.statuses.map((status) => DELIVERY_TRANSITIONS[status].stopLane ?? status);
      model.claim = undefined;
      model.dueAt = outcome.kind === "retry" ? outcome.at.getTime() : model.now;
    },
  );

const laneCommands = fc.commands(
  [
    fc.constant(
      new LaneCommand("claim", always, async (model, lane) => {
        const until = model.now + CLAIM_MILLISECONDS;
        const times = { now: new Date(model.now), until: new Date(until) };
        const claimed = await claimLane(database, { ...times, busyHosts: [], busyAccounts: [] });
        const isFree = model.claim === undefined || model.claim.until < model.now;
        const index = model.statuses.indexOf("pending");
        // D1: one sender at a time, until its claim expires.
        expect(claimed?.jobId).toBe(isFree && index >= 0 && model.dueAt <= model.now ? lane.jobId : undefined);
        if (claimed) model.claim = { index, until };
      }),
    ),
    fc.constant(attempt("delivered", "deliver", () => ({ kind: "delivered" }))),
    fc.constant(attempt("retry", "retry", (now) => ({ kind: "retry", at: new Date(now + 500) }))),
    fc.constant(attempt("given up", "giveUp", () => ({ kind: "failed", stopsLane: false }))),
    fc.constant(attempt("gone", "giveUp", () => ({ kind: "failed", stopsLane: true }))),
    fc.nat(DELIVERIES - 1).map(
      (index) =>
        new LaneCommand(
          `replay ${index}`,
          // The sender of a claimed delivery records its attempt first.
          ({ claim }) => claim === undefined,
          async (model, lane) => {
            await replayDelivery(database, lane.jobId, lane.ids[index] as string, new Date(model.now));
            model.statuses[index] = DELIVERY_TRANSITIONS[model.statuses[index] as DeliveryStatus].replay as "pending";
            model.dueAt = model.now;
          },
        ),
    ),
    fc.constantFrom(10, 400, 1_500).map(
      (milliseconds) =>
        new LaneCommand(`wait ${milliseconds}`, always, async (model) => {
          model.now += milliseconds;
        }),
    ),
  ],
  { maxCommands: MOST_COMMANDS },
);

test("updates of a delivery have the effects of its table, one sender and one delivery of a job at a time", async () => {
  const property = fc.asyncProperty(laneCommands, async (list) => {
    const jobId = await newJob();
    const ids = Array.from({ length: DELIVERIES }, () => uuid());
    const now = Date.now();
    const target = { jobId, url: "http://127.0.0.1/", method: "POST" };
    const deliveries = ids.map((id, sequence) => ({ id, sequence, event: "e", payload: "{}" }));
    await insertDeliveries(database, target, deliveries, new Date(now));
    try {
      const model: LaneModel = { now, statuses: ids.map(() => "pending"), claim: undefined, dueAt: now };
      await fc.asyncModelRun(() => ({ model, real: { jobId, ids } }), list);
    } finally {
      await removeJob(database, jobId);
    }
  });
  await fc.assert(property, { numRuns: RUNS, seed: SEED });
});
