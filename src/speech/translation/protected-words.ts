// Keeps the caller's terms, addresses and numbers unchanged in a translation. The model keeps most of them. Where it does not, the aligned
// words of the translation are replaced.
import { bareWord } from "../text/bare-word.ts";
import { isUnspaced } from "../text/scripts.ts";
import { type TargetWord, textOfWords } from "./markup.ts";

/** Numbers up to this may be spelled out in the translation. */
const MOST_SPELLED_OUT = 20;

/** Marks of a sentence; "+" and "#" distinguish "C++" from "C#". */
const MARK = String.raw`[\s.,;:!?…"'“”‘’«»()\[\]{}¿¡。、！？-]`;
const EDGE_MARKS = new RegExp(`^${MARK}+|(?<!${MARK})${MARK}+$`, "gu");
const folded = (word: string) => word.replace(EDGE_MARKS, "").toLowerCase();
const ADDRESS =
  /^[^\s@]+@[^\s@]+\.\p{L}{2,}$|^(?:https?:\/\/|www\.)\S+$|^[\p{L}\d-]+(?:\.[\p{L}\d-]+)*\.\p{L}{2,}\/\S+$/u;
/** "5:30", "17h30", "17.30". */
const CLOCK = /^(\d{1,2})(?:([:h.])(\d{2}))?h?$/;
const MERIDIEM = /^[ap]\.?m$/;
/** "21st", "1980s", "15h": the ending differs between languages. */
const HAS_ENDING = /^\d[\d.,:]*\p{Ll}/u;
/** Ambiguous between languages: "1,000" is 1 where the comma is the decimal separator. */
const HAS_SEPARATOR = /\d[.,]\d/;
/** Words that multiply the number before them. Languages differ in them: "100 million" is "1 亿". */
const SCALES: readonly RegExp[] = [
  /^(?:thousand|tausend|duizend|tusen|tusind|tysi[ąa]c|тысяч|тыс|тисяч|nghìn|ribu|(?:mil|mille|mila|bin)$|千|천|हज़ार|ألف|آلاف)/u,
  /^(?:mill?i[oó]|mill[oó]n|milh[ãõ]|mil(?:j|ij|y)[ou]|миллион|млн|мільйон|triệu|juta|百万|百萬|मिलियन|مليون|ملايين)/u,
  /^(?:mill?iar|mil[jy]ar|миллиард|млрд|мільярд|tỷ|مليار)/u,
  /^(?:billi|bill[oó]n|bilh[ãõ]|bili[oóaã]|bil[jy]o|अरब)/u,
  /^(?:trilli|trill[oó]n|trilh[ãõ]|trili[oóaã]|tril[jy]o|триллион|трлн)/u,
  /^(?:万|萬|만)/u,
  /^(?:亿|億|억)/u,
  /^(?:लाख|lakh)/u,
  /^(?:करोड़|crore)/u,
];
const digitsOf = (word: string) => word.replace(/\P{Nd}/gu, "");
const OPENING = /^[^\p{L}\p{N}\p{Sc}]+/u;
const CLOSING = /(?<![^\p{L}\p{M}\p{N}%])[^\p{L}\p{M}\p{N}%]+$/u;

/** For each occurrence of a term: the indexes of its source words. */
function placesOf(term: readonly string[], source: readonly string[]): number[][] {
  const places: number[][] = [];
  // A spelling of several words is one word of the transcript.
  const parts = source.flatMap((word, index) =>
    word
      .trim()
      .split(/\s+/)
      .map((part) => ({ part: folded(part), index })),
  );
  for (let at = 0; at + term.length <= parts.length; at++) {
    if (!term.every((word, offset) => parts[at + offset]?.part === word)) continue;
    places.push([...new Set(parts.slice(at, at + term.length).map(({ index }) => index))]);
  }
  return places;
}

/** The first run of translated words aligned with some of the source words. If there is none: `from` is the place to insert, `to` is -1. */
function renderedBy(target: readonly TargetWord[], sources: readonly number[]): { from: number; to: number } {
  const renders = ({ sources: own }: TargetWord) => own.some((one) => sources.includes(one));
  const from = target.findIndex(renders);
  if (from < 0) {
    const last = sources.at(-1) ?? 0;
    const next = target.findIndex(({ sources: own }) => (own[0] ?? -1) > last);
    return { from: next < 0 ? target.length : next, to: -1 };
  }
  let to = from;
  while (to + 1 < target.length && renders(target[to + 1] as TargetWord)) to++;
  return { from, to };
}

/** @param text  replacement for the words aligned with `sources` */
function replace(target: TargetWord[], sources: number[], text: string, language: string): void {
  const { from, to } = renderedBy(target, sources);
  const texts = isUnspaced(language) ? [text] : text.split(/\s+/);
  const words: TargetWord[] = texts.map((one) => ({ text: one, sources }));
  const [first, last] = [words[0], words.at(-1)] as [TargetWord, TargetWord];
  if (to >= from) {
    const opening = OPENING.exec((target[from] as TargetWord).text)?.[0] ?? "";
    const closing = CLOSING.exec((target[to] as TargetWord).text)?.[0] ?? "";
    last.text += closing;
    first.text = opening + first.text;
    const { isSpaced } = target[from] as TargetWord;
    if (isSpaced !== undefined) first.isSpaced = isSpaced;
    target.splice(from, to - from + 1, ...words);
    return;
  }
  const before = target.at(-1);
  if (from === target.length && before) {
    // Appended to the sentence: the final punctuation mark moves behind the inserted words.
    const closing = CLOSING.exec(before.text)?.[0] ?? "";
    before.text = before.text.slice(0, before.text.length - closing.length);
    last.text += closing;
  }
  target.splice(from, 0, ...words);
}

function keepTerm(term: string, source: readonly string[], target: TargetWord[], language: string): void {
  const words = term
    .split(/\s+/)
    .map(folded)
    .filter((word) => word !== "");
  if (words.length === 0) return;
  const places = placesOf(words, source);
  for (const sources of places) {
    const isComplete = textOfWords(target, language).split(term).length > places.length;
    if (isComplete) return;
    const { from, to } = renderedBy(target, sources);
    const rendered = target.slice(from, to + 1);
    const isWritten = [rendered, rendered.map((word) => ({ ...word, text: bareWord(word.text) }))].some((texts) =>
      textOfWords(texts, language).includes(term),
    );
    if (!isWritten) replace(target, sources, term, language);
  }
}

/** @returns hour and minutes if the word is a time of day */
function clockAt(at: number, source: readonly string[]): { hour: number; minutes: number } | undefined {
  const [, hour, mark, minutes] = CLOCK.exec(folded(source[at] as string)) ?? [];
  const isClock = mark === ":" || mark === "h" || MERIDIEM.test(folded(source[at + 1] ?? ""));
  return hour !== undefined && isClock ? { hour: Number(hour), minutes: Number(minutes ?? 0) } : undefined;
}

/** "5 p.m." is "17:00" in languages that count 24 hours. */
function isSameTime({ hour, minutes }: { hour: number; minutes: number }, text: string): boolean {
  const [, spokenHour, , spokenMinutes] = CLOCK.exec(folded(text)) ?? [];
  if (spokenHour === undefined) return false;
  return (Number(spokenHour) - hour) % 12 === 0 && Number(spokenMinutes ?? 0) === minutes;
}

/** The index of the first scale that is among the words, or joined to digits in them. */
const scaleOf = (words: readonly string[]) =>
  SCALES.findIndex((scale) => words.some((word) => scale.test(folded(word).replace(/^[\p{Nd}.,]+/u, ""))));

const withoutZeros = (digits: string) => digits.replace(/(?<!0)0+$/, "");

function keepNumber(at: number, source: readonly string[], target: TargetWord[], language: string): void {
  const word = source[at] as string;
  const digits = digitsOf(word);
  if (target.some(({ text }) => digitsOf(text) === digits)) return;
  const time = clockAt(at, source);
  if (time && target.some(({ text }) => isSameTime(time, text))) return;
  const { from, to } = renderedBy(target, [at]);
  const rendered = digitsOf(
    target
      .slice(from, to + 1)
      .map(({ text }) => text)
      .join(""),
  );
  // The number may be divided into groups by spaces, or be part of a longer word.
  if (rendered.includes(digits)) return;
  const scale = scaleOf(source.slice(at, at + 2));
  const targetScale = scaleOf(target.slice(from, to + 2).map(({ text }) => text));
  const isSameBefore = withoutZeros(rendered) === withoutZeros(digits);
  // "2,000 million" as "2 billion": the digits of the source would be another number there.
  if (rendered !== "" && scale !== targetScale && (isSameBefore || Math.min(scale, targetScale) >= 0)) return;
  if (rendered === "" && to >= from && Number(digits) <= MOST_SPELLED_OUT) return;
  if (rendered === "" && to >= from && (time || HAS_SEPARATOR.test(word))) return;
  if (HAS_ENDING.test(folded(word))) return;
  replace(target, [at], word.trim().replace(CLOSING, ""), language);
}

/**
 * @param source    words of the sentence
 * @param target    words of its translation; changed in place
 * @param terms     of the caller: vocabulary, spellings
 * @param language  of the translation
 */
export function keepProtectedWords(
  source: readonly string[],
  target: TargetWord[],
  terms: readonly string[],
  language: string,
): void {
  const addresses = source.map((word) => word.trim().replace(EDGE_MARKS, "")).filter((word) => ADDRESS.test(word));
  for (const term of [...terms, ...addresses]) keepTerm(term.trim(), source, target, language);
  for (const [at, word] of source.entries()) {
    const isNumber = /\p{Nd}/u.test(word) && !ADDRESS.test(folded(word));
    if (isNumber) keepNumber(at, source, target, language);
  }
}
