// Numbers, dates, lists and plurals in a language of the interface, by the browser's own data (Intl).
import { LANGUAGES, type LanguageCode, localeOf } from "./languages.ts";

/** The forms of plurals that a language has, by the names of Intl.PluralRules. In French, Spanish and Portuguese, millions are `many`. */
export const PLURAL_FORMS = {
  en: ["one", "other"],
  de: ["one", "other"],
  fr: ["one", "many", "other"],
  es: ["one", "many", "other"],
  pt: ["one", "many", "other"],
  ja: ["other"],
  ar: ["zero", "one", "two", "few", "many", "other"],
} as const satisfies Record<LanguageCode, readonly Intl.LDMLPluralRule[]>;

type Forms<Code extends LanguageCode> = Record<(typeof PLURAL_FORMS)[Code][number], string>;

const KILOBYTE = 1e3;
const MEGABYTE = 1e6;
const GIGABYTE = 1e9;
const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3_600;
/** Longer durations are shown in hours. */
const MOST_MINUTES_SECONDS = 5_400;

export function toolsOf<Code extends LanguageCode>(code: Code) {
  const locale = localeOf(code, globalThis.navigator?.languages ?? []);
  const rules = new Intl.PluralRules(code);
  const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
  const tenths = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const exact = new Intl.NumberFormat(locale);
  const share = new Intl.NumberFormat(locale, { style: "percent" });
  const lists = new Intl.ListFormat(locale, { type: "conjunction", style: "narrow" });
  const moments = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
  const times = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit" });
  const languages = new Intl.DisplayNames([code], { type: "language" });
  const isolated = (text: string) => (LANGUAGES[code].direction === "rtl" ? `\u2068${text}\u2069` : text);
  const unit = (name: string, value: number, digits: number) =>
    new Intl.NumberFormat(locale, {
      style: "unit",
      unit: name,
      unitDisplay: "short",
      maximumFractionDigits: digits,
    }).format(value);
  return {
    number: (value: number) => exact.format(value),
    whole: (value: number) => whole.format(value),
    /** With one digit after the point. */
    tenths: (value: number) => tenths.format(value),
    /** @param value  0 to 1 */
    percent: (value: number) => share.format(value),
    /** A name or an id in a text that is written from right to left keeps its own direction, and digits stay apart from it. */
    isolated,
    /**
     * The form of a text for a number, which takes the place of # in it. The forms contain no names: # in a name would be replaced.
     * If a browser has a form that PLURAL_FORMS lacks, the text has that of `other`.
     */
    plural(count: number, forms: Forms<Code>): string {
      const all: Partial<Record<Intl.LDMLPluralRule, string>> & { other: string } = { other: "", ...forms };
      return (all[rules.select(count)] ?? all.other).replaceAll("#", exact.format(count));
    },
    /** Names: "Anna, Ben" or "Anna und Ben". */
    list: (items: readonly string[]) => lists.format(items.map(isolated)),
    /** Facts in a row. Empty ones are left out. */
    facts: (items: readonly string[]) =>
      items
        .filter((item) => item !== "")
        .map(isolated)
        .join(LANGUAGES[code].comma),
    moment: (date: Date) => moments.format(date),
    /** Hours and minutes. */
    time: (date: Date) => times.format(date),
    bytes(count: number): string {
      if (count < MEGABYTE) return unit("kilobyte", Math.ceil(count / KILOBYTE), 0);
      return count < GIGABYTE ? unit("megabyte", count / MEGABYTE, 0) : unit("gigabyte", count / GIGABYTE, 1);
    },
    milliseconds: (value: number) => unit("millisecond", value, 0),
    seconds: (value: number, digits: number) => unit("second", value, digits),
    /** An approximate duration. */
    duration(seconds: number): string {
      if (seconds < MINUTE_SECONDS) return unit("second", Math.max(1, seconds), 0);
      if (seconds < MOST_MINUTES_SECONDS) return unit("minute", seconds / MINUTE_SECONDS, 0);
      return unit("hour", seconds / HOUR_SECONDS, 1);
    },
    /** "English" for "eng" or "en"; the code itself if it is unknown. */
    languageName(tag: string): string {
      try {
        return languages.of(tag) ?? tag;
      } catch {
        return tag;
      }
    },
    /** Puts names in the order of the language. */
    compare: new Intl.Collator(locale).compare,
  };
}

/** What components use. The others are for the tables. */
export type Tools = Omit<ReturnType<typeof toolsOf<LanguageCode>>, "plural" | "isolated">;
