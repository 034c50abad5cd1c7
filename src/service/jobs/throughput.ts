// Recent processing speed, for the estimates of waiting jobs.

/** Audio seconds per second before the first measurement. */
const FIRST_GUESS = 15;
const NEWEST_SHARE = 0.2;
/** Overhead of an empty recording. */
const FIXED_SECONDS = 0.3;
/** Assumed duration of recordings that were not fetched yet. */
const UNKNOWN_AUDIO_SECONDS = 60;

export class Throughput {
  private audioSecondsPerSecond = FIRST_GUESS;

  /**
   * @param seconds  running time of one job
   * @param jobs     number of concurrent jobs, including this one
   */
  add(audioSeconds: number, seconds: number, jobs: number): void {
    if (audioSeconds <= 0 || seconds <= 0) return;
    const measured = (audioSeconds * jobs) / seconds;
    this.audioSecondsPerSecond += NEWEST_SHARE * (measured - this.audioSecondsPerSecond);
  }

  /** Estimated seconds for that much audio in that many jobs, some of them of unknown duration. */
  estimate(work: { audioSeconds: number; jobs: number; unknown: number }): number {
    const audio = work.audioSeconds + work.unknown * UNKNOWN_AUDIO_SECONDS;
    return Math.round((audio / this.audioSecondsPerSecond + work.jobs * FIXED_SECONDS) * 10) / 10;
  }
}
