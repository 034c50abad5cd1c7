// Long silences are not stored in sample files: a gap of ten hours would take a gigabyte per channel and minutes of
// voice activity detection. A list of gaps maps positions in the samples to times in the recording. Pure.

/** Silence omitted from the samples. */
export interface Gap {
  /** Its position in the stored samples, seconds. */
  storedSeconds: number;
  /** Its length. */
  seconds: number;
}

/** @returns time in the recording of a position in the stored samples; gaps must be in order */
export function recordingTime(storedSeconds: number, gaps: readonly Gap[]): number {
  let seconds = storedSeconds;
  for (const gap of gaps) {
    if (gap.storedSeconds > storedSeconds) break;
    seconds += gap.seconds;
  }
  return seconds;
}

/** The same for many positions. */
export const recordingClock = (gaps: readonly Gap[]) => (storedSeconds: number) => recordingTime(storedSeconds, gaps);

/** @returns position in the stored samples of a time in the recording, seconds; within a gap, that of the gap */
export function storedTime(recordingSeconds: number, gaps: readonly Gap[]): number {
  let omitted = 0;
  for (const { storedSeconds, seconds } of gaps) {
    if (storedSeconds + omitted >= recordingSeconds) break;
    if (recordingSeconds < storedSeconds + omitted + seconds) return storedSeconds;
    omitted += seconds;
  }
  return Math.max(0, recordingSeconds - omitted);
}
