// What a partial shows. Words at the edge of the audio are still guesses: they are shown when they have ended a while
// ago or when two answers in a row agree on them. What was shown stays, unless two answers in a row say otherwise.
import type { PlacedWord } from "./speech-context.ts";

/** A word that ended this long before the edge of the audio is shown at once. */
const SURE_SECONDS = 0.24;
/** One on which two answers agree may be nearer. */
const AGREED_SECONDS = 0.08;
/** Nobody speaks faster; an answer that does is a loop. */
const MOST_WORDS_PER_SECOND = 7;
const SPARE_WORDS = 2;

const plain = (word: PlacedWord | undefined) => word?.text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "") ?? "";

function agreement(left: PlacedWord[], right: PlacedWord[]): number {
  let count = 0;
  while (count < Math.min(left.length, right.length) && plain(left[count]) === plain(right[count])) count++;
  return count;
}

export class Partials {
  private previous: PlacedWord[] = [];
  private shown: PlacedWord[] = [];

  /** A new utterance. */
  reset(): void {
    this.previous = [];
    this.shown = [];
  }

  /**
   * @param words         all words of the utterance in the newest answer
   * @param startSeconds  where the utterance's audio begins
   * @param edgeSeconds   where the audio of the answer ends
   * @returns the words to show; undefined when they are the same as before
   */
  update(words: PlacedWord[], startSeconds: number, edgeSeconds: number): PlacedWord[] | undefined {
    if (words.length > (edgeSeconds - startSeconds) * MOST_WORDS_PER_SECOND + SPARE_WORDS) return undefined;
    const agreed = agreement(words, this.previous);
    this.previous = words;
    const kept = agreement(words, this.shown);
    // A revision of what was shown waits until a second answer says the same.
    if (kept < this.shown.length && agreed <= kept) return undefined;
    let count = 0;
    for (const [index, word] of words.entries()) {
      const margin = index < agreed ? AGREED_SECONDS : SURE_SECONDS;
      if (word.endSeconds > edgeSeconds - margin) break;
      count = index + 1;
    }
    if (kept === this.shown.length) count = Math.max(count, kept);
    const next = words.slice(0, count);
    const isSame = next.length === this.shown.length && kept === next.length;
    this.shown = next;
    return isSame || next.length === 0 ? undefined : next;
  }
}
