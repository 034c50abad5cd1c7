// When a suspect task runs: one at a time, in a process without other tasks. Other recordings have a turn between two, and live words
// come before them, so that a crash delays the recordings that it affected, and nothing else.
import type { Load, Worker } from "./inference-processes.ts";

/** Waiting tasks. */
interface Waiting {
  suspects: number;
  recorded: number;
  /** Tasks for which live words wait. */
  words: number;
}

interface SuspectPlace {
  worker: Worker;
  load: Load;
  /** False while the process still runs other tasks or live words wait. Until then it accepts no background tasks. */
  isFree: boolean;
  /** Whether it accepts no live tasks either, so that it becomes free although live words never cease. */
  isClosed: boolean;
}

/** Longest wait of a suspect task for a moment without live words. */
const LONGEST_WAIT_MILLISECONDS = 15_000;

export class SuspectTurns {
  /** Whether other recordings come before the next suspect task. */
  private othersFirst = false;
  /** When the next suspect task became due, milliseconds. */
  private dueSince: number | undefined;

  /**
   * @param reserved  the process for live words, which is used only if no other runs
   * @returns undefined if no suspect task is due
   */
  place(
    warm: readonly (readonly [Worker, Load])[],
    { suspects, recorded, words }: Waiting,
    reserved: Worker | undefined,
  ): SuspectPlace | undefined {
    // The wait of the next suspect task begins when it arrives.
    if (suspects === 0) this.dueSince = undefined;
    const isDue = suspects > 0 && !(this.othersFirst && recorded > 0);
    if (!isDue || warm.some(([, { isExclusive }]) => isExclusive)) return undefined;
    const now = performance.now();
    this.dueSince ??= now;
    const isClosed = now - this.dueSince > LONGEST_WAIT_MILLISECONDS;
    const unreserved = warm.filter(([worker]) => worker !== reserved);
    const candidates = unreserved.length > 0 ? unreserved : warm;
    const [least] = candidates.toSorted(([, left], [, right]) => left.running - right.running);
    if (!least) return undefined;
    const [worker, load] = least;
    // Live tasks may follow one another without an end: meanwhile, background tasks run as usual.
    if (!isClosed && load.running > load.background) return undefined;
    return { worker, load, isFree: load.running === 0 && (isClosed || words === 0), isClosed };
  }

  /** A suspect task began. */
  began(): void {
    this.othersFirst = true;
    this.dueSince = undefined;
  }

  /** Tasks of other recordings began. */
  othersBegan(): void {
    this.othersFirst = false;
  }
}
