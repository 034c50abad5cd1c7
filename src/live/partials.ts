// What a partial shows. An answer's last words are still guesses: they are shown when two answers in a row agree on
// them. What was shown stays, unless two answers in a row say otherwise.
import type { PlacedWord } from "./speech-context.ts";

/** A word on which two answers agree is shown when it ended this long before the edge of the audio. */
const AGREED_SECONDS = 0.22;
/** A word that the recogniser is less sure of waits for more of what follows it. */
const UNSURE_SECONDS = 0.55;
const SURE = 0.97;
/** Nobody speaks faster; an answer that does is a loop. */
const MOST_WORDS_PER_SECOND = 7;
const SPARE_WORDS = 2;

function isSettled(word: PlacedWord, edgeSeconds: number): boolean {
  const margin = edgeSeconds - word.endSeconds;
  return margin >= (word.confidence >= SURE ? AGREED_SECONDS : UNSURE_SECONDS);
}

const plain = (word: PlacedWord | undefined) => word?.text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "") ?? "";

function agreement(left: PlacedWord[], right: PlacedWord[]): number {
  let count = 0;
  while (count < Math.min(left.length, right.length) && plain(left[count]) === plain(right[count])) count++;
  return count;
}

const STUTTER = /(.{1,3})\1{3,}/;

/** The third of the same word in a row, or a word of one syllable over and over: at the edge a loop, not speech. */
function isLoop(words: PlacedWord[], index: number): boolean {
  if (STUTTER.test(words[index]?.text ?? "")) return true;
  return index >= 2 && [1, 2].every((back) => plain(words[index - back]) === plain(words[index]));
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
    const most = (edgeSeconds - startSeconds) * MOST_WORDS_PER_SECOND + SPARE_WORDS;
    if (words.length > most || words.some((_, index) => isLoop(words, index))) return undefined;
    const agreed = agreement(words, this.previous);
    this.previous = words;
    const kept = agreement(words, this.shown);
    // A revision of what was shown waits until a second answer says the same.
    if (kept < this.shown.length && agreed <= kept) return undefined;
    let count = 0;
    while (count < agreed && isSettled(words[count] as PlacedWord, edgeSeconds)) count++;
    if (kept === this.shown.length) count = Math.max(count, kept);
    const next = words.slice(0, count);
    const isSame = next.length === this.shown.length && kept === next.length;
    this.shown = next;
    return isSame || next.length === 0 ? undefined : next;
  }
}
