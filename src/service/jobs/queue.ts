// The job queue. Jobs are queued by their own rows, so that a job and its queue entry cannot diverge. This wakes the worker of the process
// that accepted the request at once, and those of other processes when the database signals that a job may be claimable.

import { SpreadWakes } from "../../platform/process/spread-wakes.ts";
import { Waker } from "../../platform/process/waker.ts";
import type { Database } from "../../platform/storage/db/database.ts";
import { type Claim, claimNextJob, type Lane } from "../../platform/storage/db/jobs/job-claims.ts";
import type { JobRow } from "../../platform/storage/db/jobs/jobs.ts";
import type { Signals } from "../../platform/storage/db/signals.ts";
import type { ModelStore } from "../models/store.ts";

/** Poll interval without signals, and after a claim that failed for a temporary reason. */
const POLL_MILLISECONDS = 500;
/** Interval at which the models folder is read while there is no job: a command may have added a model. */
const MODELS_MILLISECONDS = 1_000;

interface LaneNews {
  waker: Waker;
  spread: SpreadWakes;
  /** Wake-ups before the last claim. */
  seen: number;
  /** Ids of the models of the last claim. */
  models: string;
  /** Whether the last claim failed for a temporary reason whose end no signal announces. */
  isToRepeat: boolean;
}

function laneNews(): LaneNews {
  const waker = new Waker();
  return { waker, spread: new SpreadWakes(() => waker.wake()), seen: 0, models: "", isToRepeat: false };
}

export interface QueueOptions {
  /** Whether this process still owns its data folder. */
  mayTake?: () => Promise<boolean>;
  /** Without it, the database is polled. */
  signals?: Pick<Signals, "on">;
}

export class JobQueue {
  private readonly lanes: Readonly<Record<Lane, LaneNews>> = { fetch: laneNews(), process: laneNews() };

  /** @param limits  most concurrent jobs in each lane for accounts without a limit of their own; 0: no limit */
  constructor(
    private readonly database: Database,
    private readonly limits: Readonly<Record<Lane, number>>,
    private readonly models: ModelStore,
    private readonly options: QueueOptions = {},
  ) {
    for (const lane of ["fetch", "process"] as const) options.signals?.on(lane, () => this.lanes[lane].spread.notice());
  }

  /** Wakes the lanes of this process's worker. */
  wake(lane?: Lane): void {
    for (const [name, { waker }] of Object.entries(this.lanes)) if (lane === undefined || lane === name) waker.wake();
  }

  private async modelIds(): Promise<string[]> {
    return (await this.models.list()).map(({ id }) => id);
  }

  /** Claims the next job for the worker in `claim`. */
  async take(claim: Claim): Promise<JobRow | undefined> {
    const news = this.lanes[claim.lane];
    news.seen = news.waker.count;
    news.isToRepeat = true;
    if (!((await this.options.mayTake?.()) ?? true)) return undefined;
    const models = await this.modelIds();
    news.models = models.join("\n");
    const full = { ...claim, concurrentJobs: this.limits[claim.lane], models };
    news.isToRepeat = false;
    return claimNextJob(this.database, full, () => {
      news.isToRepeat = true;
    });
  }

  /** Resolves when a job may be claimable since the last `take` of this lane, or when `signal` is aborted. */
  async waitForWork(lane: Lane, signal: AbortSignal): Promise<void> {
    const { waker, seen, models, isToRepeat } = this.lanes[lane];
    if (!this.options.signals || isToRepeat) return waker.wait(POLL_MILLISECONDS, signal, seen);
    while (!signal.aborted && waker.count === seen) {
      await waker.wait(MODELS_MILLISECONDS, signal, seen);
      // A folder that cannot be read is reported by the next claim.
      if ((await this.modelIds().catch(() => [])).join("\n") !== models) return;
    }
  }
}
