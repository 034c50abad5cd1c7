// Priority queue of tasks. The order is: live finals, live partials, speakers of live sessions, requests whose clients wait, recordings. Among recordings, accounts
// take turns, so that many long recordings of one account do not delay another account's short one. The queue is bounded, because
// in an unbounded one every task would be late. Recordings have a limit of their own, so that they cannot cause a live task to be refused.
// A full queue refuses a task at once (recognition.queue_full), and its owner retries. The queue is in memory only: after a crash, jobs continue from
// their stored stages, and sessions from their logs.
import { errors } from "../../platform/errors.ts";
import { FairQueue } from "../../platform/process/fairness/fair-queue.ts";

/**
 * speakers: networks that find the speakers of live sessions. awaited: a stretch of a recording whose text a person checks. suspect: a task of a recording that may have crashed its
 * process; it is retried in a process without other tasks.
 */
export type Priority = "live" | "partial" | "speakers" | "awaited" | "recorded" | "suspect";
const PRIORITIES: readonly Priority[] = ["live", "partial", "speakers", "awaited", "recorded"];

/** Whether live words are independent of tasks with this priority. Such tasks do not run on the process reserved for live words. */
export const isBackground = (priority: Priority) => priority !== "live" && priority !== "partial";

export interface Waiting<Task> {
  task: Task;
  priority: Priority;
  /** Account of a recording; its tasks are served in order. */
  tenant?: string;
  signal?: AbortSignal;
  reject(error: Error): void;
}

interface Queued<Task> {
  waiting: Waiting<Task>;
  onAbort(): void;
}

export class Scheduler<Task> {
  private readonly queues: Record<Priority, FairQueue<Queued<Task>>> = {
    live: new FairQueue(),
    partial: new FairQueue(),
    speakers: new FairQueue(),
    awaited: new FairQueue(),
    recorded: new FairQueue(),
    suspect: new FairQueue(),
  };

  /**
   * @param limit          most waiting tasks that are not of recordings; at least 1
   * @param recordedLimit  most waiting tasks of recordings
   */
  constructor(
    private readonly limit: number,
    private readonly recordedLimit = limit,
  ) {}

  get length(): number {
    return Object.values(this.queues).reduce((sum, queue) => sum + queue.length, 0);
  }

  get suspects(): number {
    return this.queues.suspect.length;
  }

  /** Tasks of recordings that are not suspect. */
  get recorded(): number {
    return this.queues.recorded.length;
  }

  /** Tasks for which live words wait. */
  get words(): number {
    return this.queues.live.length + this.queues.partial.length;
  }

  /** @throws recognition.queue_full */
  add(waiting: Waiting<Task>): void {
    const ofRecordings = this.recorded + this.suspects;
    const isOfRecording = waiting.priority === "recorded" || waiting.priority === "suspect";
    const isFull = isOfRecording ? ofRecordings >= this.recordedLimit : this.length - ofRecordings >= this.limit;
    if (isFull) throw errors.recognitionQueueFull();
    const queued: Queued<Task> = { waiting, onAbort: () => this.drop(queued) };
    this.queues[waiting.priority].add(waiting.tenant ?? "", queued);
    waiting.signal?.addEventListener("abort", queued.onAbort, { once: true });
  }

  /** The next task that was not cancelled. @param includesBackground  whether tasks may be returned for which no words wait */
  next(includesBackground = true): Waiting<Task> | undefined {
    for (const priority of PRIORITIES) {
      if (isBackground(priority) && !includesBackground) continue;
      const waiting = this.take(priority);
      if (waiting) return waiting;
    }
    return undefined;
  }

  nextSuspect(): Waiting<Task> | undefined {
    return this.take("suspect");
  }

  /** Rejects all waiting tasks. */
  clear(error: Error): void {
    const next = () => this.next() ?? this.nextSuspect();
    for (let waiting = next(); waiting; waiting = next()) waiting.reject(error);
  }

  private take(priority: Priority): Waiting<Task> | undefined {
    const queued = this.queues[priority].next();
    queued?.waiting.signal?.removeEventListener("abort", queued.onAbort);
    return queued?.waiting;
  }

  private drop(queued: Queued<Task>): void {
    const { priority, tenant = "", reject } = queued.waiting;
    if (this.queues[priority].remove(tenant, queued)) reject(errors.aborted());
  }
}
