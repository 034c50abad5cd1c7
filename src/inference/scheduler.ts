// The order in which waiting work is served: live finals before live partials before recordings, first come first served within each.
// Bounded: a queue that only grows would make everybody late.
import { errors } from "../errors.ts";

export type Priority = "live" | "partial" | "recorded";
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
  private readonly queues: Record<Priority, Queued<Task>[]> = { live: [], partial: [], recorded: [] };

  /** @param limit  most tasks that may wait, all priorities together; at least 1 */
  constructor(private readonly limit: number) {}

  get length(): number {
    return PRIORITIES.reduce((sum, priority) => sum + this.queues[priority].length, 0);
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
      const queued = this.queues[priority].shift();
      if (!queued) continue;
      queued.waiting.signal?.removeEventListener("abort", queued.onAbort);
      return queued.waiting;
    }
    return undefined;
  }

  /** Rejects everything that waits. */
  clear(error: Error): void {
    for (let waiting = this.next(); waiting; waiting = this.next()) waiting.reject(error);
  }

  private drop(queued: Queued<Task>): void {
    const queue = this.queues[queued.waiting.priority];
    const at = queue.indexOf(queued);
    if (at < 0) return;
    queue.splice(at, 1);
    queued.waiting.reject(errors.aborted());
  }
}
