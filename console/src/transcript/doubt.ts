// Words of which the recogniser was not sure, in order of their times. Pure.
import type { Utterance } from "../../../src/contract/job.ts";

/** Words with a lower confidence are highlighted. */
export const LOW_CONFIDENCE = 0.55;

export interface UnsureWord {
  /** Position of its utterance among the shown ones. */
  at: number;
  start: number;
  end: number;
}

export function unsureWords(utterances: readonly Pick<Utterance, "words">[]): UnsureWord[] {
  return utterances
    .flatMap(({ words }, at) =>
      words.flatMap(({ confidence, start, end }) => (confidence < LOW_CONFIDENCE ? [{ at, start, end }] : [])),
    )
    .sort((left, right) => left.start - right.start);
}

/**
 * The position of the unsure word after or before another one, or a time; around the end of the recording.
 * @param chosen  position of the word that is shown now; undefined for none
 * @returns undefined if no word is unsure
 */
export function stepTo(
  words: readonly UnsureWord[],
  direction: 1 | -1,
  time: number,
  chosen: number | undefined,
): number | undefined {
  if (words.length === 0) return undefined;
  if (chosen !== undefined && words[chosen]) return (chosen + direction + words.length) % words.length;
  const next = words.findIndex(({ start }) => start >= time);
  if (direction === 1) return Math.max(next, 0);
  return ((next === -1 ? words.length : next) - 1 + words.length) % words.length;
}
