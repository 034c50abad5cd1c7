// What six languages say for sums in digits, for `numerals: false`: "12,50 €", "5 $".
import { spelledOut } from "./spellings.ts";

interface Sums {
  /** Before the unit of 1: "ein Euro", "un euro". */
  one: string;
  /** Singular and plural by sign. */
  units: Readonly<Record<string, readonly [one: string, many: string]>>;
  /** Between the unit and the cents. */
  joint: string;
  /** The smaller unit of euros, for sums below one. */
  cents: string;
}

const SUMS: Readonly<Record<string, Sums>> = {
  de: { one: "ein", units: { "€": ["Euro", "Euro"], $: ["Dollar", "Dollar"] }, joint: " ", cents: "Cent" },
  nl: { one: "één", units: { "€": ["euro", "euro"], $: ["dollar", "dollar"] }, joint: " ", cents: "cent" },
  fr: { one: "un", units: { "€": ["euro", "euros"], $: ["dollar", "dollars"] }, joint: " ", cents: "centimes" },
  es: { one: "un", units: { "€": ["euro", "euros"], $: ["dólar", "dólares"] }, joint: " con ", cents: "céntimos" },
  pt: {
    one: "um",
    units: { "€": ["euro", "euros"], $: ["dólar", "dólares"], R$: ["real", "reais"] },
    joint: " e ",
    cents: "cêntimos",
  },
  it: { one: "un", units: { "€": ["euro", "euro"], $: ["dollaro", "dollari"] }, joint: " e ", cents: "centesimi" },
};

const LEAST_CENTS = 10;

/**
 * @param number  in digits, with the marks of the language: "1.234,50"
 * @returns undefined where the language has another form, and for cents below ten
 */
export function sumWords(number: string, sign: string, language: string): string | undefined {
  const sums = SUMS[language];
  const [one, many] = sums?.units[sign] ?? [];
  const [, given = "", cents] = /^(\d{1,3}(?:[.\u00a0\u202f ]\d{3})+|[1-9]\d*|0)(?:,(\d\d))?$/.exec(number) ?? [];
  if (!sums || one === undefined || given === "") return undefined;
  const value = Number(given.replace(/\D/g, ""));
  const rest = Number(cents ?? 0);
  if (rest > 0 && rest < LEAST_CENTS) return undefined;
  const small = rest === 0 ? undefined : spelledOut(rest, language);
  // "einundzwanzig Cent", but "veintiún céntimos" and "hunderteinen Euro" have forms of their own.
  const isOwnForm = (part: number) =>
    part % 10 === 1 && part % 100 !== 11 && (language === "es" || (language === "de" && part % 100 === 1));
  if (value === 0) {
    if (sign !== "€" || small === undefined || isOwnForm(rest)) return undefined;
    return `${small} ${sums.cents}`;
  }
  if (value !== 1 && isOwnForm(value)) return undefined;
  const whole = value === 1 ? sums.one : spelledOut(value, language);
  if (whole === undefined) return undefined;
  const said = `${whole} ${value === 1 ? one : many}`;
  return small === undefined ? said : said + sums.joint + small;
}
