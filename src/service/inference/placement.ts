// Which process runs a task: the one with the cached encoder output of its audio, or the least busy one.
import { engineOf } from "../../speech/engines/registry.ts";
import type { Load, Worker } from "./inference-processes.ts";
import type { InferenceRequest } from "./message.ts";

/** Number of audio ids remembered per process, whose encoder output it may have cached. */
const CACHED_AUDIO_PER_PROCESS = 16;
/**
 * Encoding from scratch costs a third more than continuing from the cache: less than waiting for more than this many
 * other tasks.
 */
const MOST_TASKS_AHEAD = 1;

export class Placement {
  /** Audio ids whose encoder output each process has cached most recently. */
  private readonly cachedAudio = new Map<Worker, string[]>();

  /** The process has stopped, and its cache is gone. */
  forget(worker: Worker): void {
    this.cachedAudio.delete(worker);
  }

  /**
   * The process with the cached encoder output, unless it is busier than others; otherwise the one with the lowest
   * load.
   */
  choose(workers: readonly [Worker, Load][], request: InferenceRequest): [Worker, Load] {
    const mayCache = request.kind === "recognize" && engineOf(request.model).continuesAudio;
    const audioId = mayCache ? request.audioId : undefined;
    const known = (worker: Worker) => this.cachedAudio.get(worker) ?? [];
    const cachingWorker =
      audioId === undefined ? undefined : workers.find(([worker]) => known(worker).includes(audioId));
    const byLoad = [...workers].sort(
      ([, left], [, right]) => left.running - right.running || left.lastAt - right.lastAt,
    );
    const least = byLoad[0] as [Worker, Load];
    const mostRunning = least[1].running + MOST_TASKS_AHEAD;
    const chosen = cachingWorker && cachingWorker[1].running <= mostRunning ? cachingWorker : least;
    if (audioId !== undefined) {
      const [worker] = chosen;
      for (const [other, names] of this.cachedAudio) {
        const others = names.filter((name) => name !== audioId);
        this.cachedAudio.set(other, others);
      }
      this.cachedAudio.set(worker, [audioId, ...known(worker)].slice(0, CACHED_AUDIO_PER_PROCESS));
    }
    return chosen;
  }
}
