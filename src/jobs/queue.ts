// Whose turn it is. Jobs wait in their own rows, so that a job and its place in the queue are one thing; this wakes
// the worker of the process that took the request, and asks the database for the rest.
import type { ModelStore } from "../models/store.ts";
import { Waker } from "../process/waker.ts";
import type { Database } from "../storage/db/database.ts";
import { type Claim, claimNextJob, type JobRow } from "../storage/db/jobs.ts";

/** Other processes on the same database are not heard when they accept a job. */
const POLL_MILLISECONDS = 500;

export class JobQueue {
  private readonly news = new Waker();

  /** @param concurrentJobs  of one account, where it has no limit of its own; 0 is none */
  constructor(
    private readonly database: Database,
    private readonly concurrentJobs: number,
    private readonly models: ModelStore,
  ) {}

  /** Tells waiting workers of this process that there is something to take. */
  wake(): void {
    this.news.wake();
  }

  /** The next job, taken for the worker that `claim` names. */
  async take(claim: Claim): Promise<JobRow | undefined> {
    const models = (await this.models.list()).map(({ id }) => id);
    return claimNextJob(this.database, { ...claim, concurrentJobs: this.concurrentJobs, models });
  }

  /** Returns when a job was accepted or has ended, some time has passed, or `signal` is aborted. */
  async waitForWork(signal: AbortSignal): Promise<void> {
    await this.news.wait(POLL_MILLISECONDS, signal);
  }
}
