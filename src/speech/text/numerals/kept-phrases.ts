// Phrases of the caller, which no rule for numbers changes.
import { atOnce, type Steps } from "../../../platform/process/steps.ts";
import { bareWord } from "../bare-word.ts";
import type { Edit, Piece } from "./pieces.ts";

const partsOf = (phrase: string) =>
  phrase
    .toLowerCase()
    .split(/[\s-]+/u)
    .map(bareWord)
    .filter((part) => part !== "");

interface Place {
  phrase: readonly string[];
  /** Index of the part in the phrase. */
  at: number;
}

export interface Phrases {
  /** Where each part is in the phrases. */
  places: ReadonlyMap<string, readonly Place[]>;
  /** Lengths of the phrases that begin with each part. */
  lengths: ReadonlyMap<string, ReadonlySet<number>>;
  /** All phrases, their parts joined by a space. */
  joined: ReadonlySet<string>;
}

const indexes = new WeakMap<readonly string[], Phrases>();

/** A caller may give thousands of phrases, which are the same for all utterances. */
export const phrasesByPart = (kept: readonly string[]): Phrases => indexes.get(kept) ?? atOnce(indexingPhrases(kept));

/** @param kept  for which `phrasesByPart` then has the phrases at once */
export function* indexingPhrases(kept: readonly string[]): Steps<Phrases> {
  const places = new Map<string, Place[]>();
  const lengths = new Map<string, Set<number>>();
  const joined = new Set<string>();
  for (const one of kept) {
    yield;
    const phrase = partsOf(one);
    const [first] = phrase;
    if (first === undefined) continue;
    for (const [at, part] of phrase.entries()) {
      const others = places.get(part);
      if (others) others.push({ phrase, at });
      else places.set(part, [{ phrase, at }]);
    }
    const ofFirst = lengths.get(first) ?? new Set();
    lengths.set(first, ofFirst.add(phrase.length));
    joined.add(phrase.join(" "));
  }
  const phrases = { places, lengths, joined };
  indexes.set(kept, phrases);
  return phrases;
}

const coverages = new WeakMap<readonly Piece[], { phrases: Phrases; isCovered: boolean[] }>();

/** @returns of each piece, whether it is a part of a phrase that the text has */
function coverageOf(pieces: readonly Piece[], phrases: Phrases): readonly boolean[] {
  const known = coverages.get(pieces);
  if (known?.phrases === phrases) return known.isCovered;
  const isCovered = pieces.map(() => false);
  for (const [from, { text }] of pieces.entries()) {
    for (const length of phrases.lengths.get(text) ?? []) {
      const to = from + length;
      if (to > pieces.length) continue;
      const here = pieces.slice(from, to).map((piece) => piece.text);
      if (phrases.joined.has(here.join(" "))) isCovered.fill(true, from, to);
    }
  }
  coverages.set(pieces, { phrases, isCovered });
  return isCovered;
}

/** Whether a phrase has the texts in their order, without others between them. */
function isInside(texts: readonly string[], { places }: Phrases): boolean {
  // The rarest of the texts decides where to look.
  let rarest = 0;
  let fewest: readonly Place[] | undefined;
  for (const [index, text] of texts.entries()) {
    const found = places.get(text);
    if (!found) return false;
    if (fewest && fewest.length <= found.length) continue;
    fewest = found;
    rarest = index;
  }
  return (fewest ?? []).some(({ phrase, at }) => texts.every((text, index) => phrase[at - rarest + index] === text));
}

/** Whether an edit would change a phrase of the caller's. */
export function changesKept(pieces: readonly Piece[], { from, to }: Edit, phrases: Phrases): boolean {
  if (phrases.joined.size === 0) return false;
  const isCovered = coverageOf(pieces, phrases);
  for (let at = from; at < to; at++) if (isCovered[at]) return true;
  return isInside(
    pieces.slice(from, to).map(({ text }) => text),
    phrases,
  );
}
