// Takes jobs from the queue and runs several at once; renews its hold on them; gives them back when it stops.
import type { Logger } from "pino";
import { jobLimits } from "../accounts/limits.ts";
import { callbackTarget } from "../callbacks/enqueue.ts";
import { findAccount } from "../storage/db/accounts.ts";
import type { Database } from "../storage/db/database.ts";
import { updateFile } from "../storage/db/files.ts";
import { type Ending, findJob, type JobRow, renewLease, requeueJob } from "../storage/db/jobs.ts";
import { mustWait, whenPossible } from "../storage/when-possible.ts";
import { endRecordedJob } from "./end-job.ts";
import type { JobQueue } from "./queue.ts";
import { endingOf, runJob } from "./run-job.ts";
import { type StageOutputs, type StageServices, workFolder } from "./stages/stage.ts";

export interface WorkerOptions {
  /** Names this process in the rows that it holds. */
  name: string;
  concurrency: number;
  /** Told about every job that has ended. */
  onEnded?: (ended: EndedJob) => void;
}

export interface EndedJob {
  id: string;
  ending: Ending;
  createdAt: Date;
  startedAt: Date;
  /** Jobs that were worked on when it ended, itself included. */
  running: number;
  /** Whether somebody is told of it. */
  hasCallback: boolean;
  /** Unknown when the recording could not be read. */
  audioSeconds?: number;
}

/** A dead worker's jobs go on elsewhere after so long at most, and one look for them. */
export const LEASE_MILLISECONDS = 15_000;
export const RECOVER_MILLISECONDS = 5_000;
const RENEW_MILLISECONDS = 4_000;
const FAILED_TAKE_PAUSE_MILLISECONDS = 1_000;

export class JobWorker {
  private readonly stopping = new AbortController();
  private readonly running = new Map<string, { abort: AbortController; done: Promise<void> }>();
  private loop: Promise<void> | undefined;
  private renewal: NodeJS.Timeout | undefined;
  private readonly database: Database;
  private readonly logger: Logger;

  constructor(
    private readonly queue: JobQueue,
    private readonly services: StageServices,
    private readonly options: WorkerOptions,
  ) {
    this.database = services.database;
    this.logger = services.logger;
  }

  start(): void {
    this.renewal = setInterval(() => {
      const until = new Date(Date.now() + LEASE_MILLISECONDS);
      this.renew(until).catch((error: unknown) => this.logger.warn({ err: error }, "leases could not be renewed"));
    }, RENEW_MILLISECONDS);
    this.renewal.unref();
    this.loop = this.work();
  }

  /** Gives running jobs back to the queue and ends. */
  async stop(): Promise<void> {
    this.stopping.abort();
    clearInterval(this.renewal);
    for (const { abort } of this.running.values()) abort.abort();
    await this.loop;
    await Promise.all([...this.running.values()].map(({ done }) => done));
  }

  /** Stops work on a job that is being deleted. */
  async cancel(jobId: string): Promise<void> {
    const running = this.running.get(jobId);
    running?.abort.abort();
    await running?.done;
  }

  /** A job that is no longer ours was deleted, or another worker has it because this one was stalled: let go of it. */
  private async renew(until: Date): Promise<void> {
    const held = [...this.running.keys()];
    const ours = await renewLease(this.database, held, this.options.name, until);
    for (const id of held) if (!ours.has(id)) this.running.get(id)?.abort.abort();
  }

  private async work(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      if (this.running.size >= this.options.concurrency) {
        await Promise.race([...this.running.values()].map(({ done }) => done));
        continue;
      }
      // Work on a full disk would only fail.
      await this.services.space.room("begun", signal);
      let row: JobRow | undefined;
      try {
        const now = new Date();
        const leaseUntil = new Date(now.getTime() + LEASE_MILLISECONDS);
        row = await this.queue.take({ worker: this.options.name, now, leaseUntil });
      } catch (error) {
        if (signal.aborted) return;
        this.logger.error({ err: error }, "no job could be taken");
        await new Promise((resolve) => setTimeout(resolve, FAILED_TAKE_PAUSE_MILLISECONDS));
        continue;
      }
      if (row) this.take(row);
      else await this.queue.waitForWork(signal);
    }
  }

  private take(row: JobRow): void {
    const { id } = row;
    const abort = new AbortController();
    const done = this.process(row, abort.signal)
      .catch((error: unknown) => this.logger.error({ err: error, job: id }, "a job could not be worked on"))
      .finally(() => {
        this.running.delete(id);
        // Its account may have been at its limit.
        this.queue.wake();
      });
    this.running.set(id, { abort, done });
  }

  private async process(row: JobRow, signal: AbortSignal): Promise<void> {
    const { id } = row;
    this.logger.info({ job: id }, "job taken");
    const outputs: StageOutputs = { ...row.stage_outputs };
    const { tracing } = this.services;
    const traced = {
      parent: row.trace_parent,
      attributes: { "parlance.job": id, "parlance.worker": this.options.name },
    };
    if (row.stage === null) tracing.record("queue", row.created_at, new Date(), traced);
    await tracing.span("job", traced, async (trace) => {
      const ending = await this.workedOn(row, outputs, signal, trace);
      if (ending) await this.patiently(id, () => this.end(row, outputs, ending));
    });
  }

  /** @returns how it ends; undefined when it does not, here */
  private async workedOn(
    row: JobRow,
    outputs: StageOutputs,
    signal: AbortSignal,
    trace?: string,
  ): Promise<Ending | undefined> {
    const { id } = row;
    try {
      // It was worked on before, perhaps elsewhere.
      if (row.stage !== null) await this.services.objects.takeOver(workFolder(id));
      const account = await findAccount(this.database, row.account_id);
      const limits = account ? jobLimits(account, this.services.limits) : this.services.limits;
      const goesOn = await runJob(row, outputs, { ...this.services, limits }, signal, trace);
      if (!goesOn || !outputs.assemble) return undefined;
      return { status: "done", completedAt: new Date(), resultKey: outputs.assemble.resultKey };
    } catch (error) {
      const hasToWait = mustWait(error);
      if (!signal.aborted && !hasToWait) {
        this.logger.warn({ err: error, job: id }, "job failed");
        return { status: "error", completedAt: new Date(), ...endingOf(error) };
      }
      if (hasToWait) this.logger.error({ err: error, job: id }, "there is nowhere to put things: a job waits");
      await this.patiently(id, () => requeueJob(this.database, id, this.options.name, false));
      if (hasToWait) await new Promise((resolve) => setTimeout(resolve, FAILED_TAKE_PAUSE_MILLISECONDS));
      return undefined;
    }
  }

  /** What has become of a job is written down, however long that takes. */
  private patiently<Result>(id: string, write: () => Promise<Result>): Promise<Result> {
    return whenPossible(write, this.stopping.signal, (error) =>
      this.logger.error({ err: error, job: id }, "what became of a job cannot be written down yet"),
    );
  }

  private async end(row: JobRow, outputs: StageOutputs, ending: Ending): Promise<void> {
    const { id } = row;
    const audioSeconds = outputs.decode?.durationSeconds;
    const ended = await this.database.transaction().execute(async (transaction) => {
      if (outputs.fetch && audioSeconds !== undefined) {
        await updateFile(transaction, outputs.fetch.fileId, { audio_duration: audioSeconds });
      }
      return endRecordedJob(transaction, row, ending, this.options.name);
    });
    if (!ended) {
      // Deleted meanwhile, on whichever machine: nothing of it stays. Another worker's: what there is is that one's.
      if (await findJob(this.database, id)) return;
      await this.services.objects.removeFolder(workFolder(id));
      if (ending.status === "done") await this.services.objects.remove(ending.resultKey);
      return;
    }
    await this.services.objects.removeFolder(workFolder(id));
    this.logger.info({ job: id, status: ending.status }, "job ended");
    this.options.onEnded?.({
      id,
      ending,
      createdAt: row.created_at,
      startedAt: row.started_at ?? row.created_at,
      running: this.running.size,
      hasCallback: callbackTarget(row) !== undefined,
      ...(audioSeconds === undefined ? {} : { audioSeconds }),
    });
  }
}
