// Numbers in words, for `numerals: false`: recognisers write some numbers in digits themselves.

import type { Utterance } from "../../../contract/transcript/transcript.ts";
import { mayEndSentence } from "../sentences.ts";
import { endsSentence } from "../writing.ts";
import { RULES } from "./european-rules.ts";
import { changesKept, phrasesByPart } from "./kept-phrases.ts";
import { type Edit, edit, isJoined, type Piece, piecesOf } from "./pieces.ts";
import { spelledOut } from "./spellings.ts";
import { englishAt, type Said } from "./spoken-english.ts";
import { sumWords } from "./spoken-sums.ts";

const YEAR_DIGITS = 4;
const HAS_NUMBER = /[\d½¼¾⅓⅔]/;

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
  const special =
    telephoneAt(pieces, at, language) ?? hoursAt(pieces, at, language) ?? negativeAt(pieces, at, language);
  if (special) return special;
  const sum = prefixedSumAt(pieces, at, language);
  if (sum) return sum;
  const to = groupsEnd(pieces, at);
  const grouped = pieces.slice(at, to).map((piece) => piece.raw);
  const signed = signedAt(pieces, to, grouped.join(""), language);
  if (signed) return signed;
  const noun = isJoined(pieces, to - 1) && /^\p{L}/u.test(pieces[to]?.raw ?? "");
  if (noun && followsNoun(Number(grouped.join("").replace(/[.\u00a0\u202f]/g, "")), language)) return { to };
  const text = europeanWords(grouped.join(""), language);
  if (text !== undefined) return { to, text };
  // A number too large for words; three digits each may be a telephone number.
  if (to > at + 2 && (noun || grouped.some(({ length }) => length < 3))) return { to };
  const own = to > at + 1 ? europeanWords(raw, language) : undefined;
  return own === undefined ? undefined : { to: at + 1, text: own };
}

/** "12 €", "12,50€", "3,5 %": a number with the sign behind it. A sum without words stays as it is. */
function signedAt(pieces: readonly Piece[], to: number, number: string, language: string): Said | undefined {
  const [, digits = "", glued] = /^(\d.*?)[\u00a0\u202f]?(%|€|R?\$)$/.exec(number) ?? [];
  const next = isJoined(pieces, to - 1) ? (pieces[to]?.raw ?? "") : "";
  const sign = glued ?? (/^(?:%|€|R?\$)$/.test(next) ? next : undefined);
  if (sign === undefined) return undefined;
  const [given, end] = glued === undefined ? [number, to + 1] : [digits, to];
  const text = sign === "%" ? europeanWords(`${given}%`, language) : sumWords(given, sign, language);
  return text === undefined ? { to: end } : { to: end, text };
}

/** "€ 12,50", "R$ 20": the sign stands before the number. */
function prefixedSumAt(pieces: readonly Piece[], at: number, language: string): Said | undefined {
  const raw = pieces[at]?.raw ?? "";
  const [, glued, own = ""] = /^(€|R?\$)(\d.*)$/.exec(raw) ?? [];
  // "R$ 2 milhões"
  const isScaled = (to: number) =>
    isJoined(pieces, to - 1) && /^mil|^bil|^mrd|^mio|^mld|^mln/i.test(pieces[to]?.raw ?? "");
  if (glued !== undefined) {
    const text = isScaled(at + 1) ? undefined : sumWords(own, glued, language);
    return text === undefined ? undefined : { to: at + 1, text };
  }
  if (!/^(?:€|R?\$)$/.test(raw) || !isJoined(pieces, at)) return undefined;
  const to = groupsEnd(pieces, at + 1);
  const number = pieces.slice(at + 1, to).map((piece) => piece.raw);
  const text = isScaled(to) ? undefined : sumWords(number.join(""), raw, language);
  return text === undefined ? undefined : { to, text };
}

/** What German and Dutch say before a telephone number from abroad, and between hours and minutes. */
const GERMANIC: Readonly<Record<string, string>> = { de: "Uhr", nl: "uur" };

const LEAST_TELEPHONE_DIGITS = 7;
/** "05 12 2020" */
const DATE = /^(?:0[1-9]|[12]\d|3[01]) (?:0[1-9]|1[0-2]) (?:19|20)\d\d$/;

/** "0176 12345", "+49 30 1234567": each digit of every group. */
function telephoneAt(pieces: readonly Piece[], at: number, language: string): Said | undefined {
  const raw = pieces[at]?.raw ?? "";
  if (GERMANIC[language] === undefined || !/^(?:0\d+|\+\d{1,3})$/.test(raw)) return undefined;
  let to = at + 1;
  while (isJoined(pieces, to - 1) && /^\d{2,}$/.test(pieces[to]?.raw ?? "")) to++;
  if (to === at + 1) return undefined;
  const groups = pieces.slice(at, to).map((piece) => piece.raw.replace("+", ""));
  const isTime = isJoined(pieces, to - 1) && pieces[to]?.raw === GERMANIC[language];
  if (groups.join("").length < LEAST_TELEPHONE_DIGITS || DATE.test(groups.join(" ")) || isTime) return undefined;
  const said = [...groups.join("")].map((digit) => spelledOut(Number(digit), language)).join(" ");
  return { to, text: raw.startsWith("+") ? `plus ${said}` : said };
}

/** "8:30 Uhr", "8.30 uur" */
function hoursAt(pieces: readonly Piece[], at: number, language: string): Said | undefined {
  const [, hours, minutes] = /^(\d{1,2})[:.]([0-5]\d)$/.exec(pieces[at]?.raw ?? "") ?? [];
  const word = GERMANIC[language];
  if (hours === undefined || !isJoined(pieces, at) || pieces[at + 1]?.raw !== word || Number(hours) > 24)
    return undefined;
  const hour = language === "de" && Number(hours) === 1 ? "ein" : spelledOut(Number(hours), language);
  const rest = Number(minutes) === 0 ? "" : ` ${spelledOut(Number(minutes), language)}`;
  return { to: at + 2, text: `${hour} ${word}${rest}` };
}

const MINUS: Readonly<Record<string, string>> = {
  de: "minus",
  fr: "moins",
  es: "menos",
  pt: "menos",
  it: "meno",
  nl: "min",
};

/** "-5 Grad" */
function negativeAt(pieces: readonly Piece[], at: number, language: string): Said | undefined {
  const [, number] = /^[-−](\d.*)$/.exec(pieces[at]?.raw ?? "") ?? [];
  const said = number === undefined ? undefined : europeanWords(number, language);
  const isBehindDigits = isJoined(pieces, at - 1) && /\d$/.test(pieces[at - 1]?.raw ?? "");
  if (said === undefined || isBehindDigits || followsNoun(Number.parseInt(number ?? "", 10), language))
    return undefined;
  return { to: at + 1, text: `${MINUS[language]} ${said}` };
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
  if (!HAS_NUMBER.test(utterance.text) || (language !== "en" && RULES[language] === undefined)) return utterance;
  const pieces = piecesOf(utterance.words.map(({ word }) => word));
  const phrases = phrasesByPart(kept);
  const edits: Edit[] = [];
  for (let at = 0; at < pieces.length; ) {
    const piece = pieces[at] as Piece;
    const said = language === "en" ? englishAt(pieces, at) : europeanAt(pieces, at, language);
    const isSum = said !== undefined && language !== "en" && /^(?:€|R?\$)$/.test(piece.raw);
    if (!said || !(isSum || HAS_NUMBER.test(piece.raw))) {
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
      before !== undefined && endsSentence(before, language) && mayEndSentence(before, piece.raw, language);
    const isStart = before === undefined ? !isContinued : isEnded;
    const one = { from: at, to, text: isStart ? capitalised(text) : text, isSpoken: true };
    if (!changesKept(pieces, one, phrases)) edits.push(one);
    at = to;
  }
  if (edits.length === 0) return utterance;
  const words = edit(utterance.words, pieces, edits);
  return { ...utterance, words, text: words.map(({ word }) => word).join("") };
}
