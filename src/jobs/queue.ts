// The order in which jobs are served, on pg-boss, which keeps it in the same database as the jobs: a job and its
// place in the queue are made in one transaction. Jobs' states live in their own rows, not here.
import { EventEmitter, once } from "node:events";
import PgBoss from "pg-boss";
import type { Logger } from "pino";
import { type Database, executeSql } from "../storage/db/database.ts";

const QUEUE = "pre-recorded";
/** pg-boss allows less than a day; a worker that lives renews its lease on the job's row long before. */
const EXPIRE_HOURS = 23;
/** How often a job may be given back; what ends a job is decided by its row, not by this. */
const RETRY_LIMIT = 1_000_000;
/** Other processes on the same database are not heard when they send. */
const POLL_MILLISECONDS = 2_000;

export class JobQueue {
  private readonly boss: PgBoss;
  private readonly events = new EventEmitter();

  constructor(
    private readonly database: Database,
    logger: Logger,
  ) {
    this.boss = new PgBoss({ db: { executeSql: executeSql(database) as never }, schedule: false });
    this.boss.on("error", (error) => logger.error({ err: error }, "the job queue failed"));
  }

  async start(): Promise<void> {
    await this.boss.start();
    await this.boss.createQueue(QUEUE, {
      name: QUEUE,
      retryLimit: RETRY_LIMIT,
      retryDelay: 0,
      expireInHours: EXPIRE_HOURS,
    });
  }

  async stop(): Promise<void> {
    await this.boss.stop({ graceful: false, close: false, wait: false });
  }

  /** Puts a job at the end of the queue; inside `transaction`, so that it comes with its row or not at all. */
  async send(transaction: Database, jobId: string): Promise<void> {
    await this.boss.send(QUEUE, {}, { id: jobId, db: { executeSql: executeSql(transaction) as never } });
  }

  /** Tells waiting workers of this process that there is something to fetch. */
  wake(): void {
    this.events.emit("wake");
  }

  /** The next job's id, taken from the queue until it is completed or given back. */
  async fetch(): Promise<string | undefined> {
    const [job] = await this.boss.fetch(QUEUE, { batchSize: 1 });
    return job?.id;
  }

  /** The job has ended; in the transaction that ends it. */
  async complete(transaction: Database, jobId: string): Promise<void> {
    await this.boss.complete(QUEUE, jobId, {}, { db: { executeSql: executeSql(transaction) as never } });
  }

  /** Gives a job back, or puts it in again when the queue has forgotten it. */
  async giveBack(jobId: string): Promise<void> {
    const known = await this.boss.getJobById(QUEUE, jobId);
    if (known?.state === "created" || known?.state === "retry") return;
    if (known?.state === "active") await this.boss.fail(QUEUE, jobId);
    else {
      if (known) await this.boss.deleteJob(QUEUE, jobId);
      await this.send(this.database, jobId);
    }
  }

  async remove(jobId: string): Promise<void> {
    await this.boss.deleteJob(QUEUE, jobId);
  }

  /** Returns when a job was sent, some time has passed, or `signal` is aborted. */
  async waitForWork(signal: AbortSignal): Promise<void> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(POLL_MILLISECONDS)]);
    await once(this.events, "wake", { signal: limit }).catch(() => undefined);
  }
}
