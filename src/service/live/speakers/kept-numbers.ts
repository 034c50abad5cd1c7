// Speakers of the result keep the numbers that they had in the finals, as far as the words agree. Pure.
import type { Utterance } from "../../../contract/transcript/transcript.ts";
import type { Steps } from "../../../platform/process/steps.ts";

const placeOf = (channel: number, { start, end }: { start: number; end: number }) => `${channel} ${start} ${end}`;

/**
 * @param finals  as they were sent, with corrections
 * @param utterances  of the result
 * @param others  speakers of the result who may have no words
 * @returns the new number of each speaker of the result; speakers who had none get the next ones that no final has
 */
export function* keptNumbers(
  finals: Iterable<Utterance>,
  utterances: readonly Utterance[],
  others: readonly number[],
): Steps<Map<number, number>> {
  const before = new Map<string, number>();
  // Numbers of the finals are not reused, even if the speaker has no words in the result.
  let next = 0;
  for (const { channel, words } of finals) {
    yield;
    for (const word of words) {
      if (word.speaker === undefined) continue;
      before.set(placeOf(channel, word), word.speaker);
      next = Math.max(next, word.speaker + 1);
    }
  }
  const shared = new Map<string, { now: number; number: number; words: number }>();
  const found = new Set<number>();
  for (const { channel, speaker, words } of utterances) {
    yield;
    if (speaker === undefined) continue;
    found.add(speaker);
    for (const word of words) {
      const number = before.get(placeOf(channel, word));
      if (number === undefined) continue;
      const key = `${speaker} ${number}`;
      const known = shared.get(key) ?? { now: speaker, number, words: 0 };
      known.words++;
      shared.set(key, known);
    }
  }
  const kept = new Map<number, number>();
  const taken = new Set<number>();
  for (const { now, number } of [...shared.values()].sort((left, right) => right.words - left.words)) {
    if (kept.has(now) || taken.has(number)) continue;
    kept.set(now, number);
    taken.add(number);
  }
  for (const speaker of [...found, ...others]) if (!kept.has(speaker)) kept.set(speaker, next++);
  return kept;
}
