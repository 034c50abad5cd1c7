// Claims jobs from the queue, runs several concurrently, and renews their leases. Jobs that are fetching or waiting for add-ons do not take the slots of jobs that compute.
// When it stops, or storage is unavailable or full, it requeues its jobs. After a crash the leases expire, and another worker continues from the outputs of the last stage.
// An attempt that lost its lease is aborted, and cannot store an end. Errors of the job itself end it with their code.
import type { Logger } from "pino";
import { errors } from "../../platform/errors.ts";
import { sleep } from "../../platform/process/sleep.ts";
import { Waker } from "../../platform/process/waker.ts";
import { findAccount } from "../../platform/storage/db/accounts/accounts.ts";
import type { Database } from "../../platform/storage/db/database.ts";
import { databaseTime } from "../../platform/storage/db/database-time.ts";
import { type Hold, holdOf, requeueJob } from "../../platform/storage/db/jobs/held-jobs.ts";
import type { Lane } from "../../platform/storage/db/jobs/job-claims.ts";
import type { Ending, JobRow } from "../../platform/storage/db/jobs/jobs.ts";
import { renewLeases } from "../../platform/storage/db/jobs/leases.ts";
import { isFull } from "../../platform/storage/free-space.ts";
import { mustWait, whenPossible } from "../../platform/storage/when-possible.ts";
import { jobLimits } from "../accounts/limits.ts";
import { failedEnding } from "./end-job.ts";
import { discardAttempt, type FinishedJob, finishJob } from "./finish-job.ts";
import type { JobQueue } from "./queue.ts";
import { runJob } from "./run-job.ts";
import type { Pipeline, StageName, StageOutputs, StageServices } from "./stages/stage.ts";

export interface WorkerOptions {
  /** Name of this process in the rows of its jobs. */
  name: string;
  /** Concurrent jobs per lane. */
  concurrency: Readonly<Record<Lane, number>>;
  pipeline: Pipeline;
  /** Called for every job that has ended. */
  onEnded?: (ended: EndedJob) => void;
}

export interface EndedJob extends FinishedJob {
  /** Number of computing jobs when it ended, including this one. */
  running: number;
}

/** Intervals of the search for abandoned jobs and of the renewal of leases: several times within a lease (leases.ts). */
export const RECOVER_MILLISECONDS = 5_000;
const RENEW_MILLISECONDS = 4_000;
const FAILED_TAKE_PAUSE_MILLISECONDS = 1_000;
/**
 * Attempts of a job that fills the disk itself, with pauses from about 1 s to 16 s: several such jobs may each fit
 * alone.
 */
const MOST_DISK_FULL_ATTEMPTS = 5;
/** Poll interval while all slots are in use, as a safeguard against a lost wake-up. */
const FULL_LANE_MILLISECONDS = 5_000;
/** Concurrent assemblies of one account, which may wait for a language model. An account at this limit gets no further slot. */
const MOST_ASSEMBLIES_PER_ACCOUNT = 32;

interface RunningJob {
  accountId: string;
  hold: Hold;
  abort: AbortController;
  done: Promise<void>;
  isAssembled: boolean;
}

interface JobEvents {
  onStage: (stage: StageName) => void;
  /** The attempt no longer holds the job. */
  onLost: () => void;
}

/** Slots of one lane. */
interface LaneSlots {
  taken: number;
  readonly freed: Waker;
}

export class JobWorker {
  private readonly stopping = new AbortController();
  private readonly draining = new AbortController();
  private readonly running = new Map<string, RunningJob>();
  private readonly slots: Readonly<Record<Lane, LaneSlots>> = {
    fetch: { taken: 0, freed: new Waker() },
    process: { taken: 0, freed: new Waker() },
  };
  private loops: Promise<unknown> | undefined;
  private renewal: NodeJS.Timeout | undefined;
  private readonly database: Database;
  private readonly logger: Logger;

  constructor(
    private readonly queue: JobQueue,
    private readonly services: StageServices,
    readonly options: WorkerOptions,
  ) {
    this.database = services.database;
    this.logger = services.logger;
  }

  start(): void {
    this.renewal = setInterval(() => {
      this.renew().catch((error: unknown) => this.logger.warn({ err: error }, "leases could not be renewed"));
    }, RENEW_MILLISECONDS);
    this.renewal.unref();
    this.loops = Promise.all([this.work("fetch"), this.work("process")]);
  }

  /** Claims no further jobs; running ones continue until `stop`. */
  readonly drain = () => this.draining.abort();

  /** Requeues running jobs and stops. */
  async stop(): Promise<void> {
    this.drain();
    this.stopping.abort();
    clearInterval(this.renewal);
    for (const { abort } of this.running.values()) abort.abort();
    await this.loops;
    await Promise.all([...this.running.values()].map(({ done }) => done));
  }

  /** Stops the processing of a job that is being deleted. */
  async cancel(jobId: string): Promise<void> {
    const running = this.running.get(jobId);
    running?.abort.abort();
    await running?.done;
  }

  /** Jobs that run in this process; they are excluded from recovery. */
  get runningJobs(): string[] {
    return [...this.running.keys()];
  }

  /** Renews leases. Aborts jobs that were deleted, or recovered while this process was stalled. */
  private async renew(): Promise<void> {
    const held = [...this.running.values()];
    const holds = held.map(({ hold }) => hold);
    const ours = await renewLeases(this.database, holds);
    for (const { hold, abort } of held) if (!ours.has(hold.id)) abort.abort();
  }

  private async work(lane: Lane): Promise<void> {
    const { signal } = this.draining;
    const places = this.slots[lane];
    while (!signal.aborted) {
      if (places.taken >= this.options.concurrency[lane]) {
        await places.freed.wait(FULL_LANE_MILLISECONDS, signal);
        continue;
      }
      let row: JobRow | undefined;
      try {
        // On a full disk the job would only fail.
        await this.services.space.room("begun", signal);
        const busyAccounts = this.busyAccounts();
        row = await this.queue.take({ worker: this.options.name, lane, busyAccounts });
      } catch (error) {
        if (signal.aborted) return;
        this.logger.error({ err: error }, "could not claim a job");
        await sleep(FAILED_TAKE_PAUSE_MILLISECONDS, signal);
        continue;
      }
      if (row) this.take(row, lane);
      else await this.queue.waitForWork(lane, signal);
    }
  }

  /** Accounts at their limit of concurrent assemblies. */
  private busyAccounts(): string[] {
    const counts = new Map<string, number>();
    for (const { accountId, isAssembled } of this.running.values()) {
      if (isAssembled) counts.set(accountId, (counts.get(accountId) ?? 0) + 1);
    }
    return [...counts].filter(([, count]) => count >= MOST_ASSEMBLIES_PER_ACCOUNT).map(([id]) => id);
  }

  private take(row: JobRow, lane: Lane): void {
    const { id } = row;
    const places = this.slots[lane];
    places.taken++;
    let hasPlace = true;
    const releaseSlot = () => {
      if (!hasPlace) return;
      hasPlace = false;
      places.taken--;
      places.freed.wake();
      // Its account may have been at its limit, and a fetched job is ready for processing.
      this.queue.wake(lane === "fetch" ? undefined : lane);
    };
    // An earlier attempt that stalled in this process holds the job no more.
    const earlier = this.running.get(id);
    earlier?.abort.abort();
    const job: RunningJob = {
      accountId: row.account_id,
      hold: holdOf(row),
      abort: new AbortController(),
      isAssembled: false,
      done: Promise.resolve(),
    };
    const onStage = (stage: StageName) => {
      // In the lane of the fetches, nothing but its places bounds add-ons without a stored recording.
      if (lane !== "process" || (stage !== "assemble" && stage !== "add")) return;
      job.isAssembled = true;
      releaseSlot();
    };
    if (this.stopping.signal.aborted) job.abort.abort();
    this.running.set(id, job);
    const events = { onStage, onLost: () => job.abort.abort() };
    job.done = Promise.resolve(earlier?.done)
      .then(() => this.process(row, job, events))
      .catch((error: unknown) => this.logger.error({ err: error, job: id }, "a job could not be processed"))
      .finally(() => {
        // The other lane may have claimed it in the meantime.
        if (this.running.get(id) === job) this.running.delete(id);
        releaseSlot();
        if (job.isAssembled) this.queue.wake("process");
      });
  }

  private async process(row: JobRow, { hold, abort: { signal } }: RunningJob, events: JobEvents): Promise<void> {
    const { id } = row;
    this.logger.info({ job: id }, "job taken");
    const outputs: StageOutputs = {};
    const { tracing } = this.services;
    const traced = {
      parent: row.trace_parent,
      attributes: { "parlance.job": id, "parlance.worker": this.options.name },
    };
    if (row.stage === null) tracing.record("queue", row.created_at, databaseTime(this.database), traced);
    await tracing.span("job", traced, async (trace) => {
      const ending = await this.runToEnding(row, outputs, signal, trace, events);
      if (ending) await this.retryUntilStored(id, () => this.end(row, outputs, ending, hold));
    });
  }

  /** @returns its ending; undefined if it does not end here */
  private async runToEnding(
    row: JobRow,
    outputs: StageOutputs,
    signal: AbortSignal,
    trace: string | undefined,
    events: JobEvents,
  ): Promise<Ending | undefined> {
    const { id } = row;
    try {
      // Another attempt, perhaps on another machine, has outputs.
      if (row.stage !== null || row.attempt > 1) await this.restoreOutputs(row, outputs);
      const account = await findAccount(this.database, row.account_id);
      const limits = account ? jobLimits(account, this.services.limits) : this.services.limits;
      const isOwned = await runJob(
        row,
        outputs,
        this.options.pipeline.stagesOf(row),
        { ...this.services, limits },
        signal,
        trace,
        events,
      );
      if (!isOwned) return undefined;
      const completedAt = databaseTime(this.database);
      if (outputs.add) return { status: "done", completedAt, resultKey: null };
      return outputs.assemble && { status: "done", completedAt, ...outputs.assemble };
    } catch (error) {
      const isTransient = mustWait(error);
      if (!signal.aborted && !isTransient) {
        this.logger.warn({ err: error, job: id }, "job failed");
        return failedEnding(error, databaseTime(this.database));
      }
      if (isTransient) this.logger.error({ err: error, job: id }, "storage is unavailable or full; the job waits");
      const hasFilled = !signal.aborted && (await this.hasFilledDisk(error));
      if (hasFilled && row.strikes + 1 >= MOST_DISK_FULL_ATTEMPTS)
        return failedEnding(errors.jobFillsDisk(), databaseTime(this.database));
      if (hasFilled) await sleep(FAILED_TAKE_PAUSE_MILLISECONDS * 2 ** row.strikes * (0.5 + Math.random()), signal);
      const hold = holdOf(row);
      const isHeld = await this.retryUntilStored(id, () => requeueJob(this.database, hold, hasFilled));
      if (!isHeld) await discardAttempt(this.services, hold);
      if (isTransient && !hasFilled) await sleep(FAILED_TAKE_PAUSE_MILLISECONDS, signal);
      return undefined;
    }
  }

  /** Whether the disk was full and has room again after removing the job's files. */
  private async hasFilledDisk(error: unknown): Promise<boolean> {
    return isFull(error) && (await this.services.space.hasPlenty().catch(() => false));
  }

  /** Restores the valid outputs of earlier stages. */
  private async restoreOutputs(row: JobRow, outputs: StageOutputs): Promise<void> {
    const { id, model, stage_outputs } = row;
    const job = { id, hold: holdOf(row), model };
    const damaged = await this.options.pipeline.resume(job, stage_outputs, outputs, this.services.objects);
    if (damaged === undefined) return;
    this.logger.warn({ job: id, stage: damaged }, "the output of a stage is damaged or missing; the stage runs again");
  }

  /** Retries until the job's state is stored. */
  private retryUntilStored<Result>(id: string, write: () => Promise<Result>): Promise<Result> {
    return whenPossible(write, this.stopping.signal, (error) =>
      this.logger.error({ err: error, job: id }, "the state of a job cannot be stored yet; retrying"),
    );
  }

  private async end(row: JobRow, outputs: StageOutputs, ending: Ending, hold: Hold): Promise<void> {
    const ended = await finishJob(this.services, row, outputs, ending, hold);
    if (ended) this.options.onEnded?.({ ...ended, running: this.slots.process.taken + 1 });
  }
}
