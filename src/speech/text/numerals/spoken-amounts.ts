// Amounts, rows of digits and ordinals in English words.
import { cardinalWords, ordinalOf } from "./english-numbers.ts";

const SCALES = ["", "thousand", "million", "billion", "trillion"];
/** Longer rows of digits are numbers of things, not amounts. */
const MOST_AMOUNT_DIGITS = 15;
const ROW_DIGITS = 5;

const DIGITS = "zero one two three four five six seven eight nine".split(" ");
export const digitByDigit = (digits: string) => [...digits].map((digit) => DIGITS[Number(digit)]).join(" ");

function belowThousand(value: number): string {
  if (value < 100) return cardinalWords(value);
  const rest = value % 100;
  return `${cardinalWords(Math.floor(value / 100))} hundred${rest === 0 ? "" : ` ${cardinalWords(rest)}`}`;
}

/** @param digits  at most fifteen, without marks */
export function amount(digits: string): string {
  const groups: string[] = [];
  for (let end = digits.length; end > 0; end -= 3) groups.push(digits.slice(Math.max(0, end - 3), end));
  const said = groups
    .map((group, at) => (Number(group) === 0 ? "" : `${belowThousand(Number(group))} ${SCALES[at]}`.trim()))
    .filter((text) => text !== "")
    .reverse();
  return said.length === 0 ? "zero" : said.join(" ");
}

export const pair = (rest: number) => (rest < 10 ? `oh ${cardinalWords(rest)}` : cardinalWords(rest));

/** Four digits without a comma: a year, or a number that is said like one ("twelve thirty-four"). */
export function fourDigits(digits: string): string {
  const [first, rest] = [Number(digits.slice(0, 2)), Number(digits.slice(2))];
  if (first % 10 === 0 && rest < 10) return amount(digits);
  return rest === 0 ? `${cardinalWords(first)} hundred` : `${cardinalWords(first)} ${pair(rest)}`;
}

function whole(digits: string, isGrouped: boolean): string {
  if (isGrouped) return amount(digits);
  if (digits.length > 1 && digits.startsWith("0")) return digitByDigit(digits);
  if (digits.length === 4) return fourDigits(digits);
  return digits.length < ROW_DIGITS || /000$/.test(digits) ? amount(digits) : digitByDigit(digits);
}

const NUMBER = String.raw`\d{1,3}(?:,\d{3})+|\d+`;
const AMOUNT = new RegExp(`^(${NUMBER})(?:\\.(\\d+))?$`);

/** "14,738", "3.5". */
export function numberWords(text: string, isAmount = false): string | undefined {
  const [, onlyDecimals] = /^\.(\d+)$/.exec(text) ?? [];
  if (onlyDecimals !== undefined) return `point ${digitByDigit(onlyDecimals)}`;
  const [, given = "", decimals] = AMOUNT.exec(text) ?? [];
  if (given === "") return undefined;
  const digits = given.replaceAll(",", "");
  if (digits.length > MOST_AMOUNT_DIGITS) return digitByDigit(digits);
  const said = whole(digits, given.includes(",") || (isAmount && digits.length >= ROW_DIGITS));
  return decimals === undefined ? said : `${digits === "0" ? "zero" : amount(digits)} point ${digitByDigit(decimals)}`;
}

/** @param digits  of a number, without marks */
export function ordinalWords(digits: string): string {
  const words = amount(digits).split(/(?<=[ -])/);
  const last = words.pop() ?? "";
  return words.join("") + ordinalOf(last);
}

/** Hours, minutes or seconds of "1:02:03". */
export const sixty = (digits = "") =>
  digits === "00" ? "zero zero" : digits.startsWith("0") ? pair(Number(digits)) : numberWords(digits);
