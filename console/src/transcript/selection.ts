// Words of the transcript that are selected in the document.
import type { CorrectedTranscription } from "../../../src/service/transcripts/corrections.ts";
import type { Stretch } from "./document/paragraphs.ts";
import { normal, placedWords, shownText, wordsBetween } from "./placed-words.ts";
import { positionAfter, type Target, targetOf } from "./speakers.ts";

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
  /** The transcript in which they are. */
  reading: CorrectedTranscription;
}

/** What is selected in the document. */
export interface Selection {
  reading: CorrectedTranscription;
  stretches: readonly Stretch[];
  /** The text of the paragraph of each stretch. */
  texts: readonly string[];
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
  return count > 0 ? { count, ranges, targets, speaker, reading } : undefined;
}

/**
 * The words of a selection in a later transcript, in which the text that was typed before it is stored.
 * @returns undefined if other people changed the paragraphs of the selection meanwhile
 */
export function selectedAfter(
  { reading: former, stretches, texts }: Selection,
  reading: CorrectedTranscription,
): SelectedWords | undefined {
  const moved: Stretch[] = [];
  for (const [place, stretch] of stretches.entries()) {
    const at = positionAfter(former, stretch.at, reading);
    const utterance = reading.utterances[at];
    if (!utterance || normal(shownText(utterance)) !== normal(texts[place] ?? "")) return undefined;
    moved.push({ ...stretch, at });
  }
  return selectedWords(moved, reading);
}
