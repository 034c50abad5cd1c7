// Requests that wait for the end of a job, on any machine. One query serves all of them: a thousand requests of one
// account that each poll four times a second would overload the database.
import type { Logger } from "pino";
import { errors } from "../../platform/errors.ts";
import { OneRun } from "../../platform/process/one-run.ts";
import { Waker } from "../../platform/process/waker.ts";
import type { Database } from "../../platform/storage/db/database.ts";
import { fromStatement } from "../../platform/storage/db/database-time.ts";
import { keepWanted, unfinishedOf } from "../../platform/storage/db/jobs/jobs.ts";
import type { Signals } from "../../platform/storage/db/signals.ts";

/** Poll interval, as another process may end a job: without signals, and as a safeguard with them. */
const POLL_MILLISECONDS = 250;
const SIGNALLED_POLL_MILLISECONDS = 1_000;
/** Wake-ups within this time are served by one query. */
const BATCH_MILLISECONDS = 5;
/** A signal does not name the job: every process with waiting requests queries all of theirs. */
const SIGNALLED_BATCH_MILLISECONDS = 50;
/** Retention of a job whose waiting process has gone. */
const WANTED_SECONDS = 60;
const KEEP_MILLISECONDS = 10_000;
/** Jobs per statement. */
const BATCH = 500;

export const wantedUntil = () => fromStatement(WANTED_SECONDS);

export class AwaitedJobs {
  /** Callbacks of waiting requests, by job id. */
  private readonly waiting = new Map<string, Set<() => void>>();
  private readonly stopping = new AbortController();
  private readonly waker = new Waker();
  private readonly polling = new OneRun(
    () => this.waiting.size > 0 && !this.stopping.signal.aborted,
    () => this.poll(),
  );
  private gathering: NodeJS.Timeout | undefined;
  private keptAt = performance.now();

  constructor(
    private readonly database: Database,
    private readonly logger: Logger,
    private readonly signals: Pick<Signals, "isListening" | "on"> | undefined = undefined,
  ) {
    signals?.on("ended", () => this.wake(SIGNALLED_BATCH_MILLISECONDS));
  }

  /** Called when a job that a request may wait for has ended. */
  wake(milliseconds = BATCH_MILLISECONDS): void {
    if (this.waiting.size === 0) return;
    this.gathering ??= setTimeout(() => {
      this.gathering = undefined;
      this.waker.wake();
    }, milliseconds);
  }

  /**
   * Resolves when a job has ended or was deleted, and keeps it from being deleted until then.
   * @throws work.aborted
   */
  async ended(id: string, signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.stopping.signal.aborted) throw errors.aborted();
    await new Promise<void>((resolve, reject) => {
      const settle = (then: () => void) => {
        signal.removeEventListener("abort", onAbort);
        this.stopping.signal.removeEventListener("abort", onAbort);
        const waiters = this.waiting.get(id);
        waiters?.delete(notify);
        if (waiters?.size === 0) this.waiting.delete(id);
        then();
      };
      const notify = () => settle(resolve);
      const onAbort = () => settle(() => reject(errors.aborted()));
      signal.addEventListener("abort", onAbort, { once: true });
      this.stopping.signal.addEventListener("abort", onAbort, { once: true });
      const waiters = this.waiting.get(id) ?? new Set();
      this.waiting.set(id, waiters.add(notify));
      // The job may have ended before.
      this.wake();
      this.polling.start();
    });
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.gathering);
    await this.polling.settled();
  }

  /** Polls while requests are waiting. */
  private async poll(): Promise<void> {
    const { signal } = this.stopping;
    let seen = this.waker.count;
    while (this.waiting.size > 0 && !signal.aborted) {
      const pause = this.signals?.isListening ? SIGNALLED_POLL_MILLISECONDS : POLL_MILLISECONDS;
      await this.waker.wait(pause, signal, seen);
      seen = this.waker.count;
      const ids = [...this.waiting.keys()];
      try {
        for (let at = 0; at < ids.length; at += BATCH) await this.notifyEnded(ids.slice(at, at + BATCH));
      } catch (error) {
        this.logger.warn({ err: error }, "could not query the jobs that requests wait for");
      }
    }
  }

  private async notifyEnded(ids: readonly string[]): Promise<void> {
    const isToKeep = performance.now() - this.keptAt > KEEP_MILLISECONDS;
    if (isToKeep) {
      await keepWanted(this.database, [...this.waiting.keys()], wantedUntil());
      this.keptAt = performance.now();
    }
    const unfinished = await unfinishedOf(this.database, ids);
    for (const id of ids) {
      if (!unfinished.has(id)) for (const notify of [...(this.waiting.get(id) ?? [])]) notify();
    }
  }
}
