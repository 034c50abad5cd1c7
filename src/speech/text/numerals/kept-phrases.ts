// Phrases of the caller, which no rule for numbers changes.
import { bareWord } from "../bare-word.ts";
import type { Edit, Piece } from "./pieces.ts";

const partsOf = (phrase: string) =>
  phrase
    .toLowerCase()
    .split(/[\s-]+/u)
    .map(bareWord)
    .filter((part) => part !== "");

export type Phrases = ReadonlyMap<string, readonly (readonly string[])[]>;

const indexes = new WeakMap<readonly string[], Phrases>();

/** Phrases by each of their parts. A caller may give thousands, which are the same for all utterances. */
export function phrasesByPart(kept: readonly string[]): Phrases {
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
export function changesKept(pieces: readonly Piece[], { from, to }: Edit, byPart: Phrases): boolean {
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
