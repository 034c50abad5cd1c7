// English numbers as words say them: read and written. Whole numbers below a million.

const ONES = (
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen " +
  "eighteen nineteen"
).split(" ");
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const IRREGULAR_ORDINALS: Readonly<Record<string, string>> = {
  one: "first",
  two: "second",
  three: "third",
  five: "fifth",
  eight: "eighth",
  nine: "ninth",
  twelve: "twelfth",
};
const LONGEST_DIGITS = 6;

interface Unit {
  kind: "ones" | "teens" | "tens" | "hundred" | "thousand" | "oh" | "and";
  value: number;
  isOrdinal: boolean;
}

const ordinalOf = (cardinal: string) =>
  IRREGULAR_ORDINALS[cardinal] ?? (cardinal.endsWith("y") ? `${cardinal.slice(0, -1)}ieth` : `${cardinal}th`);

const UNITS = new Map<string, Unit>();
for (const [value, name] of ONES.entries()) {
  const kind = value < 10 ? "ones" : "teens";
  if (value > 0)
    UNITS.set(name, { kind, value, isOrdinal: false }).set(ordinalOf(name), { kind, value, isOrdinal: true });
}
for (const [at, name] of TENS.entries()) {
  const unit = { kind: "tens", value: 20 + 10 * at } as const;
  UNITS.set(name, { ...unit, isOrdinal: false }).set(ordinalOf(name), { ...unit, isOrdinal: true });
}
for (const [kind, value] of [
  ["hundred", 100],
  ["thousand", 1000],
] as const) {
  UNITS.set(kind, { kind, value, isOrdinal: false }).set(ordinalOf(kind), { kind, value, isOrdinal: true });
}
UNITS.set("oh", { kind: "oh", value: 0, isOrdinal: false }).set("and", { kind: "and", value: 0, isOrdinal: false });

/** A number, and how many words it took. */
export interface SpokenNumber {
  value: number;
  isOrdinal: boolean;
  count: number;
}

/** What a word with its hyphens says; undefined where a part of it is no number. */
function unitsOf(word: string): Unit[] | undefined {
  const units = word.split("-").map((part) => UNITS.get(part));
  return units.every((unit) => unit !== undefined) ? units : undefined;
}

/** Reads units one after another; each step tells how far it came. */
class Reader {
  at = 0;
  isOrdinal = false;

  constructor(private readonly units: readonly Unit[]) {}

  /** The next unit, when it is of that kind and nothing ordinal came before. */
  take(kind: Unit["kind"]): number | undefined {
    const unit = this.units[this.at];
    if (this.isOrdinal || unit?.kind !== kind) return undefined;
    this.at++;
    this.isOrdinal = unit.isOrdinal;
    return unit.value;
  }

  belowHundred(): number | undefined {
    const tens = this.take("tens");
    if (tens !== undefined) return tens + (this.take("ones") ?? 0);
    return this.take("teens") ?? this.take("ones");
  }

  /** What follows "hundred" or "thousand", with or without "and"; nothing where it is no less than those. */
  rest(limit: number, read: () => number | undefined): number {
    const before = { at: this.at, isOrdinal: this.isOrdinal };
    this.take("and");
    const value = read();
    if (value !== undefined && value < limit) return value;
    Object.assign(this, before);
    return 0;
  }

  /** Or as far as "nineteen hundred": what is said beyond may be two numbers ("sixty, one hundred"). */
  hundreds(): number | undefined {
    const first = this.belowHundred();
    if (first === undefined || first === 10 || first >= 20 || this.take("hundred") === undefined) return first;
    return first * 100 + this.rest(100, () => this.belowHundred());
  }

  number(): number | undefined {
    const first = this.hundreds();
    if (first === undefined || first >= 1000 || this.take("thousand") === undefined) return first;
    return first * 1000 + this.rest(1000, () => this.hundreds());
  }

  /** Two pairs of digits, as years are said. */
  year(): number | undefined {
    const century = this.take("teens") ?? this.take("tens");
    if (century === undefined || century < 11 || century > 20 || this.isOrdinal) return undefined;
    const isLow = this.take("oh") !== undefined;
    const before = this.at;
    const rest = isLow ? this.take("ones") : this.belowHundred();
    if (rest === undefined || (!isLow && (rest < 10 || this.at === before))) return undefined;
    const next = this.units[this.at];
    return next && next.kind !== "and" ? undefined : century * 100 + rest;
  }
}

/**
 * The number that a text begins with.
 * @param words  in small letters, without marks
 */
export function readNumber(words: readonly string[]): SpokenNumber | undefined {
  const units: Unit[] = [];
  /** Of each word, how many units there are up to its end. */
  const ends: number[] = [];
  for (const word of words) {
    const own = unitsOf(word);
    if (!own) break;
    units.push(...own);
    ends.push(units.length);
  }
  for (const way of ["year", "number"] as const) {
    const reader = new Reader(units);
    const value = reader[way]();
    const count = ends.indexOf(reader.at) + 1;
    if (value !== undefined && count > 0) return { value, isOrdinal: reader.isOrdinal, count };
  }
  return undefined;
}

/** Whether a word is said in numbers: they go on where it stands beside one. */
export const isNumberWord = (word: string): boolean => unitsOf(word)?.some(({ kind }) => kind !== "and") ?? false;

const DIGITS = /^(0|[1-9]\d*|[1-9]\d{0,2}(?:,\d{3})+)(st|nd|rd|th)?$/;

/** @param word  in small letters, without marks at its ends */
export function readDigits(word: string): SpokenNumber | undefined {
  const [, digits, ending] = DIGITS.exec(word) ?? [];
  const plain = digits?.replaceAll(",", "");
  if (plain === undefined || plain.length > LONGEST_DIGITS) return undefined;
  return { value: Number(plain), isOrdinal: ending !== undefined, count: 1 };
}

const belowHundred = (value: number): string[] =>
  value < 20
    ? [ONES[value] as string]
    : [TENS[Math.floor(value / 10) - 2] as string, ...(value % 10 === 0 ? [] : [ONES[value % 10] as string])];

function cardinal(value: number): string[] {
  if (value < 100) return belowHundred(value);
  const [size, name] = value < 1000 ? ([100, "hundred"] as const) : ([1000, "thousand"] as const);
  const rest = value % size;
  return [...cardinal(Math.floor(value / size)), name, ...(rest === 0 ? [] : cardinal(rest))];
}

/** Four digits as years are said: "fourteen fifty five", "eleven hundred", "nineteen oh five". */
function year(value: number): string[] {
  const [century, rest] = [belowHundred(Math.floor(value / 100)), value % 100];
  if (rest === 0) return [...century, "hundred"];
  return [...century, ...(rest < 10 ? ["oh"] : []), ...belowHundred(rest)];
}

/** @param asYear  whether four digits are said in two pairs, where they can be */
export function numberWords({ value, isOrdinal }: Omit<SpokenNumber, "count">, asYear: boolean): string[] {
  const isYear = asYear && ((value >= 1100 && value < 2000) || (value >= 2010 && value < 2100));
  const words = isYear ? year(value) : cardinal(value);
  return isOrdinal ? [...words.slice(0, -1), ordinalOf(words.at(-1) as string)] : words;
}

const SUFFIXES = ["th", "st", "nd", "rd"];

export function numberDigits({ value, isOrdinal }: Omit<SpokenNumber, "count">): string {
  const digits = value < 10_000 ? String(value) : value.toLocaleString("en-US");
  if (!isOrdinal) return digits;
  const [tens, ones] = [Math.floor(value / 10) % 10, value % 10];
  return digits + (tens === 1 ? "th" : (SUFFIXES[ones] ?? "th"));
}
