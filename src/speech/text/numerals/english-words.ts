// English numbers as they are said: for `numerals: false`, where the recogniser itself wrote digits, and for times that are none.
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
function amount(digits: string): string {
  const groups: string[] = [];
  for (let end = digits.length; end > 0; end -= 3) groups.push(digits.slice(Math.max(0, end - 3), end));
  const said = groups
    .map((group, at) => (Number(group) === 0 ? "" : `${belowThousand(Number(group))} ${SCALES[at]}`.trim()))
    .filter((text) => text !== "")
    .reverse();
  return said.length === 0 ? "zero" : said.join(" ");
}

const pair = (rest: number) => (rest < 10 ? `oh ${cardinalWords(rest)}` : cardinalWords(rest));

/** Four digits without a comma: a year, or a number that is said like one ("twelve thirty-four"). */
function fourDigits(digits: string): string {
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
function numberWords(text: string): string | undefined {
  const [, given = "", decimals] = AMOUNT.exec(text) ?? [];
  if (given === "") return undefined;
  const digits = given.replaceAll(",", "");
  if (digits.length > MOST_AMOUNT_DIGITS) return digitByDigit(digits);
  const said = whole(digits, given.includes(","));
  return decimals === undefined ? said : `${digits === "0" ? "zero" : amount(digits)} point ${digitByDigit(decimals)}`;
}

const CURRENCIES: Readonly<Record<string, readonly [one: string, many: string, cent: string, cents: string]>> = {
  $: ["dollar", "dollars", "cent", "cents"],
  "€": ["euro", "euros", "cent", "cents"],
  "£": ["pound", "pounds", "penny", "pence"],
  "¥": ["yen", "yen", "sen", "sen"],
  "₹": ["rupee", "rupees", "paisa", "paise"],
};

/** "$5.50", "€2 million". */
function sumWords(text: string): string | undefined {
  const [, sign = "", given = "", scale] =
    /^([$€£¥₹])([\d.,]+)( (?:thousand|million|billion|trillion))?$/.exec(text) ?? [];
  const names = CURRENCIES[sign];
  if (!names) return undefined;
  const [one, many, cent, cents] = names;
  const [wholes = "", parts] = given.split(".");
  const isCents = parts?.length === 2 && scale === undefined;
  const said = numberWords(isCents ? wholes : given);
  if (said === undefined) return undefined;
  const name = given === "1" || (isCents && wholes === "1") ? one : many;
  if (!isCents || parts === "00") return `${said}${scale ?? ""} ${name}`;
  const small = `${cardinalWords(Number(parts))} ${Number(parts) === 1 ? cent : cents}`;
  return Number(wholes) === 0 ? small : `${said} ${name} and ${small}`;
}

/** @param digits  of a number, without marks */
export function ordinalWords(digits: string): string {
  const words = amount(digits).split(/(?<=[ -])/);
  const last = words.pop() ?? "";
  return words.join("") + ordinalOf(last);
}

function timeWords(hours: string, minutes: string): string {
  const rest = Number(minutes);
  return rest === 0 ? `${cardinalWords(Number(hours))} o'clock` : `${cardinalWords(Number(hours))} ${pair(rest)}`;
}

const UNITS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  "%": ["percent", "percent"],
  km: ["kilometer", "kilometers"],
  "km/h": ["kilometer per hour", "kilometers per hour"],
  mph: ["mile per hour", "miles per hour"],
  kg: ["kilogram", "kilograms"],
  mg: ["milligram", "milligrams"],
  ml: ["milliliter", "milliliters"],
  cm: ["centimeter", "centimeters"],
  mm: ["millimeter", "millimeters"],
  "°c": ["degree Celsius", "degrees Celsius"],
  "°f": ["degree Fahrenheit", "degrees Fahrenheit"],
  "°": ["degree", "degrees"],
};
const UNIT_BEHIND = /^([\d.,]+) ?(%|km\/h|km|mph|kg|mg|ml|cm|mm|°[cf]?)$/i;

function measureWords(text: string): string | undefined {
  const [, given = "", unit = ""] = UNIT_BEHIND.exec(text) ?? [];
  const [one, many] = UNITS[unit.toLowerCase()] ?? [];
  const said = numberWords(given);
  return said === undefined ? undefined : `${said} ${given === "1" ? one : many}`;
}

function decadeWords(digits: string): string | undefined {
  const words = numberWords(digits);
  if (words === undefined || !digits.endsWith("0")) return undefined;
  return words.endsWith("y") ? `${words.slice(0, -1)}ies` : `${words}s`;
}

const FRACTIONS: Readonly<Record<string, string>> = {
  "1/2": "one half",
  "1/4": "one quarter",
  "3/4": "three quarters",
};
const MOST_PART_DIGITS = 2;

/** Numbers with strokes or hyphens between: telephone and card numbers digit by digit, others one after another. */
function partsWords(text: string): string {
  const parts = text.split(/[/ -]/);
  // "140/90".
  if (/^\d{1,3}\/\d{1,3}$/.test(text) && parts.some(({ length }) => length > MOST_PART_DIGITS))
    return parts.map((part) => numberWords(part)).join(" over ");
  if (parts.some(({ length }) => length > MOST_PART_DIGITS)) return digitByDigit(parts.join(""));
  const isRange = parts.length === 2 && text.includes("-") && Number(parts[0]) < Number(parts[1]);
  return FRACTIONS[text] ?? parts.map((part) => numberWords(part)).join(isRange ? " to " : " ");
}

/**
 * @param text  a word as a recogniser writes it, without the marks around it
 * @returns undefined if it is no number; letters and digits in one word ("4K", "B2B") are a name
 */
export function inWords(text: string): string | undefined {
  const signed = /^([-−+#])(?=\d)(.*)$/s.exec(text);
  if (signed) {
    const said = inWords(signed[2] ?? "");
    return said && `${signed[1] === "+" ? "plus" : signed[1] === "#" ? "number" : "minus"} ${said}`;
  }
  const [, hours, minutes, half] = /^(\d{1,2}):(\d{2})([ap]m)?$/i.exec(text) ?? [];
  if (hours !== undefined && minutes !== undefined) {
    // "6:00pm" is said without "o'clock".
    const time = timeWords(hours, minutes);
    return half === undefined ? time : `${time.replace(" o'clock", "")} ${half.toLowerCase()}`;
  }
  const [, hour, part] = /^(\d{1,2})([ap]m)$/i.exec(text) ?? [];
  if (hour !== undefined) return `${numberWords(hour)} ${part?.toLowerCase()}`;
  const [, width, height] = /^(\d+):(\d+)$/.exec(text) ?? [];
  if (width !== undefined && height !== undefined) return `${numberWords(width)} to ${numberWords(height)}`;
  const [, ordinal] = /^([\d,]+)(?:st|nd|rd|th)$/i.exec(text) ?? [];
  if (ordinal !== undefined) return ordinalWords(ordinal.replaceAll(",", ""));
  const [, decade] = /^(\d{2}|\d{4})'?s$/.exec(text) ?? [];
  if (decade !== undefined) return decadeWords(decade);
  if (/^\d+(?:[/ -]\d+)+$/.test(text)) return partsWords(text);
  const [, count, noun] = /^(\d+)((?:-\p{L}+)+)$/u.exec(text) ?? [];
  if (count !== undefined) return `${numberWords(count)}${noun}`;
  return numberWords(text) ?? sumWords(text) ?? measureWords(text);
}
