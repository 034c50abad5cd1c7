// Numbers in words, for `numerals: false`: recognisers write some numbers in digits themselves.

import type { Utterance } from "../../../contract/transcript/transcript.ts";
import { isSentenceEnd } from "../sentences.ts";
import { endsSentence } from "../writing.ts";
import { Reading } from "./english-reading.ts";
import { isNoun } from "./english-times.ts";
import { AFTER_DAY, AMBIGUOUS_MONTH, COUNTED, isMeasure, MONTH } from "./english-units.ts";
import { digitByDigit, inWords, ordinalWords } from "./english-words.ts";
import { RULES } from "./european-rules.ts";
import { changesKept, phrasesByPart } from "./kept-phrases.ts";
import { type Edit, edit, isJoined, type Piece, piecesOf } from "./pieces.ts";
import { spelledOut } from "./spellings.ts";

const MOST_DAY = 31;
const YEAR_DIGITS = 4;
/** What is read together with a number before it: "$2 million", "5 km". */
const BEHIND = /^(?:thousand|million|billion|trillion|%|km\/h|km|mph|kg|mg|ml|cm|mm)$/i;

/** Groups of digits in a row are a card or telephone number. */
const GROUP = /^\d{3,}$/;

interface Said {
  to: number;
  /** Undefined if the number stays as recognised. */
  text?: string;
}

/** "January 5, 2024", not "In May 12 people died", "they march 20 miles". */
function isDayOfMonth(pieces: readonly Piece[], at: number): boolean {
  const [month, { raw }] = [pieces[at - 1], pieces[at] as Piece];
  if (!month || !isJoined(pieces, at - 1) || !MONTH.test(month.text) || !/^\d{1,2}$/.test(raw)) return false;
  if (Number(raw) < 1 || Number(raw) > MOST_DAY) return false;
  const reading = new Reading(pieces, []);
  const isVerb = AMBIGUOUS_MONTH.test(month.text) && month.raw === month.text;
  if (isVerb && reading.before(at - 1) !== "on") return false;
  const after = reading.next(at + 1);
  if (after === "" || AFTER_DAY.test(after) || /^\d{4}$/.test(after)) return true;
  const before = reading.before(at - 1);
  // "the September 11 attacks", "on March 5 protests began"
  if (/^(?:on|the)$/.test(before)) return true;
  const isCounted = COUNTED.test(after) && after !== "of";
  if (isCounted || isMeasure(reading, at + 1) || isNoun(reading, at + 1)) return false;
  return before !== "in";
}

/** "(555) 123-4567" */
function isAreaCode(pieces: readonly Piece[], at: number): boolean {
  const [code, first, second] = pieces.slice(at, at + 3);
  if (code?.mark !== ")" || !/^\d{3}$/.test(code.raw) || !first) return false;
  return /^\d{3}-\d{4}$/.test(first.raw) || (/^\d{3}$/.test(first.raw) && /^\d{4}$/.test(second?.raw ?? ""));
}

/** A date, such as "on 5/8". "After 5/8 of it" has a fraction. */
const isDate = (pieces: readonly Piece[], at: number) =>
  /^\d{1,2}\/\d{1,2}$/.test(pieces[at]?.raw ?? "") &&
  isJoined(pieces, at - 1) &&
  /^(?:on|by|until|till|since|before|after)$/.test(pieces[at - 1]?.text ?? "") &&
  !(isJoined(pieces, at) && pieces[at + 1]?.text === "of");

function englishAt(pieces: readonly Piece[], at: number): Said | undefined {
  const [piece, next] = [pieces[at] as Piece, pieces[at + 1]];
  if (isDayOfMonth(pieces, at)) return { to: at + 1, text: ordinalWords(piece.raw) };
  if (isAreaCode(pieces, at)) return { to: at + 1, text: digitByDigit(piece.raw) };
  const isGroup = (index: number) =>
    isJoined(pieces, index) && GROUP.test(pieces[index]?.raw ?? "") && GROUP.test(pieces[index + 1]?.raw ?? "");
  if (isGroup(at) || isGroup(at - 1)) return { to: at + 1, text: digitByDigit(piece.raw) };
  const isSum = /^[$€£¥₹]/.test(piece.raw) || /^(?:%|k|m|c)/i.test(next?.raw ?? "");
  const both =
    next && isSum && BEHIND.test(next.raw) && isJoined(pieces, at) ? inWords(`${piece.raw} ${next.raw}`) : undefined;
  if (both !== undefined) return { to: at + 2, text: both };
  const text = isDate(pieces, at) ? inWords(piece.raw.replace("/", " ")) : inWords(piece.raw);
  return text === undefined ? undefined : { to: at + 1, text };
}

const capitalised = (text: string) => text.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
/** The rules know words without accents. */
const ACCENTED: Readonly<Record<string, string>> = { virgula: "vírgula" };

/** Whether the form of a number depends on the gender or the case of the noun behind it: "un an", "doscientas personas". */
function followsNoun(value: number, language: string): boolean {
  const [tens, ones] = [value % 100, value % 10];
  const isOne = ones === 1 && tens !== 11;
  if (language === "de") return tens === 1;
  if (language === "it") return value === 1;
  if (language === "fr") return isOne;
  if (language === "es") return isOne || value % 1000 >= 200;
  return language === "pt" && (isOne || (ones === 2 && tens !== 12) || value % 1000 >= 200);
}

/** "300 000": the groups of three digits that follow a piece. @returns one past the last */
function groupsEnd(pieces: readonly Piece[], at: number): number {
  const isBehindDigits = at > 0 && isJoined(pieces, at - 1) && /\d$/.test(pieces[at - 1]?.raw ?? "");
  if (isBehindDigits || !/^[1-9]\d{0,2}$/.test(pieces[at]?.raw ?? "")) return at + 1;
  let to = at + 1;
  while (isJoined(pieces, to - 1) && /^\d{3}(?:,\d+)?%?$/.test(pieces[to]?.raw ?? "")) to++;
  return to;
}

function europeanAt(pieces: readonly Piece[], at: number, language: string): Said | undefined {
  const [{ raw, mark }, next] = [pieces[at] as Piece, pieces[at + 1]];
  // A day or an ordinal: "am 3. Januar".
  if (language === "de" && mark === "." && next && /^\d{1,2}$/.test(raw)) return undefined;
  const to = groupsEnd(pieces, at);
  const grouped = pieces.slice(at, to).map((piece) => piece.raw);
  const noun = isJoined(pieces, to - 1) && /^\p{L}/u.test(pieces[to]?.raw ?? "");
  if (noun && followsNoun(Number(grouped.join("").replace(/[.\u00a0\u202f]/g, "")), language)) return { to };
  const text = europeanWords(grouped.join(""), language);
  if (text !== undefined) return { to, text };
  // A number too large for words; three digits each may be a telephone number.
  if (to > at + 2 && (noun || grouped.some(({ length }) => length < 3))) return { to };
  const own = to > at + 1 ? europeanWords(raw, language) : undefined;
  return own === undefined ? undefined : { to: at + 1, text: own };
}

/** Whole numbers, decimals and percentages; other forms of these languages stay as the recogniser writes them. */
function europeanWords(raw: string, language: string): string | undefined {
  const rules = RULES[language];
  if (!rules) return undefined;
  const [, given = "", decimals, sign] = /^(\d{1,3}(?:[.\u00a0\u202f]\d{3})+|\d+)(?:,(\d+))?(%)?$/.exec(raw) ?? [];
  const digits = given.replace(/\D/g, "");
  const isRow = digits.length > 1 && digits.startsWith("0");
  const one = (text: string) => spelledOut(Number(text), language);
  const isYear = digits.length === YEAR_DIGITS && digits === given && decimals === undefined;
  const whole =
    digits === "" ? undefined : isRow ? [...digits].map(one).join(" ") : spelledOut(Number(digits), language, isYear);
  if (whole === undefined) return undefined;
  const noun = (text = "") => (language === "de" ? capitalised(text) : (ACCENTED[text] ?? text));
  const behind = decimals === undefined ? "" : ` ${noun(rules.point[0])} ${[...decimals].map(one).join(" ")}`;
  return whole + behind + (sign === undefined ? "" : ` ${noun(rules.percent[0])}`);
}

/**
 * @param kept         phrases of the caller in small letters, which are never changed
 * @param isContinued  whether the utterance continues a sentence
 * @returns the same utterance where it has no digits, or in languages without rules
 */
export function withoutNumerals(utterance: Utterance, kept: readonly string[] = [], isContinued = false): Utterance {
  const { language } = utterance;
  if (!/\d/.test(utterance.text) || (language !== "en" && RULES[language] === undefined)) return utterance;
  const pieces = piecesOf(utterance.words.map(({ word }) => word));
  const phrases = phrasesByPart(kept);
  const edits: Edit[] = [];
  for (let at = 0; at < pieces.length; ) {
    const piece = pieces[at] as Piece;
    const said = language === "en" ? englishAt(pieces, at) : europeanAt(pieces, at, language);
    if (!said || !/\d/.test(piece.raw)) {
      at++;
      continue;
    }
    const { to, text } = said;
    if (text === undefined) {
      at = to;
      continue;
    }
    const before = utterance.words[piece.word - 1]?.word.trim();
    // "No. 7" and "well... 7" begin no sentence.
    const isEnded =
      before !== undefined && endsSentence(before, language) && isSentenceEnd(before, piece.raw, language);
    const isStart = before === undefined ? !isContinued : isEnded;
    const one = { from: at, to, text: isStart ? capitalised(text) : text, isSpoken: true };
    if (!changesKept(pieces, one, phrases)) edits.push(one);
    at = to;
  }
  if (edits.length === 0) return utterance;
  const words = edit(utterance.words, pieces, edits);
  return { ...utterance, words, text: words.map(({ word }) => word).join("") };
}
