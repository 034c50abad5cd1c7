// Words of the transcript that are selected in the browser.
import type { CorrectedTranscription } from "../../../src/service/transcripts/corrections.ts";
import { type Target, targetOf } from "./speakers.ts";

export interface SelectedWords {
  count: number;
  targets: Target[];
  /** Of the first selected utterance. */
  speaker: number | undefined;
}

/** A word of which only a boundary is selected is not. */
function isSelected(range: Range, word: Element): boolean {
  if (!range.intersectsNode(word)) return false;
  const own = document.createRange();
  own.selectNodeContents(word);
  return (
    range.compareBoundaryPoints(Range.END_TO_START, own) < 0 && range.compareBoundaryPoints(Range.START_TO_END, own) > 0
  );
}

/** @param container  of utterances with `data-at`, their position @returns undefined if no word is selected */
export function selectedWords(container: HTMLElement, reading: CorrectedTranscription): SelectedWords | undefined {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const range = selection.getRangeAt(0);
  let count = 0;
  const targets: Target[] = [];
  let speaker: number | undefined;
  for (const utterance of container.querySelectorAll<HTMLElement>(".utterance[data-at]")) {
    if (!range.intersectsNode(utterance)) continue;
    const words = [...utterance.querySelectorAll(".word")];
    const from = words.findIndex((word) => isSelected(range, word));
    if (from < 0) continue;
    const until = words.findLastIndex((word) => isSelected(range, word));
    const at = Number(utterance.dataset["at"]);
    if (targets.length === 0) speaker = reading.utterances[at]?.speaker;
    targets.push(targetOf(reading, at, from, until));
    count += until - from + 1;
  }
  return count > 0 ? { count, targets, speaker } : undefined;
}
