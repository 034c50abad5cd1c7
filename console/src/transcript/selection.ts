// Words of the transcript that are selected in the document.
import type { CorrectedTranscription } from "../../../src/service/transcripts/corrections.ts";
import type { Stretch } from "./document/paragraphs.ts";
import { placedWords, shownText, wordsBetween } from "./placed-words.ts";
import { type Target, targetOf } from "./speakers.ts";

/** Words of a shown utterance. */
export interface WordRange {
  /** Position of the utterance. */
  at: number;
  /** Positions of the first and the last word. */
  first: number;
  last: number;
}

export interface SelectedWords {
  count: number;
  ranges: WordRange[];
  targets: Target[];
  /** Of the first selected utterance. */
  speaker: number | undefined;
}

/** @param stretches  of the text of the shown utterances @returns undefined if no word is selected */
export function selectedWords(
  stretches: readonly Stretch[],
  reading: CorrectedTranscription,
): SelectedWords | undefined {
  let count = 0;
  const targets: Target[] = [];
  const ranges: WordRange[] = [];
  for (const { at, from, until } of stretches) {
    const utterance = reading.utterances[at];
    const found = utterance && wordsBetween(placedWords(utterance, shownText(utterance)), from, until);
    if (!found) continue;
    const [first, last] = found;
    targets.push(targetOf(reading, at, first, last));
    ranges.push({ at, first, last });
    count += last - first + 1;
  }
  const { speaker } = reading.utterances[stretches[0]?.at ?? 0] ?? {};
  return count > 0 ? { count, ranges, targets, speaker } : undefined;
}
