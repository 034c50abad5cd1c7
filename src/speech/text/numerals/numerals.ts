// Numbers, dates, sums, times and addresses of an utterance in their usual written form, with the times of their words. Text without
// numbers stays the same object; so does what the caller wrote in a vocabulary or a spelling dictionary.
import type { Utterance } from "../../../contract/transcript/transcript.ts";
import { englishEdits } from "./english.ts";
import { europeanEdits } from "./european.ts";
import { changesKept, phrasesByPart } from "./kept-phrases.ts";
import { edit, piecesOf } from "./pieces.ts";

/** Languages that numbers are written in digits for. */
export const NUMERAL_LANGUAGES = ["en", "de", "fr", "es", "pt", "it", "nl"] as const;

/**
 * @param kept  phrases of the caller in small letters, which are never changed
 * @returns the same utterance where nothing is to be written in another way
 */
export function withNumerals(utterance: Utterance, kept: readonly string[] = []): Utterance {
  const { language } = utterance;
  if (!(NUMERAL_LANGUAGES as readonly string[]).includes(language)) return utterance;
  const pieces = piecesOf(utterance.words.map(({ word }) => word));
  const found = language === "en" ? englishEdits(pieces) : europeanEdits(pieces, language);
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
