// Numbers are written one way within a transcript: models write some in digits and some in words, as a piece of audio has
// it. English, whole numbers; sums, times, percentages and the like stay as they were heard.
import type { Utterance, Word } from "../jobs/transcript.ts";
import { mergedWords } from "./merged-words.ts";
import { isNumberWord, numberDigits, numberWords, readDigits, readNumber, type SpokenNumber } from "./number-words.ts";
import { endsSentence } from "./writing.ts";

type Style = "digits" | "words";

/** How a text writes its numbers; what it has none of is undefined. */
export interface NumberStyle {
  /** From ten on. */
  large?: Style;
  /** Below ten: in words where some are; otherwise as each was heard. */
  small?: "words";
}

/** Words [from, from + count) are a number. */
interface Found extends SpokenNumber {
  from: number;
  style: Style;
}

const EDGES = /^\s*(["'“‘([]*)(.*?)([.,;:!?…"'”’)\]]*)$/su;
const LEAST_LARGE = 10;
/** They say with a number what it alone does not. */
const MAGNITUDES = "(?:hundred|thousand|million|billion|trillion)";
const MAGNITUDE = new RegExp(`^${MAGNITUDES}s?$`);
const HUNDRED_AND = new RegExp(`^["'“‘([]*${MAGNITUDES} and$`);
/** "one" may be somebody. */
const LEAST_SMALL = 2;

const coreOf = (word: string | undefined) => EDGES.exec(word ?? "")?.[2]?.toLowerCase() ?? "";
const endsWithMark = (word: string) => EDGES.exec(word)?.[3] !== "";

/** The number that begins at a word. */
function numberAt(words: readonly string[], from: number): Found | undefined {
  const digits = readDigits(coreOf(words[from]));
  if (digits) return { ...digits, from, style: "digits" };
  const cores: string[] = [];
  for (let at = from; at < words.length; at++) {
    const word = words[at] as string;
    // Marks and brackets part numbers.
    if (at > from && /^\s*["'“‘([]/u.test(word)) break;
    const core = coreOf(word);
    if (core !== "and" && !isNumberWord(core)) break;
    cores.push(core);
    if (endsWithMark(word)) break;
  }
  const spoken = readNumber(cores);
  return spoken && { ...spoken, from, style: "words" };
}

/** @param kept  phrases in small letters: numbers in them are as they must be */
function numbersOf(words: readonly string[], kept: readonly string[]): Found[] {
  const found: Found[] = [];
  for (let at = 0; at < words.length; ) {
    const number = numberAt(words, at);
    if (number) found.push(number);
    at += number?.count ?? 1;
  }
  const isNumber = (word: string | undefined) => {
    const core = coreOf(word);
    return readDigits(core) !== undefined || isNumberWord(core) || MAGNITUDE.test(core) || core === "point";
  };
  // What stands in a row with others is no number, but its digits, or part of a larger one.
  return found.filter(({ from, count }) => {
    const [before, last, after] = [words[from - 1], words[from + count - 1] as string, words[from + count]];
    const isBehindNumber = before !== undefined && !endsWithMark(before) && isNumber(before);
    // "a hundred and fifty": only marks part them.
    const isRest = HUNDRED_AND.test(`${words[from - 2]?.trim()} ${before?.trim()}`.toLowerCase());
    if (isBehindNumber || isRest || !(endsWithMark(last) || !isNumber(after))) return false;
    const text = words
      .slice(from, from + count)
      .map(coreOf)
      .join(" ");
    return !kept.some((phrase) => ` ${phrase} `.includes(` ${text} `));
  });
}

const isLarge = ({ value }: Found) => value >= LEAST_LARGE;
/** Below ten, and no order: "a second" is none. */
const isSmall = (number: Found) => !isLarge(number) && !number.isOrdinal;

function numbersIn(utterances: readonly Utterance[], kept: readonly string[]): Found[] {
  const english = utterances.filter(({ language }) => language === "en");
  return english.flatMap(({ words }) =>
    numbersOf(
      words.map(({ word }) => word),
      kept,
    ),
  );
}

/**
 * As most of the numbers are written; as the first one where there are as many of both.
 * @param kept  phrases in small letters whose numbers are as they must be
 */
export function numberStyle(utterances: readonly Utterance[], kept: readonly string[] = []): NumberStyle {
  const numbers = numbersIn(utterances, kept);
  const large = numbers.filter(isLarge);
  const inDigits = large.filter(({ style }) => style === "digits").length;
  const inWords = large.length - inDigits;
  const isTie = inDigits === inWords;
  const most = isTie ? large[0]?.style : inDigits > inWords ? "digits" : "words";
  const spellsSmall = numbers.some(
    (number) => isSmall(number) && number.value >= LEAST_SMALL && number.style === "words",
  );
  return { ...(most ? { large: most } : {}), ...(spellsSmall ? { small: "words" } : {}) };
}

/** How a transcript goes on that began in one style. */
export const goneOn = (begun: NumberStyle, utterance: Utterance, kept: readonly string[] = []): NumberStyle => ({
  ...numberStyle([utterance], kept),
  ...begun,
});

/** Pieces of one word, its time shared by their letters. */
function parted(word: Word, texts: readonly string[]): Word[] {
  const [, before = "", , after = ""] = EDGES.exec(word.word) ?? [];
  const space = /^\s*/.exec(word.word)?.[0] ?? "";
  const letters = texts.reduce((sum, text) => sum + text.length, 0);
  let said = 0;
  const timeAt = (share: number) => Math.round((word.start + (word.end - word.start) * share) * 1000) / 1000;
  return texts.map((text, at) => {
    const [start, end] = [timeAt(said / letters), timeAt((said + text.length) / letters)];
    said += text.length;
    const marks = [at === 0 ? space + before : " ", at === texts.length - 1 ? after : ""];
    return { ...word, word: marks[0] + text + marks[1], start, end };
  });
}

const capitalised = (texts: string[]) =>
  texts.map((text, at) => (at === 0 ? text[0]?.toUpperCase() + text.slice(1) : text));

/** One number as the style has it; undefined where it is so already. */
function restyled(
  number: Found,
  words: readonly Word[],
  style: NumberStyle,
  beginsSentence: boolean,
): Word[] | undefined {
  const wanted = isLarge(number) ? style.large : isSmall(number) ? style.small : undefined;
  if (wanted === undefined || wanted === number.style) return undefined;
  if (wanted === "digits") return [mergedWords(words, numberDigits(number))];
  const [word] = words as [Word];
  const texts = numberWords(number, !/\d,\d/.test(word.word));
  return parted(word, beginsSentence ? capitalised(texts) : texts);
}

/**
 * @param isAfterStop  whether the utterance before it ended a sentence
 * @param kept         phrases in small letters whose numbers are as they must be
 * @returns the utterance with its numbers as the style has them; the same one where they are
 */
export function withNumbers(
  utterance: Utterance,
  style: NumberStyle,
  isAfterStop: boolean,
  kept: readonly string[] = [],
): Utterance {
  if (utterance.language !== "en") return utterance;
  const beginsSentence = (at: number) => (at === 0 ? isAfterStop : endsSentence(utterance.words[at - 1]?.word ?? ""));
  const words: Word[] = [];
  let done = 0;
  const numbers = numbersOf(
    utterance.words.map(({ word }) => word),
    kept,
  );
  for (const number of numbers) {
    const { from, count } = number;
    const changed = restyled(number, utterance.words.slice(from, from + count), style, beginsSentence(from));
    if (!changed) continue;
    words.push(...utterance.words.slice(done, from), ...changed);
    done = from + count;
  }
  if (done === 0) return utterance;
  words.push(...utterance.words.slice(done));
  return { ...utterance, words, text: words.map(({ word }) => word).join("") };
}
