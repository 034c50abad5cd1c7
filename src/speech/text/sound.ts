// Phonetic codes of words and their similarity: for names and terms that were recognised by sound but spelled wrong.
import { doubleMetaphone } from "double-metaphone";

/** A word or phrase without marks and spaces, in small letters. */
export const lettersOf = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]/gu, "");

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

/**
 * Edit distance up to a limit. Work: at most 2 · `most` + 1 cells for each letter of any text.
 * @returns any number above `most` where the distance is above it
 */
export function editDistanceWithin(left: string, right: string, most: number): number {
  const [rows, columns] = [left.length, right.length];
  if (Math.abs(rows - columns) > most) return most + 1;
  let previous = new Uint16Array(columns + 2).fill(most + 1);
  let next = new Uint16Array(columns + 2).fill(most + 1);
  for (let column = 0; column <= Math.min(columns, most); column++) previous[column] = column;
  for (let row = 1; row <= rows; row++) {
    const first = Math.max(1, row - most);
    const last = Math.min(columns, row + most);
    next[first - 1] = first === 1 && row <= most ? row : most + 1;
    let least = next[first - 1] as number;
    const letter = left.charCodeAt(row - 1);
    for (let column = first; column <= last; column++) {
      const replaced = (previous[column - 1] as number) + (letter === right.charCodeAt(column - 1) ? 0 : 1);
      const distance = Math.min(replaced, (previous[column] as number) + 1, (next[column - 1] as number) + 1);
      next[column] = distance;
      if (distance < least) least = distance;
    }
    next[last + 1] = most + 1;
    if (least > most) return most + 1;
    [previous, next] = [next, previous];
  }
  return previous[columns] as number;
}
