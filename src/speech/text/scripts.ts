// How languages are written, as far as words, sentences and lines depend on it.
import { wordSegments } from "../../platform/text/word-segments.ts";

/** Written without spaces between words. */
const UNSPACED = new Set(["zh", "yue", "ja", "th", "lo", "my", "km", "bo"]);
/** Characters that fill two columns: Chinese, Japanese, Korean and their marks. */
const WIDE =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\u33FF\u3400-\u4DBF\u4E00-\u9FFF\uA000-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE4F\uFF00-\uFF60\uFFE0-\uFFE6]|[\u{20000}-\u{3FFFD}]/u;
/** Latin letters, digits and marks: each fills one column. Most texts are measured at once. */
const NARROW = /^[\u0020-\u024F]*$/;
/** Marks above and below other characters fill none. */
const COMBINING = /\p{M}/u;

export const isUnspaced = (language: string): boolean => UNSPACED.has(language);

/** A character of a script without spaces between words. */
export const UNSPACED_SCRIPT =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Myanmar}\p{scx=Khmer}\p{scx=Tibetan}]/u;
const isSpacedLetterOrDigit = (character = "") =>
  /[\p{L}\p{M}\p{Nd}]/u.test(character) && !UNSPACED_SCRIPT.test(character);

/** Space between two words of a text. In a language without spaces, only between words of another script: 我是John Smith. */
export function spaceBetween(word: string, next: string, language: string): " " | "" {
  if (!isUnspaced(language)) return " ";
  return isSpacedLetterOrDigit([...word].at(-1)) && isSpacedLetterOrDigit([...next][0]) ? " " : "";
}

/** Columns of a screen that a text fills: a wide character fills two. */
export function columnsOf(text: string): number {
  if (NARROW.test(text)) return text.length;
  let columns = 0;
  for (const character of text) if (!COMBINING.test(character)) columns += WIDE.test(character) ? 2 : 1;
  return columns;
}

/** Whether there is anything in it that is spoken: a letter, a digit, or a sign that stands for a word. */
export const isSpoken = (text: string): boolean => /[\p{L}\p{N}\p{Sc}%&@+=°]/u.test(text);

/** Marks that end a sentence, of all scripts, and what may close behind them. */
export const SENTENCE_END = /[.!?…。！？｡؟۔।॥።፧။។៕།]["'”’»)\]」』）】]*$/u;
/** Marks that end a phrase. */
export const PHRASE_END = /[,;:–—、，；：،؛၊]["'”’»)\]」』）】]*$/u;

/** Words of a text in a script without spaces. Each has the marks and white space that follow it. Joined, they are the text. */
export function dictionaryWords(text: string, language: string): string[] {
  const words: string[] = [];
  for (const { segment } of wordSegments(text, language)) {
    if (words.length > 0 && !isSpoken(segment)) words[words.length - 1] += segment;
    else words.push(segment);
  }
  return words;
}

const RIGHT_TO_LEFT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/** Whether a text runs from right to left: its first letter decides, as in the Unicode bidirectional algorithm (rule P2). */
export function isRightToLeft(text: string): boolean {
  return RIGHT_TO_LEFT.test(/\p{L}/u.exec(text)?.[0] ?? "");
}
