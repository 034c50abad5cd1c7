// What a partial shows. An answer's last words are still guesses: one is shown when answers agree on it, the longer the
// less sure the recogniser is of it, unless speech goes on behind it. What was shown stays, unless answers agree on
// something else.
import { lettersOf } from "../../text/sound.ts";
import type { PlacedWord } from "./speech-context.ts";

interface Patience {
  /** For words of at least this confidence … */
  confidence: number;
  /** … answers must have agreed over this much of the audio … */
  agreedSeconds: number;
  /** … and the word have ended this long before its edge. */
  marginSeconds: number;
}

/** The first that fits a word's confidence holds. A word's end is known to a twentieth of a second or two. */
const PATIENCE: readonly Patience[] = [
  { confidence: 0.97, agreedSeconds: 0.12, marginSeconds: 0.12 },
  { confidence: 0.9, agreedSeconds: 0.14, marginSeconds: 0.12 },
  { confidence: 0.6, agreedSeconds: 0.24, marginSeconds: 0.1 },
  { confidence: 0, agreedSeconds: 0.28, marginSeconds: 0.3 },
];
/** A word that ended so long ago is shown however unsure it is: waiting longer would hold up all that follows. */
const LONG_AGO_SECONDS = 0.4;
/** Waiting tells no more of a word that is as sure as this when the next one is surer. */
const FOLLOWED = { confidence: 0.7, nextConfidence: 0.85 };
/** The first word of an utterance has nothing before it that tells what it is: it must be agreed on for so much longer. */
const FIRST_WORD_SECONDS = 0.1;
const LEAST_AGREEING = 2;
/** Where answers come as rarely as this, one is enough for a word of such confidence that ended so long ago. */
const RARE = { seconds: 0.3, confidence: 0.7, marginSeconds: 0.3 };
/** What was shown is revised when answers agreed on another word over this much of the audio. */
const REVISION_SECONDS = 0.32;
/** Nobody speaks faster; an answer that does is a loop. */
const MOST_WORDS_PER_SECOND = 7;
const SPARE_WORDS = 2;

const plain = (word: PlacedWord | undefined) => lettersOf(word?.text ?? "");

const isSame = (newer: PlacedWord, older: PlacedWord) => plain(newer) === plain(older);

/** Whether what was shown may stay: the same word, or the beginning of a compound ("cold" of "cold-hearted"). */
function goesOn(newer: PlacedWord, older: PlacedWord): boolean {
  const parts = newer.text.split("-").map(lettersOf);
  return parts.some((_, last) => parts.slice(0, last + 1).join("") === plain(older));
}

function agreement(newer: PlacedWord[], older: PlacedWord[], holds: typeof isSame): number {
  const end = older.findIndex((word, index) => !newer[index] || !holds(newer[index], word));
  return end < 0 ? older.length : end;
}

const STUTTER = /(.{1,3})\1{3,}/;

/** The third of the same word in a row, or a word of one syllable over and over: at the edge a loop, not speech. */
function isLoop(words: PlacedWord[], index: number): boolean {
  if (STUTTER.test(words[index]?.text ?? "")) return true;
  return index >= 2 && [1, 2].every((back) => plain(words[index - back]) === plain(words[index]));
}

/** Since when answers agree on a word at its place. */
interface Agreed {
  answers: number;
  sinceSeconds: number;
  leastConfidence: number;
}

export class Partials {
  private previous: PlacedWord[] = [];
  private agreed: Agreed[] = [];
  private shown: PlacedWord[] = [];
  /** Where the audio of the answer before ended, seconds. */
  private heardUntil: number | undefined;
  private isRare = false;

  /** A new utterance. */
  reset(): void {
    this.previous = [];
    this.agreed = [];
    this.shown = [];
    this.heardUntil = undefined;
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
    this.isRare = edgeSeconds - (this.heardUntil ?? startSeconds) >= RARE.seconds;
    this.heardUntil = edgeSeconds;
    this.agree(words, edgeSeconds);
    const kept = agreement(words, this.shown, goesOn);
    if (kept < this.shown.length && !this.isAgreed(kept, edgeSeconds, REVISION_SECONDS)) return undefined;
    let count = 0;
    while (count < words.length && this.isReady(words, count, edgeSeconds)) count++;
    const ready = words.slice(0, count);
    const next = kept === this.shown.length ? [...ready, ...this.shown.slice(count)] : ready;
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

  private isReady(words: PlacedWord[], index: number, edgeSeconds: number): boolean {
    const { confidence: newest, endSeconds } = words[index] as PlacedWord;
    // A word that was doubted a moment ago is not quite as sure as it seems now.
    const confidence = (newest + (this.agreed[index] as Agreed).leastConfidence) / 2;
    const margin = edgeSeconds - endSeconds;
    if (this.isRare && confidence >= RARE.confidence && margin >= RARE.marginSeconds) return true;
    if (!this.isAgreed(index, edgeSeconds, 0)) return false;
    if (margin >= LONG_AGO_SECONDS) return true;
    const isFollowed =
      confidence >= FOLLOWED.confidence &&
      (words[index + 1]?.confidence ?? 0) >= FOLLOWED.nextConfidence &&
      this.isAgreed(index + 1, edgeSeconds, 0);
    if (isFollowed) return true;
    const patience = PATIENCE.find((one) => confidence >= one.confidence) as Patience;
    const agreedSeconds = patience.agreedSeconds + (index === 0 ? FIRST_WORD_SECONDS : 0);
    return margin >= patience.marginSeconds && this.isAgreed(index, edgeSeconds, agreedSeconds);
  }
}
