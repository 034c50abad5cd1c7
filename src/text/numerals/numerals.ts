// Numbers, dates, sums, times and addresses of an utterance in their usual written form, with the times of their words. Text without
// numbers stays the same object; so does what the caller wrote in a vocabulary or a spelling dictionary.
import type { Utterance } from "../../transcript/transcript.ts";
import { englishEdits } from "./english.ts";
import { europeanEdits } from "./european.ts";
import { type Edit, edit, type Piece, piecesOf } from "./pieces.ts";

/** Languages that numbers are written in digits for. */
export const NUMERAL_LANGUAGES = ["en", "de", "fr", "es", "pt", "it", "nl"] as const;

const partsOf = (phrase: string) =>
  phrase
    .toLowerCase()
    .split(/[\s-]+/u)
    .map((part) => part.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ""))
    .filter((part) => part !== "");

type Phrases = ReadonlyMap<string, readonly (readonly string[])[]>;

const indexes = new WeakMap<readonly string[], Phrases>();

/** Phrases by each of their parts. A caller may give thousands, which are the same for all utterances. */
function phrasesByPart(kept: readonly string[]): Phrases {
  const known = indexes.get(kept);
  if (known) return known;
  const found = new Map<string, (readonly string[])[]>();
  for (const parts of kept.map(partsOf)) {
    for (const part of new Set(parts)) {
      const others = found.get(part);
      if (others) others.push(parts);
      else found.set(part, [parts]);
    }
  }
  indexes.set(kept, found);
  return found;
}

/** Whether an edit would change a phrase of the caller's. */
function changesKept(pieces: readonly Piece[], { from, to }: Edit, byPart: Phrases): boolean {
  const texts = pieces.slice(from, to).map(({ text }) => text);
  const phrases = new Set(texts.flatMap((text) => byPart.get(text) ?? []));
  const isInside = (phrase: readonly string[]) => ` ${phrase.join(" ")} `.includes(` ${texts.join(" ")} `);
  const overlaps = (phrase: readonly string[]) => {
    for (let at = Math.max(0, from - phrase.length + 1); at < to; at++) {
      if (phrase.every((part, index) => pieces[at + index]?.text === part)) return true;
    }
    return false;
  };
  return [...phrases].some((phrase) => isInside(phrase) || overlaps(phrase));
}

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
