// How fast this service has worked lately, for the estimates that waiting jobs show.

/** Audio seconds per second before anything was measured. */
const FIRST_GUESS = 15;
const NEWEST_SHARE = 0.2;
/** Reading and writing that even an empty recording takes. */
const FIXED_SECONDS = 0.3;
/** Length taken for recordings that were not fetched yet. */
const UNKNOWN_AUDIO_SECONDS = 60;

export class Throughput {
  private audioSecondsPerSecond = FIRST_GUESS;

  /**
   * @param seconds  time that one job ran
   * @param jobs     how many ran side by side, itself included
   */
  add(audioSeconds: number, seconds: number, jobs: number): void {
    if (audioSeconds <= 0 || seconds <= 0) return;
    const measured = (audioSeconds * jobs) / seconds;
    this.audioSecondsPerSecond += NEWEST_SHARE * (measured - this.audioSecondsPerSecond);
  }

  /** Seconds for that much audio in that many jobs, of which so many have an unknown length. */
  estimate(work: { audioSeconds: number; jobs: number; unknown: number }): number {
    const audio = work.audioSeconds + work.unknown * UNKNOWN_AUDIO_SECONDS;
    return Math.round((audio / this.audioSecondsPerSecond + work.jobs * FIXED_SECONDS) * 10) / 10;
  }
}
