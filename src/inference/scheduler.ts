// The order in which waiting work is served: live finals before live partials before recordings, first come first served within each.
// Bounded: a queue that only grows would make everybody late.
import { errors } from "../errors.ts";

/** suspect: a recording whose process died with it on board, and perhaps by it; it goes through a process of its own. */
export type Priority = "live" | "partial" | "recorded" | "suspect";
const PRIORITIES: readonly Priority[] = ["live", "partial", "recorded"];

export interface Waiting<Task> {
  task: Task;
  priority: Priority;
  signal?: AbortSignal;
  reject(error: Error): void;
}

interface Queued<Task> {
  waiting: Waiting<Task>;
  onAbort(): void;
}

export class Scheduler<Task> {
  private readonly queues: Record<Priority, Queued<Task>[]> = { live: [], partial: [], recorded: [], suspect: [] };

  /** @param limit  most tasks that may wait, all priorities together; at least 1 */
  constructor(private readonly limit: number) {}

  get length(): number {
    return Object.values(this.queues).reduce((sum, queue) => sum + queue.length, 0);
  }

  get suspects(): number {
    return this.queues.suspect.length;
  }

  /** @throws recognition.queue_full */
  add(waiting: Waiting<Task>): void {
    if (this.length >= this.limit) throw errors.recognitionQueueFull();
    const queued: Queued<Task> = { waiting, onAbort: () => this.drop(queued) };
    this.queues[waiting.priority].push(queued);
    waiting.signal?.addEventListener("abort", queued.onAbort, { once: true });
  }

  /** The next task whose owner still wants it. @param mayRecord  whether recordings get their turn */
  next(mayRecord = true): Waiting<Task> | undefined {
    for (const priority of PRIORITIES) {
      if (priority === "recorded" && !mayRecord) continue;
      const waiting = this.take(priority);
      if (waiting) return waiting;
    }
    return undefined;
  }

  nextSuspect(): Waiting<Task> | undefined {
    return this.take("suspect");
  }

  /** Rejects everything that waits. */
  clear(error: Error): void {
    const next = () => this.next() ?? this.nextSuspect();
    for (let waiting = next(); waiting; waiting = next()) waiting.reject(error);
  }

  private take(priority: Priority): Waiting<Task> | undefined {
    const queued = this.queues[priority].shift();
    queued?.waiting.signal?.removeEventListener("abort", queued.onAbort);
    return queued?.waiting;
  }

  private drop(queued: Queued<Task>): void {
    const queue = this.queues[queued.waiting.priority];
    const at = queue.indexOf(queued);
    if (at < 0) return;
    queue.splice(at, 1);
    queued.waiting.reject(errors.aborted());
  }
}
