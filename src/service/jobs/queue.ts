// The job queue. Jobs are queued by their own rows, so that a job and its queue entry cannot diverge. This wakes the
// worker of the process that accepted the request, and queries the database for other jobs.

import { Waker } from "../../platform/process/waker.ts";
import type { Database } from "../../platform/storage/db/database.ts";
import { type Claim, claimNextJob, type Lane } from "../../platform/storage/db/jobs/job-claims.ts";
import type { JobRow } from "../../platform/storage/db/jobs/jobs.ts";
import type { ModelStore } from "../models/store.ts";

/** Poll interval: jobs accepted by other processes on the same database send no notification. */
const POLL_MILLISECONDS = 500;

export class JobQueue {
  private readonly wakers: Readonly<Record<Lane, Waker>> = { fetch: new Waker(), process: new Waker() };

  /**
   * @param limits   concurrent jobs per account in each lane, if the account has no limit of its own; 0 means none
   * @param mayTake  whether this process still owns its data folder
   */
  constructor(
    private readonly database: Database,
    private readonly limits: Readonly<Record<Lane, number>>,
    private readonly models: ModelStore,
    private readonly mayTake: () => Promise<boolean> = async () => true,
  ) {}

  /** Wakes the lanes of this process's worker. */
  wake(lane?: Lane): void {
    for (const [name, news] of Object.entries(this.wakers)) if (lane === undefined || lane === name) news.wake();
  }

  /** Claims the next job for the worker in `claim`. */
  async take(claim: Claim): Promise<JobRow | undefined> {
    if (!(await this.mayTake())) return undefined;
    const models = (await this.models.list()).map(({ id }) => id);
    return claimNextJob(this.database, { ...claim, concurrentJobs: this.limits[claim.lane], models });
  }

  /** Resolves when a job was accepted or has ended, after a poll interval, or when `signal` is aborted. */
  async waitForWork(lane: Lane, signal: AbortSignal): Promise<void> {
    await this.wakers[lane].wait(POLL_MILLISECONDS, signal);
  }
}
