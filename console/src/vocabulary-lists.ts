// The vocabulary lists of the account, and their words as lines of text.
import { signal } from "@preact/signals";
import {
  type ListedWord,
  MOST_LISTS,
  type VocabularyListItem,
  type VocabularyListsPage,
} from "../../src/contract/vocabulary.ts";
import { get } from "./api.ts";
import { formats } from "./language/language.ts";

/** Undefined until they are loaded. */
export const vocabularyLists = signal<VocabularyListItem[] | undefined>(undefined);

/** An account has no more lists than a page. */
export async function loadVocabularyLists(): Promise<void> {
  const { items } = await get<VocabularyListsPage>(`/v2/vocabulary-lists?limit=${MOST_LISTS}`);
  vocabularyLists.value = items.sort((one, other) => formats.compare(one.name, other.name));
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
      const [, value = line, sounds = ""] = /^(.+?)(?::\s|：)(.*)$/u.exec(line) ?? [];
      const pronunciations = sounds
        .split(/[,،、，]/u)
        .map((sound) => sound.trim())
        .filter((sound) => sound !== "");
      const { pronunciations: _, ...kept } = named.get(value.trim()) ?? { value: value.trim() };
      return { ...kept, ...(pronunciations.length > 0 ? { pronunciations } : {}) };
    });
}
