// A prompt of OpenAI's or Whisper's interfaces as a vocabulary: it is free text, and what helps the recogniser are the names in it.
import { firstOf } from "../../contract/first-of.ts";
import { bareWord } from "../../speech/text/bare-word.ts";

const MOST_ITEMS = 200;
/** A list has short items. */
const MOST_WORDS_OF_ITEM = 4;
const MOST_CHARACTERS_OF_ITEM = 60;

const wordsOf = (text: string) => text.split(/\s+/).filter((word) => word !== "");

/** A capital inside, a digit, or a capital at its beginning where no sentence begins. */
function isName(word: string, isFirst: boolean): boolean {
  if (/\p{L}\p{Lu}|\d/u.test(word)) return /\p{L}/u.test(word);
  return !isFirst && /^\p{Lu}\p{L}/u.test(word);
}

/** Names in a text, found by their capitals; adjacent ones form one name. */
function namesOf(text: string): string[] {
  const names: string[] = [];
  for (const sentence of text.split(/[.!?;:\n]+/)) {
    let run: string[] = [];
    const words = wordsOf(sentence);
    for (const [index, word] of words.entries()) {
      const bare = bareWord(word);
      const partOfName = isName(bare, index === 0);
      if (partOfName) run.push(bare);
      // A comma ends a name, too.
      if (!partOfName || /[,)"”]$/.test(word)) {
        if (run.length > 0) names.push(run.join(" "));
        run = [];
      }
    }
    if (run.length > 0) names.push(run.join(" "));
  }
  return names;
}

/** Names and terms of a prompt that are used, each once and in its order, and how many further ones it has. */
export interface PromptVocabulary {
  used: string[];
  furtherCount: number;
}

/** @returns the names and terms of a prompt that are used */
export const vocabularyOf = (prompt: string): string[] => promptVocabulary(prompt).used;

/** @param field  of the prompt @returns a sentence if not all of its names and terms are used */
export function promptWarning(field: string, { used, furtherCount }: PromptVocabulary): string | undefined {
  if (furtherCount === 0) return undefined;
  return `${field} has ${used.length + furtherCount} names and terms; the first ${used.length} are used`;
}

export function promptVocabulary(prompt: string): PromptVocabulary {
  const items = prompt
    .replace(/(?<![.\s])[.\s]+$/, "")
    .split(/[,;\n]/)
    .map((item) => item.trim())
    .filter((item) => item !== "");
  const isList =
    items.length > 1 &&
    items.every((item) => wordsOf(item).length <= MOST_WORDS_OF_ITEM && item.length <= MOST_CHARACTERS_OF_ITEM);
  const isOneName = items.length === 1 && wordsOf(prompt).length <= 2;
  const all = [...new Set(isList || isOneName ? items : namesOf(prompt))];
  const { first, rest } = firstOf(all, MOST_ITEMS);
  return { used: first, furtherCount: rest };
}
