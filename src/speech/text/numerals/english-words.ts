// English numbers as they are said: for `numerals: false`, where the recogniser itself wrote digits, and for times that are none.
import { cardinalWords } from "./english-numbers.ts";
import { digitByDigit, fourDigits, numberWords, ordinalWords, pair, sixty } from "./spoken-amounts.ts";
import { fractionOf, measureWords } from "./written-units.ts";

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
  const said = numberWords(isCents ? wholes || "0" : given, true);
  if (said === undefined) return undefined;
  const name = (given === "1" && scale === undefined) || (isCents && wholes === "1") ? one : many;
  if (!isCents || parts === "00") return `${said}${scale ?? ""} ${name}`;
  const small = `${cardinalWords(Number(parts))} ${Number(parts) === 1 ? cent : cents}`;
  return Number(wholes) === 0 ? small : `${said} ${name} and ${small}`;
}

function timeWords(hours: string, minutes: string): string {
  const rest = Number(minutes);
  const isOnClock = Number(hours) >= 1 && Number(hours) <= 12;
  return rest === 0
    ? `${cardinalWords(Number(hours))} ${isOnClock ? "o'clock" : "hundred"}`
    : `${cardinalWords(Number(hours))} ${pair(rest)}`;
}

function decadeWords(digits: string): string | undefined {
  const words = numberWords(digits);
  if (words === undefined || !digits.endsWith("0")) return undefined;
  return words.endsWith("y") ? `${words.slice(0, -1)}ies` : `${words}s`;
}

const MOST_PART_DIGITS = 2;

/** "1914-18", "2020/21", "1999/2000". "2005-03" is a month. */
function yearsWords(text: string): string | undefined {
  const [, first = "", mark, last = ""] = /^((?:1\d|20)\d\d)([/-])(\d\d|(?:1\d|20)\d\d)$/.exec(text) ?? [];
  if (first === "" || Number(last) <= Number(first.slice(-last.length))) return undefined;
  const end = last.length === 2 ? pair(Number(last)) : fourDigits(last);
  return `${fourDigits(first)}${mark === "-" ? " to" : ""} ${end}`;
}

/** Numbers with strokes or hyphens between: telephone and card numbers digit by digit, others one after another. */
function partsWords(text: string): string {
  const said = fractionOf(text) ?? yearsWords(text);
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

const ABROAD: Readonly<Record<string, string>> = {
  us: "US",
  c: "Canadian",
  ca: "Canadian",
  a: "Australian",
  au: "Australian",
  nz: "New Zealand",
  hk: "Hong Kong",
  s: "Singapore",
  sg: "Singapore",
};

/** "$2.5M", "US$5", "5€". */
function otherSum(text: string): string | undefined {
  const [, abroad = "", sign = "", given = "", letters = ""] =
    /^(US|CA|AU|NZ|HK|SG|C|A|S)?([$€£¥₹])([\d.,]+)(k|m|bn?)?$/i.exec(text) ?? [];
  if (given !== "") {
    const scale = letters === "" ? "" : ` ${SCALE_LETTERS[letters.toLowerCase()]}`;
    const sum = sumWords(`${sign}${given}${scale}`);
    return abroad === "" ? sum : sum?.replace(/ (dollars?)/, ` ${ABROAD[abroad.toLowerCase()]} $1`);
  }
  const [, before = "", behind = ""] = /^([\d.,]+)([$€£¥₹])$/.exec(text) ?? [];
  return before === "" ? undefined : sumWords(behind + before);
}

/** "12/25/2020", "2020-05-01": one part after another. */
function dateWords(text: string): string | undefined {
  if (!/^\d{1,2}([/-])\d{1,2}\1(?:\d{2}|\d{4})$|^\d{4}-\d{1,2}-\d{1,2}$/.test(text)) return undefined;
  const said = text
    .split(/[/-]/)
    .map((part) =>
      part.length === 2 && part.startsWith("0") ? `oh ${digitByDigit(part.slice(1))}` : numberWords(part),
    );
  return said.join(" ");
}

/** "10:30-11:00", "10-15%", "$5-10", "2019-2021". */
function rangeWords(text: string): string | undefined {
  const [, left = "", right = ""] = /^([$€£¥₹]?\d[^-]*)-([$€£¥₹]?\d[^-]*)$/.exec(text) ?? [];
  if (left === "") return undefined;
  const isPlain = /^\d+$/.test(left) && /^\d+$/.test(right);
  if (isPlain && !(isYear(left) && isYear(right) && Number(left) < Number(right))) return undefined;
  // "$3-$4 million"
  const [hasScaleRight, hasScaleLeft] = [right, left].map((end) => /illion$|thousand$/.test(end));
  const isShared = left[0] === right[0] && CURRENCIES[left[0] ?? ""] !== undefined && hasScaleRight && !hasScaleLeft;
  const sign = CURRENCIES[left[0] ?? ""] && !CURRENCIES[right[0] ?? ""] ? left[0] : "";
  const from = inWords(sign === "" && !isShared ? left : left.slice(1));
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
  const [, least = "", most = ""] = /^([\d.,]+)-to-([\d.,]+)$/i.exec(text) ?? [];
  if (least !== "") return `${numberWords(least)}-to-${numberWords(most)}`;
  const [, count = "", noun = ""] =
    /^([\d.,]+(?:st|nd|rd|th)?|(?:\d\d)?\d0s|\d+\/\d+|[½¼¾⅓⅔])((?:-\p{L}+)+)$/iu.exec(text) ?? [];
  if (count === "") return undefined;
  const said = inWords(count);
  return said && (/[/½¼¾⅓⅔]/.test(count) ? said.replaceAll(" ", "-") : said) + noun;
}

/** "$5/month", "20/day" */
function perWords(text: string): string | undefined {
  const [, count = "", unit = ""] =
    /^([^/]*\d)\/(month|year|day|week|hour|minute|second|night|person|mo|yr|hr|min)$/.exec(text) ?? [];
  const said = count === "" ? undefined : inWords(count);
  const names: Readonly<Record<string, string>> = { mo: "month", yr: "year", hr: "hour", min: "minute" };
  return said && `${said} per ${names[unit] ?? unit}`;
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
  const [, first, middle, last] = /^(\d{1,2}):([0-5]\d):([0-5]\d)$/.exec(text) ?? [];
  if (first !== undefined) return [first, middle, last].map(sixty).join(" ");
  const joined = perWords(text) ?? dateWords(text) ?? rangeWords(text) ?? compoundWords(text) ?? dottedWords(text);
  if (joined !== undefined) return joined;
  const fraction = fractionOf(text);
  if (fraction !== undefined) return fraction;
  if (/^\d+(?:[/ -]\d+)+$/.test(text)) return partsWords(text);
  return numberWords(text) ?? sumWords(text) ?? otherSum(text) ?? measureWords(text);
}
