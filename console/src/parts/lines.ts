// Values that are typed as lines of text.
import type { ListedWord } from "../../../src/contract/vocabulary.ts";

/** The items of a list, which commas separate; the commas may be those of Arabic or Japanese. */
export const itemsOf = (text: string) =>
  text
    .split(/[,،、，]/u)
    .map((item) => item.trim())
    .filter((item) => item !== "");

/** The dictionary of a text with one `name: value, value` per line; the marks may be those of Arabic or Japanese. */
export function dictionaryOf(text: string): Record<string, string[]> | undefined {
  const pairs = text.split("\n").flatMap((line) => {
    const [key = "", items = ""] = line.split(/[:：]/u).map((part) => part.trim());
    return key === "" ? [] : [[key, itemsOf(items)] as const];
  });
  return pairs.length > 0 ? Object.fromEntries(pairs) : undefined;
}

/** The text of a dictionary, as `dictionaryOf` reads it. */
export const textOfDictionary = (dictionary: Record<string, string[]> = {}): string =>
  Object.entries(dictionary)
    .map(([key, items]) => `${key}: ${items.join(", ")}`)
    .join("\n");

/** The line of an item that may be more than a text. */
export const shownLine = (item: unknown): string =>
  typeof item === "string" ? item : ((item as { value?: string }).value ?? JSON.stringify(item));

/** The items of a text with one per line. An unchanged line keeps its item. @param former  items before the change */
export function itemsOfLines(text: string, former: readonly unknown[]): unknown[] {
  const unchanged = new Map(former.map((item) => [shownLine(item).trim(), item]));
  const lines = text.split("\n").map((line) => line.trim());
  return lines.filter((line) => line !== "").map((line) => unchanged.get(line) ?? line);
}

const lineOf = ({ value, pronunciations = [] }: ListedWord) =>
  pronunciations.length > 0 ? `${value}: ${pronunciations.join(", ")}` : value;

/** A word in each line; its pronunciations follow a colon. */
export const linesOf = (words: readonly ListedWord[]): string => words.map(lineOf).join("\n");

/**
 * The words of a text of lines, whose marks may be those of Arabic or Japanese. A line without a change is the word that it was, and a
 * changed one keeps what lines do not show: the language and the intensity.
 * @param former  words that the text was made from
 */
export function wordsOfLines(text: string, former: readonly ListedWord[]): ListedWord[] {
  const unchanged = new Map(former.map((word) => [lineOf(word), word]));
  const named = new Map(former.map((word) => [word.value, word]));
  const lines = text.split("\n").map((line) => line.trim());
  return lines
    .filter((line) => line !== "")
    .map((line) => {
      const same = unchanged.get(line);
      if (same) return same;
      const colon = line.search(/:\s|：/u);
      const value = (colon < 1 ? line : line.slice(0, colon)).trim();
      const pronunciations = itemsOf(colon < 1 ? "" : line.slice(colon + 1));
      const { pronunciations: _, ...kept } = named.get(value) ?? { value };
      return { ...kept, ...(pronunciations.length > 0 ? { pronunciations } : {}) };
    });
}
