// Decides which words a partial shows (its stable prefix). The last words of a result are unreliable: a word is shown
// once successive results agree on it, the longer the lower its confidence, or once words follow it. A shown word stays
// unless results agree on another one.
import { lettersOf } from "../../../speech/text/sound.ts";
import type { PlacedWord } from "./speech-context.ts";

interface StabilityRule {
  /** Applies to words of at least this confidence. */
  confidence: number;
  /** Audio over which results must have agreed. */
  agreedSeconds: number;
  /** Time between the end of the word and the end of the audio. */
  marginSeconds: number;
}

/** The first rule that matches a word's confidence applies. The end time of a word is accurate to 0.05 or 0.1 s. */
const STABILITY_RULES: readonly StabilityRule[] = [
  { confidence: 0.97, agreedSeconds: 0.12, marginSeconds: 0.12 },
  { confidence: 0.9, agreedSeconds: 0.14, marginSeconds: 0.12 },
  { confidence: 0.6, agreedSeconds: 0.24, marginSeconds: 0.1 },
  { confidence: 0, agreedSeconds: 0.28, marginSeconds: 0.3 },
];
/** A word that ended this long ago is shown whatever its confidence: waiting longer would delay all following words. */
const STABLE_AGE_SECONDS = 0.4;
/** A word of this confidence is shown at once if the next word has a higher one: waiting would not improve it. */
const FOLLOWED = { confidence: 0.7, nextConfidence: 0.85 };
/** Additional agreement for the first word of an utterance, which has no context before it. */
const FIRST_WORD_SECONDS = 0.1;
const LEAST_AGREEING = 2;
/** If results are at least `seconds` apart, one result confirms a word with at least this confidence that ended `marginSeconds` or longer ago. */
const SPARSE_RESULTS = { seconds: 0.3, confidence: 0.7, marginSeconds: 0.3 };
/** A shown word is revised when results agree on another word over this much audio. */
const REVISION_SECONDS = 0.32;
/** Faster than human speech: such a result is a repetition loop. */
const MOST_WORDS_PER_SECOND = 7;
const SPARE_WORDS = 2;

const normalized = (word: PlacedWord | undefined) => lettersOf(word?.text ?? "");

const isSame = (newer: PlacedWord, older: PlacedWord) => normalized(newer) === normalized(older);

/** Whether a shown word may stay: the same word, or the first part of a compound ("cold" of "cold-hearted"). */
function extendsWord(newer: PlacedWord, older: PlacedWord): boolean {
  const parts = newer.text.split("-").map(lettersOf);
  return parts.some((_, last) => parts.slice(0, last + 1).join("") === normalized(older));
}

function agreement(newer: PlacedWord[], older: PlacedWord[], holds: typeof isSame): number {
  const end = older.findIndex((word, index) => !newer[index] || !holds(newer[index], word));
  return end < 0 ? older.length : end;
}

const STUTTER = /(.{1,3})\1{3,}/;

/** The third repetition of a word, or a repeated syllable: at the end of the audio a repetition loop, not speech. */
function isLoop(words: PlacedWord[], index: number): boolean {
  if (STUTTER.test(words[index]?.text ?? "")) return true;
  return index >= 2 && [1, 2].every((back) => normalized(words[index - back]) === normalized(words[index]));
}

/** Agreement of successive results on the word at one position. */
interface Agreement {
  answers: number;
  sinceSeconds: number;
  leastConfidence: number;
}

export class Partials {
  private previous: PlacedWord[] = [];
  private agreed: Agreement[] = [];
  private shown: PlacedWord[] = [];
  /** End of the audio of the previous result, seconds. */
  private previousEdgeSeconds: number | undefined;
  private areResultsSparse = false;

  /** Resets the state for a new utterance. */
  reset(): void {
    this.previous = [];
    this.agreed = [];
    this.shown = [];
    this.previousEdgeSeconds = undefined;
  }

  /**
   * @param words         all words of the utterance in the newest result
   * @param startSeconds  start of the utterance's audio
   * @param edgeSeconds   end of the audio of the result
   * @returns the words to show; undefined if they are unchanged
   */
  update(words: PlacedWord[], startSeconds: number, edgeSeconds: number): PlacedWord[] | undefined {
    const most = (edgeSeconds - startSeconds) * MOST_WORDS_PER_SECOND + SPARE_WORDS;
    if (words.length > most || words.some((_, index) => isLoop(words, index))) return undefined;
    this.areResultsSparse = edgeSeconds - (this.previousEdgeSeconds ?? startSeconds) >= SPARSE_RESULTS.seconds;
    this.previousEdgeSeconds = edgeSeconds;
    this.agree(words, edgeSeconds);
    const kept = agreement(words, this.shown, extendsWord);
    if (kept < this.shown.length && !this.isAgreed(kept, edgeSeconds, REVISION_SECONDS)) return undefined;
    let count = 0;
    while (count < words.length && this.isStable(words, count, edgeSeconds)) count++;
    const stable = words.slice(0, count);
    const next = kept === this.shown.length ? [...stable, ...this.shown.slice(count)] : stable;
    const isKnown = next.length === this.shown.length && agreement(next, this.shown, isSame) === next.length;
    this.shown = next;
    return isKnown || next.length === 0 ? undefined : next;
  }

  private agree(words: PlacedWord[], edgeSeconds: number): void {
    const same = agreement(words, this.previous, isSame);
    this.agreed = words.map(({ confidence }, index) => {
      const known = index < same ? this.agreed[index] : undefined;
      if (!known) return { answers: 1, sinceSeconds: edgeSeconds, leastConfidence: confidence };
      const leastConfidence = Math.min(known.leastConfidence, confidence);
      return { ...known, answers: known.answers + 1, leastConfidence };
    });
    this.previous = words;
  }

  private isAgreed(index: number, edgeSeconds: number, seconds: number): boolean {
    const { answers = 0, sinceSeconds = edgeSeconds } = this.agreed[index] ?? {};
    return answers >= LEAST_AGREEING && edgeSeconds - sinceSeconds >= seconds;
  }

  private isStable(words: PlacedWord[], index: number, edgeSeconds: number): boolean {
    const { confidence: newest, endSeconds } = words[index] as PlacedWord;
    // A recent low confidence lowers the current one.
    const confidence = (newest + (this.agreed[index] as Agreement).leastConfidence) / 2;
    const margin = edgeSeconds - endSeconds;
    if (this.areResultsSparse && confidence >= SPARSE_RESULTS.confidence && margin >= SPARSE_RESULTS.marginSeconds)
      return true;
    if (!this.isAgreed(index, edgeSeconds, 0)) return false;
    if (margin >= STABLE_AGE_SECONDS) return true;
    const isFollowed =
      confidence >= FOLLOWED.confidence &&
      (words[index + 1]?.confidence ?? 0) >= FOLLOWED.nextConfidence &&
      this.isAgreed(index + 1, edgeSeconds, 0);
    if (isFollowed) return true;
    const rule = STABILITY_RULES.find((one) => confidence >= one.confidence) as StabilityRule;
    const agreedSeconds = rule.agreedSeconds + (index === 0 ? FIRST_WORD_SECONDS : 0);
    return margin >= rule.marginSeconds && this.isAgreed(index, edgeSeconds, agreedSeconds);
  }
}
