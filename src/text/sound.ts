// Phonetic codes of words and their similarity: for names and terms that were recognised by sound but spelled wrong.
import { doubleMetaphone } from "double-metaphone";

/** A word or phrase without marks and spaces, in small letters. */
export const lettersOf = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** Consonants of a word or phrase as they sound (Philips' double metaphone), its words run together. */
export function soundOf(text: string): string {
  return doubleMetaphone(lettersOf(text))[0];
}

/** Fewest insertions, deletions and replacements between two texts. */
export function editDistance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (const [row, letter] of [...left].entries()) {
    const next = [row + 1];
    for (let column = 0; column < right.length; column++) {
      const replaced = (previous[column] as number) + (letter === right[column] ? 0 : 1);
      next.push(Math.min(replaced, (previous[column + 1] as number) + 1, (next[column] as number) + 1));
    }
    previous = next;
  }
  return previous[right.length] as number;
}
