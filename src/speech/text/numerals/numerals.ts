// Numbers, dates, sums, times and addresses of an utterance in their usual written form, with the times of their words. Text without
// numbers stays the same object; so does what the caller wrote in a vocabulary or a spelling dictionary.
import { firstOf } from "../../../contract/first-of.ts";
import type { Utterance, Word } from "../../../contract/transcript/transcript.ts";
import { englishEdits } from "./english.ts";
import { europeanEdits } from "./european.ts";
import { changesKept, phrasesByPart } from "./kept-phrases.ts";
import { type Edit, edit, isJoined, type Piece, piecesOf } from "./pieces.ts";

/** Languages that numbers are written in digits for. */
export const NUMERAL_LANGUAGES = ["en", "de", "fr", "es", "pt", "it", "nl"] as const;

const editsIn = (pieces: readonly Piece[], language: string): Edit[] =>
  language === "en" ? englishEdits(pieces) : europeanEdits(pieces, language);

/** A telephone or card number has no more words. */
const NUMBER_WORDS = 24;

const ROUND = /(?:hundred|thousand|[mb]illion|cents?|cientos|mil|mille|mila|hundert|tausend|honderd|duizend)$/;

/** "the year two thousand" / "Ten people came": a capital behind a round number begins a new one. */
const beginsNext = (pieces: readonly Piece[], at: number) =>
  /^\p{Lu}\p{Ll}/u.test(pieces[at]?.raw ?? "") &&
  ROUND.test(pieces[at - 1]?.text ?? "") &&
  isJoined(pieces, at) &&
  !ROUND.test(pieces[at + 1]?.text ?? "");

/**
 * @param before  words of one text
 * @param after   words of the text that continues it without a pause
 * @returns how many of the last words before belong to a number that continues after
 */
export function wordsOfNumberAcross(
  before: readonly Word[],
  after: readonly Word[],
  language: string,
  kept: readonly string[] = [],
): number {
  const left = before.slice(Math.max(0, before.length - NUMBER_WORDS)).map(({ word }) => word);
  const right = firstOf(after, NUMBER_WORDS).first.map(({ word }, at) => (at === 0 ? ` ${word.trimStart()}` : word));
  const pieces = piecesOf([...left, ...right]);
  const firstWord = ({ from }: Edit) => pieces[from]?.word ?? 0;
  const across = editsIn(pieces, language).find(
    (one) => firstWord(one) < left.length && (pieces[one.to - 1]?.word ?? 0) >= left.length,
  );
  const next = pieces.findIndex(({ word }) => word >= left.length);
  if (!across || beginsNext(pieces, next) || changesKept(pieces, across, phrasesByPart(kept))) return 0;
  return left.length - firstWord(across);
}

/**
 * @param kept  phrases of the caller in small letters, which are never changed
 * @returns the same utterance where nothing is to be written in another way
 */
export function withNumerals(utterance: Utterance, kept: readonly string[] = []): Utterance {
  const { language } = utterance;
  if (!(NUMERAL_LANGUAGES as readonly string[]).includes(language)) return utterance;
  const pieces = piecesOf(utterance.words.map(({ word }) => word));
  const found = editsIn(pieces, language);
  if (found.length === 0) return utterance;
  const phrases = phrasesByPart(kept);
  const edits = found.filter((one) => {
    const isSame = one.to === one.from + 1 && pieces[one.from]?.raw === one.text;
    return !isSame && !changesKept(pieces, one, phrases);
  });
  if (edits.length === 0) return utterance;
  const words = edit(utterance.words, pieces, edits);
  return { ...utterance, words, text: words.map(({ word }) => word).join("") };
}
