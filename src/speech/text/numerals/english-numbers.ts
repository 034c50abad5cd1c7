// English numbers as words say them: whole numbers, decimals, ordinals, years and rows of digits.

const ONES = "zero one two three four five six seven eight nine".split(" ");
const TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(" ");
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const MAGNITUDES = new Map([
  ["thousand", 1e3],
  ["million", 1e6],
  ["billion", 1e9],
  ["trillion", 1e12],
]);
const IRREGULAR_ORDINALS: Readonly<Record<string, string>> = {
  one: "first",
  two: "second",
  three: "third",
  five: "fifth",
  eight: "eighth",
  nine: "ninth",
  twelve: "twelfth",
};

export const ordinalOf = (cardinal: string) =>
  IRREGULAR_ORDINALS[cardinal] ?? (cardinal.endsWith("y") ? `${cardinal.slice(0, -1)}ieth` : `${cardinal}th`);

/** @param value  below a hundred */
export function cardinalWords(value: number): string {
  if (value < 20) return ONES[value] ?? TEENS[value - 10] ?? "";
  const [tens, ones] = [TENS[Math.floor(value / 10) - 2], value % 10];
  return ones === 0 ? (tens ?? "") : `${tens}-${ONES[ones]}`;
}

const CARDINALS = new Map<string, number>([
  ...ONES.map((name, value): [string, number] => [name, value]),
  ...TEENS.map((name, at): [string, number] => [name, 10 + at]),
  ...TENS.map((name, at): [string, number] => [name, 20 + 10 * at]),
  ["fourty", 40],
]);
/** Cardinals of ordinals: "fifth" is the ordinal of "five". */
const ORDINALS = new Map<string, string>(
  [...CARDINALS.keys(), "hundred", ...MAGNITUDES.keys()]
    .filter((name) => name !== "zero" && name !== "fourty")
    .map((name) => [ordinalOf(name), name]),
);
const DECADES = new Map([
  ["tens", 10],
  ...TENS.flatMap((name, at): [string, number][] => [
    [`${name.slice(0, -1)}ies`, 20 + 10 * at],
    [`${name}'s`, 20 + 10 * at],
  ]),
]);
const DIGITS = /^(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?$/;
/** Longer rows of digits are numbers of things, not amounts. */
const MOST_AMOUNT_DIGITS = 15;

export const isCardinalWord = (word: string) => CARDINALS.has(word);
export const isMagnitude = (word: string) => MAGNITUDES.has(word);
export const isDigits = (word: string) => DIGITS.test(word);
export const isOrdinalWord = (word: string) => ORDINALS.has(word);
export const isDecade = (word: string) => DECADES.has(word) || word === "hundreds";
/** Whether this word may continue a number. */
export const isNumberWord = (word: string) =>
  CARDINALS.has(word) || MAGNITUDES.has(word) || word === "hundred" || DIGITS.test(word);

export interface Amount {
  value: number;
  /** "2.5 million" stays in words from a million on. */
  text: string;
  /** Of one word below ten. */
  isSmall: boolean;
}

const SUFFIXES = ["th", "st", "nd", "rd"];

export function ordinalText(value: number): string {
  const [tens, ones] = [Math.floor(value / 10) % 10, value % 10];
  return grouped(value) + (tens === 1 ? "th" : (SUFFIXES[ones] ?? "th"));
}

function grouped(value: number): string {
  const [whole = "", rest] = String(value).split(".");
  return whole.replace(/\B(?=(\d{3})+$)/g, ",") + (rest === undefined ? "" : `.${rest}`);
}

const digitsValue = (word: string) => Number(word.replaceAll(",", ""));

/** A number below a hundred, all words used. */
function belowHundred(words: readonly string[]): number | undefined {
  const [first = "", second, ...more] = words;
  if (more.length > 0) return undefined;
  const value = CARDINALS.get(first) ?? (/^\d{1,2}$/.test(first) ? Number(first) : undefined);
  if (value === undefined || second === undefined) return value;
  const ones = CARDINALS.get(second);
  const hasRoom = value >= 20 && value % 10 === 0 && !/\d/.test(first);
  return hasRoom && ones !== undefined && ones > 0 && ones < 10 ? value + ones : undefined;
}

/** A number below a thousand, or one of hundreds as far as "nineteen hundred and ninety nine". */
function hundreds(words: readonly string[]): number | undefined {
  const at = words.indexOf("hundred");
  if (at < 0) {
    const [only, ...more] = words;
    if (more.length === 0 && only !== undefined && /^\d{1,3}$/.test(only)) return Number(only);
    return belowHundred(words);
  }
  const first = at === 0 ? undefined : belowHundred(words.slice(0, at));
  if (first === undefined || first === 0 || first === 10 || first >= 20) return undefined;
  const rest = words.slice(at + 1 + (words[at + 1] === "and" ? 1 : 0));
  if (rest.length === 0) return words[at + 1] === "and" ? undefined : first * 100;
  const value = belowHundred(rest);
  return value === undefined || value === 0 ? undefined : first * 100 + value;
}

/** A whole number of any size, all words used. */
export function wholeNumber(words: readonly string[]): number | undefined {
  const [only] = words;
  if (words.length === 1 && only !== undefined && DIGITS.test(only) && !only.includes(".")) return digitsValue(only);
  let [value, smallest] = [0, Number.POSITIVE_INFINITY];
  let group: string[] = [];
  for (const [at, word] of words.entries()) {
    const magnitude = MAGNITUDES.get(word);
    if (magnitude === undefined) {
      group.push(word);
      continue;
    }
    const size = hundreds(group);
    if (size === undefined || size === 0 || magnitude >= smallest) return undefined;
    value += size * magnitude;
    smallest = magnitude;
    group = [];
    if (words[at + 1] === "and" && at + 2 === words.length) return undefined;
  }
  if (smallest === Number.POSITIVE_INFINITY) return hundreds(group);
  if (group.length === 0) return value;
  const rest = hundreds(group[0] === "and" ? group.slice(1) : group);
  return rest === undefined || rest === 0 || rest >= smallest ? undefined : value + rest;
}

/** Behind "point", each digit is said by itself; "three point fourteen" is said, too. */
function decimals(words: readonly string[]): string | undefined {
  const row = digitRow(words);
  if (row !== undefined) return row;
  const value = belowHundred(words);
  return value === undefined || value < 10 ? undefined : String(value);
}

/** "one oh one" as 101, "two twenty" as 220. */
function pairedHundreds(words: readonly string[]): number | undefined {
  const [first = 0, rest = 0] = pairOf(words) ?? [];
  return first > 0 && first < 10 ? first * 100 + rest : undefined;
}

function decimalNumber(words: readonly string[]): string | undefined {
  const at = words.indexOf("point");
  if (at < 0) return undefined;
  const head = words.slice(0, at);
  const whole = words[0] === "oh" && at === 1 ? 0 : (wholeNumber(head) ?? pairedHundreds(head));
  const rest = decimals(words.slice(at + 1));
  return whole === undefined || rest === undefined ? undefined : `${grouped(whole)}.${rest}`;
}

/** A whole number or decimal, with its magnitude in words from a million on. */
export function amountOf(words: readonly string[]): Amount | undefined {
  const last = words.at(-1) ?? "";
  const magnitude = MAGNITUDES.get(last);
  const head = words.slice(0, -1);
  if (magnitude !== undefined && head.length > 0) {
    const plain = decimalNumber(head) ?? (head.length === 1 && DIGITS.test(head[0] ?? "") ? head[0] : undefined);
    const whole = hundreds(head);
    const size = plain ?? (whole === undefined || whole === 0 ? undefined : grouped(whole));
    if (size !== undefined && (magnitude >= 1e6 || size.includes("."))) {
      // Without the error of the product: 2.01 thousand are 2,010.
      const value = Number((digitsValue(size) * magnitude).toPrecision(MOST_AMOUNT_DIGITS));
      return { value, text: magnitude < 1e6 ? grouped(value) : `${size} ${last}`, isSmall: false };
    }
  }
  const decimal = decimalNumber(words);
  if (decimal !== undefined) return { value: digitsValue(decimal), text: decimal, isSmall: false };
  const [only] = words;
  if (words.length === 1 && only !== undefined && DIGITS.test(only)) {
    if (only.length > MOST_AMOUNT_DIGITS) return undefined;
    return { value: digitsValue(only), text: only, isSmall: digitsValue(only) < 10 };
  }
  const value = wholeNumber(words);
  return value === undefined ? undefined : { value, text: grouped(value), isSmall: value < 10 };
}

/** @returns the number of which the words are the ordinal */
export function ordinalNumber(words: readonly string[]): number | undefined {
  const cardinal = ORDINALS.get(words.at(-1) ?? "");
  return cardinal === undefined ? undefined : wholeNumber([...words.slice(0, -1), cardinal]);
}

export const twoDigits = (value: number) => String(value).padStart(2, "0");

const CLOCK = /^(\d{1,2}):(\d{2})$/;
/** "1:25", as a recogniser writes two numbers in a row. */
export const isClockText = (word: string) => CLOCK.test(word);

/** As `twoPairs`, and of a time that the recogniser wrote. */
export function pairOf(words: readonly string[]): [number, number] | undefined {
  const [, first, second] = words.length === 1 ? (CLOCK.exec(words[0] ?? "") ?? []) : [];
  return first === undefined ? twoPairs(words) : [Number(first), Number(second)];
}

/** "two 20", "fifteen 10": words and digits are two numbers. */
export const isPartlyDigits = (words: readonly string[]) => words.length > 1 && words.some((word) => /^\d/.test(word));

/** Hours or a century, and what follows: "nineteen eighty four", "seven oh five", "twenty twenty six". */
export function twoPairs(words: readonly string[]): [number, number] | undefined {
  for (const at of [1, 2]) {
    const first = belowHundred(words.slice(0, at));
    const rest = words.slice(at);
    if (first === undefined || rest.length === 0) continue;
    if (rest[0] === "oh" || rest[0] === "o") {
      const ones = CARDINALS.get(rest[1] ?? "");
      if (rest.length === 2 && ones !== undefined && ones > 0 && ones < 10) return [first, ones];
      continue;
    }
    const second = belowHundred(rest);
    if (second !== undefined && second >= 10) return [first, second];
  }
  return undefined;
}

/** "nineteen eighties" as 1980, "two thousand tens" as 2010. */
export function decadeOf(words: readonly string[]): number | undefined {
  const decade = words.at(-1) === "hundreds" ? 0 : DECADES.get(words.at(-1) ?? "");
  if (decade && words.length === 3 && words[0] === "two" && words[1] === "thousand") return 2000 + decade;
  const century = belowHundred(words.slice(0, -1));
  if (decade === undefined || century === undefined || century < 13 || century > 20) return undefined;
  return century * 100 + decade;
}

const REPEATS = new Map([
  ["double", 2],
  ["triple", 3],
]);
export const isRepeat = (word: string) => REPEATS.has(word);

/** Digits said one by one: "five oh double two" is 5022. Several digits of a word count as they stand. */
export function digitRow(words: readonly string[]): string | undefined {
  let row = "";
  let times = 1;
  for (const word of words) {
    const repeat = REPEATS.get(word);
    if (repeat !== undefined && times === 1) {
      times = repeat;
      continue;
    }
    const value =
      word === "oh" || word === "o" ? 0 : (CARDINALS.get(word) ?? (/^\d$/.test(word) ? Number(word) : undefined));
    if (value === undefined || value > 9) {
      if (times > 1 || !/^\d+$/.test(word)) return undefined;
      row += word;
      continue;
    }
    row += String(value).repeat(times);
    times = 1;
  }
  return row === "" || times > 1 ? undefined : row;
}
