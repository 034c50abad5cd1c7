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
  const name = (given === "1" && scale === undefined) || (isCents && wholes === "1") ? one : many;
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
  "1/3": "one third",
  "2/3": "two thirds",
};
const MOST_PART_DIGITS = 2;

/** "7/8", "3/16": other numbers with a stroke are no fractions ("9/11", "24/7", "8/10" as a rating). */
function fractionWords(text: string): string | undefined {
  const [, top = "", bottom = ""] = /^(\d{1,2})\/(5|6|8|16|32|64)$/.exec(text) ?? [];
  // "in 6/8 time"
  if (top === "" || text === "6/8" || Number(top) === 0 || Number(top) >= Number(bottom)) return undefined;
  return `${cardinalWords(Number(top))} ${ordinalWords(bottom)}${Number(top) === 1 ? "" : "s"}`;
}

/** "1914-18", "2020/21", "1999/2000". "2005-03" is a month. */
function yearsWords(text: string): string | undefined {
  const [, first = "", mark, last = ""] = /^((?:1\d|20)\d\d)([/-])(\d\d|(?:1\d|20)\d\d)$/.exec(text) ?? [];
  if (first === "" || Number(last) <= Number(first.slice(-last.length))) return undefined;
  const end = last.length === 2 ? pair(Number(last)) : fourDigits(last);
  return `${fourDigits(first)}${mark === "-" ? " to" : ""} ${end}`;
}

/** Numbers with strokes or hyphens between: telephone and card numbers digit by digit, others one after another. */
function partsWords(text: string): string {
  const said = FRACTIONS[text] ?? fractionWords(text) ?? yearsWords(text);
  if (said !== undefined) return said;
  const parts = text.split(/[/ -]/);
  // "140/90".
  if (/^\d{1,3}\/\d{1,3}$/.test(text) && parts.some(({ length }) => length > MOST_PART_DIGITS))
    return parts.map((part) => numberWords(part)).join(" over ");
  const isRange = parts.length === 2 && text.includes("-") && Number(parts[0]) < Number(parts[1]);
  // "100-200"; "555-123" is a part of a telephone number.
  const isRound = isRange && parts.every((part) => /^[1-9]\d0$/.test(part));
  if (!isRound && parts.some(({ length }) => length > MOST_PART_DIGITS)) return digitByDigit(parts.join(""));
  return parts.map((part) => numberWords(part)).join(isRange ? " to " : " ");
}

const SCALE_LETTERS: Readonly<Record<string, string>> = { k: "thousand", m: "million", b: "billion", bn: "billion" };
const isYear = (text: string) => /^(?:1\d|20)\d\d$/.test(text);

/** "$2.5M", "US$5", "5€". */
function otherSum(text: string): string | undefined {
  const [, abroad = "", sign = "", given = "", letters = ""] =
    /^(US|CA|AU|NZ|C|A)?([$€£¥₹])([\d.,]+)(k|m|bn?)?$/i.exec(text) ?? [];
  if (given !== "") {
    const scale = letters === "" ? "" : ` ${SCALE_LETTERS[letters.toLowerCase()]}`;
    const sum = sumWords(`${sign}${given}${scale}`);
    return abroad === "" ? sum : sum?.replace(/ (dollars?)/, ` ${abroad} $1`);
  }
  const [, before = "", behind = ""] = /^([\d.,]+)([€£¥₹])$/.exec(text) ?? [];
  return before === "" ? undefined : sumWords(behind + before);
}

/** "12/25/2020", "2020-05-01": one part after another. */
function dateWords(text: string): string | undefined {
  if (!/^\d{1,2}([/-])\d{1,2}\1(?:\d{2}|\d{4})$|^\d{4}-\d{1,2}-\d{1,2}$/.test(text)) return undefined;
  const said = text
    .split(/[/-]/)
    .map((part) => (part.length === 2 && part.startsWith("0") ? `oh ${DIGITS[Number(part)]}` : numberWords(part)));
  return said.join(" ");
}

/** "10:30-11:00", "10-15%", "$5-10", "2019-2021". */
function rangeWords(text: string): string | undefined {
  const [, left = "", right = ""] = /^([$€£¥₹]?\d[^-]*)-([$€£¥₹]?\d[^-]*)$/.exec(text) ?? [];
  if (left === "") return undefined;
  const isPlain = /^\d+$/.test(left) && /^\d+$/.test(right);
  if (isPlain && !(isYear(left) && isYear(right) && Number(left) < Number(right))) return undefined;
  const sign = CURRENCIES[left[0] ?? ""] && !CURRENCIES[right[0] ?? ""] ? left[0] : "";
  const from = inWords(sign === "" ? left : left.slice(1));
  const to = inWords(`${sign}${right}`);
  return from === undefined || to === undefined ? undefined : `${from} to ${to}`;
}

/** "mid-1990s", "21st-century", "13.5-inch". */
function compoundWords(text: string): string | undefined {
  const [, prefix = "", number = ""] = /^(mid-|pre-|post-|early-|late-|non-)(\d.*)$/i.exec(text) ?? [];
  if (number !== "") {
    const said = inWords(number);
    return said && prefix + said;
  }
  const [, count = "", noun = ""] = /^([\d.,]+(?:st|nd|rd|th)?)((?:-\p{L}+)+)$/iu.exec(text) ?? [];
  if (count === "") return undefined;
  const said = inWords(count);
  return said && said + noun;
}

/** "192.168.1.1", "2.1.3"; a telephone number digit by digit. */
function dottedWords(text: string): string | undefined {
  if (!/^\d+(?:\.\d+){2,}$/.test(text)) return undefined;
  const parts = text.split(".");
  const isNumber = parts.length === 3 && parts.every(({ length }) => length > MOST_PART_DIGITS);
  return parts
    .map((part) => (part.length > MOST_PART_DIGITS ? digitByDigit(part) : numberWords(part)))
    .join(isNumber ? " " : " point ");
}

/**
 * @param given  a word as a recogniser writes it, without the marks around it
 * @returns undefined if it is no number; letters and digits in one word ("4K", "B2B") are a name
 */
export function inWords(given: string): string | undefined {
  const text = given.replace(/[–—]/g, "-");
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
  const joined = dateWords(text) ?? rangeWords(text) ?? compoundWords(text) ?? dottedWords(text);
  if (joined !== undefined) return joined;
  if (/^\d+(?:[/ -]\d+)+$/.test(text)) return partsWords(text);
  return numberWords(text) ?? sumWords(text) ?? otherSum(text) ?? measureWords(text);
}
