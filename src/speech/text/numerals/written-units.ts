// Units and fractions as recognisers write them, in English words.
import { cardinalWords } from "./english-numbers.ts";
import { numberWords, ordinalWords } from "./spoken-amounts.ts";

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
/** Signs of which the letter case counts: "5G" is a name. */
const EXACT_UNITS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  kB: ["kilobyte", "kilobytes"],
  KB: ["kilobyte", "kilobytes"],
  MB: ["megabyte", "megabytes"],
  GB: ["gigabyte", "gigabytes"],
  TB: ["terabyte", "terabytes"],
  Hz: ["hertz", "hertz"],
  kHz: ["kilohertz", "kilohertz"],
  MHz: ["megahertz", "megahertz"],
  GHz: ["gigahertz", "gigahertz"],
  W: ["watt", "watts"],
  kW: ["kilowatt", "kilowatts"],
  m: ["meter", "meters"],
  g: ["gram", "grams"],
  ft: ["foot", "feet"],
  yd: ["yard", "yards"],
  lb: ["pound", "pounds"],
  lbs: ["pound", "pounds"],
  oz: ["ounce", "ounces"],
  hr: ["hour", "hours"],
  hrs: ["hour", "hours"],
  min: ["minute", "minutes"],
  mins: ["minute", "minutes"],
  sec: ["second", "seconds"],
  secs: ["second", "seconds"],
  "¢": ["cent", "cents"],
};
const EXACT_UNIT_BEHIND = /^([\d.,]*\d)(\p{L}{1,4}|¢)$/u;
const UNIT_BEHIND = /^([\d.,]+) ?(%|km\/h|km|mph|kg|mg|ml|cm|mm|°[cf]?)$/i;

/** @param isAdjective  "a sixteen gigabyte card" */
export function measureWords(text: string, isAdjective = false): string | undefined {
  const [, exact = "", sign = ""] = EXACT_UNIT_BEHIND.exec(text) ?? [];
  const names = Object.hasOwn(EXACT_UNITS, sign) ? EXACT_UNITS[sign] : undefined;
  const [, given = exact, unit = ""] = names ? [] : (UNIT_BEHIND.exec(text) ?? []);
  const [one, many] = names ?? UNITS[unit.toLowerCase()] ?? [];
  const said = one === undefined ? undefined : numberWords(given);
  return said === undefined ? undefined : `${said} ${given === "1" || isAdjective ? one : many}`;
}

const FRACTIONS: Readonly<Record<string, string>> = {
  "1/2": "one half",
  "1/4": "one quarter",
  "3/4": "three quarters",
  "1/3": "one third",
  "2/3": "two thirds",
};

/** "7/8", "3/16": other numbers with a stroke are no fractions ("9/11", "24/7", "8/10" as a rating). */
function fractionWords(text: string): string | undefined {
  const [, top = "", bottom = ""] = /^(\d{1,2})\/(5|6|8|16|32|64)$/.exec(text) ?? [];
  // "in 6/8 time"
  if (top === "" || text === "6/8" || Number(top) === 0 || Number(top) >= Number(bottom)) return undefined;
  return `${cardinalWords(Number(top))} ${ordinalWords(bottom)}${Number(top) === 1 ? "" : "s"}`;
}

const SIGNS: Readonly<Record<string, string>> = { "½": "1/2", "¼": "1/4", "¾": "3/4", "⅓": "1/3", "⅔": "2/3" };

/** Of mixed numbers: "two and a half". */
export const asRest = (fraction: string) => fraction.replace(/^one (?=half|quarter|third)/, "a ");

/** "3/4", "7/8", "½", "2½" */
export function fractionOf(text: string): string | undefined {
  const [, count = "", sign = ""] = /^(\d*)([½¼¾⅓⅔])$/.exec(text) ?? [];
  const said = FRACTIONS[SIGNS[sign] ?? text] ?? fractionWords(text);
  return said === undefined || count === "" ? said : `${numberWords(count)} and ${asRest(said)}`;
}
