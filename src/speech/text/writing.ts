// Punctuation and capitals where separately recognised pieces become one text. Words, their number and their letters stay.
import { isAbbreviation, probablyContinues } from "./abbreviations.ts";
import { upperCase } from "./letter-case.ts";

/** Marks that end a sentence; what breaks off does not. */
const FULL_STOP = /(?<!\.)[.!?]["'”’»)\]]*$/u;
/** Several marks behind a word, with or without spaces between, and what closes behind them. */
const MARKS = /(?<![\s,;:.!?])\s*([,;:.!?](?:\s*[,;:.!?])+)(["'”’»)\]]*)$/u;
/** Small first letter; names like "iPhone", "macOS" and "n8n" are written so. */
const SMALL = /^([^\p{L}\p{N}]*)(\p{Ll})(?!\p{Ll}*\p{Lu}|\p{N})/u;

/** Whether what follows a text begins a sentence. @param language  ISO 639 code */
export const endsSentence = (text: string, language?: string): boolean =>
  FULL_STOP.test(text) && !probablyContinues(text, language);

/** The most significant of several marks; three full stops are one mark. */
function strongest(marks: string): string {
  const ending = /[!?]/.exec(marks)?.[0];
  if (ending) return ending;
  if (marks.includes("...")) return "...";
  return marks.includes(".") ? "." : (marks[0] ?? "");
}

/** One of several marks behind a word. The full stop of an abbreviation is none: "D.C.,", "etc.?". @param language  ISO 639 code */
const oneMark = (word: string, language?: string) =>
  word.replace(MARKS, (_, marks: string, closing: string, at: number) => {
    const isOwnStop = /^\.(?!\s*\.)/u.test(marks) && probablyContinues(`${word.slice(0, at)}.`, language);
    const mark = strongest(isOwnStop ? marks.slice(1).trim() : marks);
    return (isOwnStop && mark !== "." ? "." : "") + mark + closing;
  });

/** Marks behind the letters of a word, before what closes. */
const LAST_MARKS =
  /(?=[.,;:!?…。，、；：！？])(?<=[\p{L}\p{M}\p{N}]["'”’»)\]]*)[.,;:!?…。，、；：！？]+(?=["'”’»)\]]*$)/u;

/** A word that more is said behind: its mark was a guess, but for what belongs to an abbreviation. */
export const withoutMark = (word: string, language?: string): string =>
  isAbbreviation(word, language) ? word : word.replace(LAST_MARKS, "");

const withoutStop = (text: string, language?: string) =>
  isAbbreviation(lastWord(text), language) ? text : text.replace(/(?<!\.)\.$/u, "");
const lastWord = (text: string) => /(?<!\S)\S+$/u.exec(text)?.[0] ?? "";

/**
 * @param words         of one utterance, marks at their edges
 * @param isAfterStop   whether what was said before ended a sentence
 * @param language      ISO 639 code
 */
export function written(words: readonly string[], isAfterStop: boolean, language?: string): string[] {
  let begins = isAfterStop;
  return words.map((word) => {
    const marked = oneMark(word, language);
    const text = begins ? marked.replace(SMALL, (_, before, letter) => before + upperCase(letter, language)) : marked;
    begins = endsSentence(text.trim(), language);
    return text;
  });
}

/** Removes the full stop at the end of a text that continues: the recogniser wrote it because the audio was cut. @param language  ISO 639 code */
export const goingOn = (last: string, next: string, language?: string): string =>
  SMALL.test(next.trim()) ? withoutStop(last, language) : last;
