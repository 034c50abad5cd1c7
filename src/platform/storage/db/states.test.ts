// Random updates of a job's and a delivery's rows against their tables of states, in the embedded database.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import * as fc from "fast-check";
import { sql } from "kysely";
import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, expect, test } from "vitest";
import { publicText } from "../../public-message.ts";
import { type Database, openDatabase } from "./database.ts";
import { addSeconds, databaseTime } from "./database-time.ts";
import {
  type AttemptOutcome,
  type DeliveryRow,
  insertDeliveries,
  isFirstOfRound,
  nextDelivery,
  recordAttempt,
  replayDelivery,
} from "./deliveries/deliveries.ts";
import { DELIVERY_TRANSITIONS, type DeliveryEvent } from "./deliveries/delivery-states.ts";
import { type ClaimedLane, claimLane } from "./deliveries/lane-claims.ts";
import {
  countCrash,
  finishStage,
  type Hold,
  holdOf,
  lockHeldJob,
  requeueJob,
  setFetchState,
  setProgress,
} from "./jobs/held-jobs.ts";
import { claimNextJob } from "./jobs/job-claims.ts";
import { JOB_TRANSITIONS, type JobEvent } from "./jobs/job-states.ts";
import { endJob, findJob, type JobRow, remakeResult, removeJobs } from "./jobs/jobs.ts";
import { recoverExpired, renewLeases, type WorkerProcess } from "./jobs/leases.ts";
import { insertJob } from "./jobs/new-job.ts";
import type { DeliveryStatus, JobStatus } from "./schema.ts";
import { inTransaction } from "./transaction.ts";

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
    .values({ id: accountId, name: "a", created_at: databaseTime(database) } as never)
    .execute();
});
afterAll(async () => {
  await database.destroy();
  rmSync(folder, { recursive: true, force: true });
});

async function newJob(): Promise<string> {
  const id = uuid();
  await insertJob(database, {
    id,
    accountId,
    kind: "pre-recorded",
    model: MODEL,
    createdAt: databaseTime(database),
    params: {},
  });
  return id;
}

interface JobModel {
  status: JobStatus;
  /** Of the attempt that may change the job. */
  hold: Hold | null;
  /** Every attempt so far. */
  attempts: Hold[];
  isExpired: boolean;
  strikes: number;
}

const NAMES = ["a#1", "b#1"] as const;
const selfOf = (name: string): WorkerProcess => ({ machine: name.split("#")[0] ?? "", generation: 1 });
const MOST_STRIKES = 3;

/** Columns that no claim, recovery or write of an attempt changes unseen. */
async function snapshot(id: string): Promise<unknown> {
  const { lease_until: _, ...row } = (await findJob(database, id)) as JobRow;
  return row;
}

abstract class JobCommand implements fc.AsyncCommand<JobModel, string> {
  check = () => true;
  abstract toString(): string;
  protected abstract act(model: JobModel, id: string): Promise<void>;

  async run(model: JobModel, id: string): Promise<void> {
    await this.act(model, id);
    if (model.status !== "processing") model.hold = null;
    if (model.hold === null) model.isExpired = false;
    const row = (await findJob(database, id)) as JobRow;
    const worker = model.hold?.worker ?? null;
    expect(row).toMatchObject({ status: model.status, worker, attempt: model.attempts.length });
    if (model.hold) expect(holdOf(row)).toEqual(model.hold);
    // J2: a job has an end exactly if it ended, and a result exactly if it is done.
    expect(row.completed_at !== null).toBe(model.status === "done" || model.status === "error");
    expect(row.result_key).toBe(model.status === "done" ? RESULT : null);
  }
}

/** A write of an attempt, by any attempt that there was. */
class Write extends JobCommand {
  /**
   * @param back     0 for the latest attempt, 1 for the one before it …
   * @param event    the transition; `advance` for one that leaves the state
   * @param write    @returns whether it had an effect
   */
  constructor(
    private readonly name: string,
    private readonly back: number,
    private readonly event: JobEvent,
    private readonly write: (hold: Hold) => Promise<boolean>,
  ) {
    super();
  }
  toString = () => `${this.name} by ${this.back === 0 ? "the latest attempt" : `${this.back} before it`}`;

  protected async act(model: JobModel, id: string): Promise<void> {
    const hold = model.attempts.at(-1 - this.back);
    if (!hold) return;
    // J1: only the attempt that holds a job changes it.
    const isHeld = model.hold?.attempt === hold.attempt;
    const before = await snapshot(id);
    expect(await this.write(hold)).toBe(isHeld);
    if (!isHeld) return expect(await snapshot(id)).toEqual(before);
    model.status = JOB_TRANSITIONS[model.status][this.event] ?? model.status;
    if (this.name === "advance" || this.name === "progress") model.strikes = 0;
    if (this.name === "requeue") model.strikes++;
  }
}

class Claim extends JobCommand {
  constructor(private readonly worker: string) {
    super();
  }
  toString = () => `claim by ${this.worker}`;

  protected async act(model: JobModel, id: string): Promise<void> {
    const claim = { worker: this.worker, lane: "fetch" as const, busyAccounts: [] };
    const row = await claimNextJob(database, { ...claim, concurrentJobs: 0, models: [MODEL] });
    expect(row?.id).toBe(model.status === "queued" ? id : undefined);
    if (!row) return;
    model.hold = { id, worker: this.worker, attempt: model.attempts.length + 1 };
    model.attempts.push(model.hold);
    Object.assign(model, { status: "processing", isExpired: false });
  }
}

/** The worker stalls for longer than its lease. */
class Expire extends JobCommand {
  toString = () => "expire";
  protected async act(model: JobModel, id: string): Promise<void> {
    if (model.hold === null) return;
    await sql`update jobs set lease_until = now() - interval '1 second' where id = ${id}`.execute(database);
    model.isExpired = true;
  }
}

class Recover extends JobCommand {
  constructor(
    private readonly worker: string,
    private readonly isRunningHere: boolean,
  ) {
    super();
  }
  toString = () => `recovery by ${this.worker}${this.isRunningHere ? ", where it runs" : ""}`;

  protected async act(model: JobModel, id: string): Promise<void> {
    const running = this.isRunningHere ? [id] : [];
    const recovery = { isOnlyProcess: false, self: selfOf(this.worker), running, mostStrikes: MOST_STRIKES };
    const before = await snapshot(id);
    const { requeued, exhausted } = await recoverExpired(database, recovery);
    if (!model.isExpired || this.isRunningHere) {
      expect([...requeued, ...exhausted]).toEqual([]);
      return expect(await snapshot(id)).toEqual(before);
    }
    model.strikes++;
    model.isExpired = false;
    if (model.strikes < MOST_STRIKES) {
      expect({ requeued, exhausted }).toEqual({ requeued: [id], exhausted: [] });
      model.status = "queued";
      return;
    }
    model.hold = { id, worker: this.worker, attempt: model.attempts.length + 1 };
    model.attempts.push(model.hold);
    expect({ requeued, exhausted }).toEqual({ requeued: [], exhausted: [model.hold] });
  }
}

/** J3: a lease is renewed for its holder only. */
class Renew extends JobCommand {
  constructor(private readonly back: number) {
    super();
  }
  toString = () => `renewal, ${this.back} before the latest attempt`;

  protected async act(model: JobModel, id: string): Promise<void> {
    const hold = model.attempts.at(-1 - this.back);
    if (!hold) return;
    const isHeld = model.hold?.attempt === hold.attempt;
    expect([...(await renewLeases(database, [hold]))]).toEqual(isHeld ? [id] : []);
    if (isHeld) model.isExpired = false;
  }
}

/** Writes for jobs that no attempt holds: they have no effect on one that is held. */
class WithoutHolder extends JobCommand {
  constructor(
    private readonly event: JobEvent,
    private readonly write: (id: string) => Promise<boolean>,
  ) {
    super();
  }
  toString = () => `${this.event} without a holder`;

  protected async act(model: JobModel, id: string): Promise<void> {
    const next = model.hold === null ? JOB_TRANSITIONS[model.status][this.event] : null;
    const before = await snapshot(id);
    expect(await this.write(id)).toBe(next !== null);
    if (next === null) return expect(await snapshot(id)).toEqual(before);
    model.status = next;
    if (this.event === "remake") model.strikes = 0;
  }
}

const doneEnding = () => ({ status: "done" as const, completedAt: databaseTime(database), resultKey: RESULT });
const failedEnding = () => ({
  ...{ status: "error" as const, completedAt: databaseTime(database) },
  ...{ errorCode: 500, errorMessage: publicText("failed") },
});

const WRITES: [name: string, event: JobEvent, write: (hold: Hold) => Promise<boolean>][] = [
  [
    "advance",
    "advance",
    (hold) =>
      finishStage(database, hold, { stageOutputs: {}, nextStage: "decode", progress: Math.random(), restSeconds: 10 }),
  ],
  [
    "progress",
    "advance",
    (hold) =>
      setProgress(database, hold, {
        stage: "recognize",
        progress: Math.random(),
        restSeconds: 10,
        clearsStrikes: true,
      }),
  ],
  ["fetch state", "advance", (hold) => setFetchState(database, hold, { attempts: Math.ceil(Math.random() * 1e6) })],
  ["crash", "advance", async (hold) => (await countCrash(database, hold)) !== undefined],
  ["lock", "advance", (hold) => inTransaction(database, (transaction) => lockHeldJob(transaction, hold))],
  ["requeue", "requeue", (hold) => requeueJob(database, hold, true)],
  ["succeed", "succeed", (hold) => endJob(database, hold.id, doneEnding(), hold)],
  ["fail", "fail", (hold) => endJob(database, hold.id, failedEnding(), hold)],
];

const names = fc.constantFrom(...NAMES);
const back = fc.constantFrom(0, 0, 1, 2);
const jobCommands = fc.commands(
  [
    names.map((name) => new Claim(name)),
    names.map((name) => new Claim(name)),
    fc.constant(new Expire()),
    fc.tuple(names, fc.boolean()).map(([name, isRunningHere]) => new Recover(name, isRunningHere)),
    back.map((at) => new Renew(at)),
    fc.tuple(back, fc.constantFrom(...WRITES)).map(([at, [name, event, write]]) => new Write(name, at, event, write)),
    fc.tuple(back, fc.constantFrom(...WRITES)).map(([at, [name, event, write]]) => new Write(name, at, event, write)),
    fc.constant(new WithoutHolder("succeed", (id) => endJob(database, id, doneEnding(), null))),
    fc.constant(new WithoutHolder("fail", (id) => endJob(database, id, failedEnding(), null))),
    fc.constant(new WithoutHolder("remake", (id) => remakeResult(database, id, RESULT))),
  ],
  { maxCommands: MOST_COMMANDS },
);

test("writes of a job have the effects of its table, and only for the attempt that holds it", async () => {
  const property = fc.asyncProperty(jobCommands, async (list) => {
    const id = await newJob();
    try {
      const model: JobModel = { status: "queued", hold: null, attempts: [], isExpired: false, strikes: 0 };
      await fc.asyncModelRun(() => ({ model, real: id }), list);
    } finally {
      await removeJobs(database, [id]);
    }
  });
  await fc.assert(property, { numRuns: RUNS, seed: SEED });
});

const DELIVERIES = 3;
// Not sums of the waits below: the model and the database never differ by the duration of the test.
const CLAIM_SECONDS = 1_005;
const RETRY_SECONDS = 505;

interface LaneModel {
  /** Seconds. */
  now: number;
  statuses: DeliveryStatus[];
  /** The claimed delivery as it was read, until when, and which deliveries were replayed since. */
  claim: { index: number; until: number; lane: ClaimedLane; delivery: DeliveryRow; replayed: Set<number> } | undefined;
  /** Claims whose senders have not recorded an attempt since. */
  lost: { index: number; lane: ClaimedLane }[];
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
const rowOf = (id: string) =>
  database.selectFrom("deliveries").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
const laneRow = (jobId: string) =>
  database.selectFrom("delivery_lanes").selectAll().where("job_id", "=", jobId).executeTakeFirstOrThrow();

function outcomeOf(kind: AttemptOutcome["kind"]): AttemptOutcome {
  if (kind === "retry") return { kind, at: addSeconds(databaseTime(database), RETRY_SECONDS) };
  return kind === "failed" ? { kind, stopsLane: true } : { kind };
}

const attempt = (name: string, event: DeliveryEvent, outcomeAt: () => AttemptOutcome) =>
  new LaneCommand(
    name,
    ({ claim }) => claim !== undefined,
    async (model) => {
      const { index, lane: claim, delivery, replayed } = model.claim as NonNullable<LaneModel["claim"]>;
      const outcome = outcomeAt();
      const record = { at: databaseTime(database), milliseconds: 0, responseStatus: 200, detail: "" };
      await recordAttempt(database, claim, delivery, record, outcome);
      const status = model.statuses[index] as DeliveryStatus;
      // D4: after a replay during an attempt, the delivery is due again at once. The outcome of that attempt does not matter.
      const isReplayed = replayed.has(index);
      if (!isReplayed) model.statuses[index] = DELIVERY_TRANSITIONS[status][event] ?? status;
      if (outcome.kind === "failed" && outcome.stopsLane)
        model.statuses = model.statuses.map((status, at) =>
          at === index && isReplayed ? status : (DELIVERY_TRANSITIONS[status].stopLane ?? status),
        );
      model.claim = undefined;
      const isRepeated = outcome.kind === "retry" && !isReplayed && model.statuses.indexOf("pending") === index;
      model.dueAt = model.now + (isRepeated ? RETRY_SECONDS : 0);
      if (isReplayed) expect(isFirstOfRound(await rowOf(delivery.id))).toBe(true);
    },
  );

const laneCommands = fc.commands(
  [
    fc.constant(
      new LaneCommand("claim", always, async (model, lane) => {
        const until = model.now + CLAIM_SECONDS;
        const claimed = await claimLane(database, { heldSeconds: CLAIM_SECONDS, busyHosts: [], busyAccounts: [] });
        const isFree = model.claim === undefined || model.claim.until < model.now;
        const index = model.statuses.indexOf("pending");
        // D1: one sender at a time, until its claim expires.
        expect(claimed?.jobId).toBe(isFree && index >= 0 && model.dueAt <= model.now ? lane.jobId : undefined);
        if (claimed && model.claim) model.lost.push(model.claim);
        if (claimed) {
          const delivery = await rowOf(lane.ids[index] as string);
          model.claim = { index, until, lane: claimed, delivery, replayed: new Set() };
        }
      }),
    ),
    fc.constant(attempt("delivered", "deliver", () => ({ kind: "delivered" }))),
    fc.constant(
      attempt("retry", "retry", () => ({ kind: "retry", at: addSeconds(databaseTime(database), RETRY_SECONDS) })),
    ),
    fc.constant(attempt("given up", "giveUp", () => ({ kind: "failed", stopsLane: false }))),
    fc.constant(attempt("gone", "giveUp", () => ({ kind: "failed", stopsLane: true }))),
    // The claim of a sender expired, and another one has the lane: only a delivery that arrived counts, and the lane stays as it is.
    fc.constantFrom<AttemptOutcome["kind"]>("delivered", "retry", "failed").map(
      (kind) =>
        new LaneCommand(
          `${kind} after the claim`,
          ({ lost }) => lost.length > 0,
          async (model, { jobId, ids }) => {
            const { index, lane } = model.lost.pop() as LaneModel["lost"][number];
            const delivery = await rowOf(ids[index] as string);
            const laneBefore = await laneRow(jobId);
            const record = { at: databaseTime(database), milliseconds: 0, responseStatus: 200, detail: "" };
            await recordAttempt(database, lane, delivery, record, outcomeOf(kind));
            if (kind === "delivered" && model.statuses[index] === "pending") model.statuses[index] = "delivered";
            expect(await laneRow(jobId)).toEqual(laneBefore);
          },
        ),
    ),
    fc.nat(DELIVERIES - 1).map(
      (index) =>
        new LaneCommand(`replay ${index}`, always, async (model, lane) => {
          await replayDelivery(database, lane.jobId, lane.ids[index] as string);
          model.statuses[index] = DELIVERY_TRANSITIONS[model.statuses[index] as DeliveryStatus].replay as "pending";
          model.claim?.replayed.add(index);
          model.dueAt = model.now;
        }),
    ),
    fc.constantFrom(10, 400, 1_500).map(
      (seconds) =>
        new LaneCommand(`wait ${seconds}`, always, async (model, { jobId }) => {
          const pause = sql`make_interval(secs => ${seconds}::float8)`;
          await sql`update delivery_lanes set due_at = due_at - ${pause}, claimed_until = claimed_until - ${pause}
            where job_id = ${jobId}`.execute(database);
          for (const one of [...model.lost, ...(model.claim ? [model.claim] : [])])
            one.lane.until = addSeconds(one.lane.until, -seconds);
          model.now += seconds;
        }),
    ),
  ],
  { maxCommands: MOST_COMMANDS },
);

test("updates of a delivery have the effects of its table, one sender and one delivery of a job at a time", async () => {
  const property = fc.asyncProperty(laneCommands, async (list) => {
    const jobId = await newJob();
    const ids = Array.from({ length: DELIVERIES }, () => uuid());
    const target = { jobId, url: "http://127.0.0.1/", method: "POST" };
    const deliveries = ids.map((id, sequence) => ({ id, sequence, event: "e", payload: "{}" }));
    await insertDeliveries(database, target, deliveries, databaseTime(database));
    try {
      const model: LaneModel = { now: 0, statuses: ids.map(() => "pending"), claim: undefined, lost: [], dueAt: 0 };
      await fc.asyncModelRun(() => ({ model, real: { jobId, ids } }), list);
    } finally {
      await removeJobs(database, [jobId]);
    }
  });
  await fc.assert(property, { numRuns: RUNS, seed: SEED });
});
