// Recent processing speed, for the estimates of waiting jobs.
import type { OtherProcesses } from "../models/other-processes.ts";

/** Audio seconds per second before the first measurement. */
const FIRST_GUESS = 15;
const NEWEST_SHARE = 0.2;
/** Overhead of an empty recording. */
const FIXED_SECONDS = 0.3;
/** Assumed duration of recordings that were not fetched yet. */
const UNKNOWN_AUDIO_SECONDS = 60;

export class Throughput {
  private audioSecondsPerSecond = FIRST_GUESS;
  private hasMeasured = false;

  constructor(private readonly others: Pick<OtherProcesses, "audioSecondsPerSecond">) {}

  /** Audio seconds per second of this process; undefined before its first job. */
  get measured(): number | undefined {
    return this.hasMeasured ? this.audioSecondsPerSecond : undefined;
  }

  /**
   * @param seconds  running time of one job
   * @param jobs     number of concurrent jobs, including this one
   */
  add(audioSeconds: number, seconds: number, jobs: number): void {
    if (audioSeconds <= 0 || seconds <= 0) return;
    const measured = (audioSeconds * jobs) / seconds;
    this.hasMeasured = true;
    this.audioSecondsPerSecond += NEWEST_SHARE * (measured - this.audioSecondsPerSecond);
  }

  /** Audio seconds per second of all processes; undefined before the first job. */
  get everywhere(): number | undefined {
    return (this.measured ?? 0) + this.others.audioSecondsPerSecond || undefined;
  }

  /** Estimated seconds for that much audio in that many jobs, some of them of unknown duration. */
  estimate(work: { audioSeconds: number; jobs: number; unknown: number }): number {
    const audio = work.audioSeconds + work.unknown * UNKNOWN_AUDIO_SECONDS;
    const speed = this.everywhere ?? FIRST_GUESS;
    return Math.round((audio / speed + work.jobs * FIXED_SECONDS) * 10) / 10;
  }
}
