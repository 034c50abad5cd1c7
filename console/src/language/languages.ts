// The languages of the interface, and the choice among them. Pure.

/**
 * The name in the language itself, the direction of the writing, and the mark between facts in a row. A new language begins here: the
 * compiler then requires its table.
 */
export const LANGUAGES = {
  en: { name: "English", direction: "ltr", comma: ", " },
  de: { name: "Deutsch", direction: "ltr", comma: ", " },
  fr: { name: "Français", direction: "ltr", comma: ", " },
  es: { name: "Español", direction: "ltr", comma: ", " },
  pt: { name: "Português", direction: "ltr", comma: ", " },
  ja: { name: "日本語", direction: "ltr", comma: "、" },
  ar: { name: "العربية", direction: "rtl", comma: "، " },
} as const satisfies Record<string, { name: string; direction: "ltr" | "rtl"; comma: string }>;

export type LanguageCode = keyof typeof LANGUAGES;

export const LANGUAGE_CODES = Object.keys(LANGUAGES) as LanguageCode[];

export const isLanguage = (code: unknown): code is LanguageCode =>
  typeof code === "string" && Object.hasOwn(LANGUAGES, code);

/** "pt" of "pt-BR" */
const baseOf = (tag: string) => tag.split("-")[0]?.toLowerCase() ?? "";

/** The first language of the browser that the interface has; English if it has none of them. */
export const languageOf = (preferred: readonly string[]): LanguageCode =>
  preferred.map(baseOf).find((code): code is LanguageCode => isLanguage(code)) ?? "en";

/**
 * Tag for dates and numbers: with the region that the browser names, such as "en-GB". Digits are 0 to 9 in every language, as in
 * times, ids and typed numbers.
 */
export function localeOf(code: LanguageCode, preferred: readonly string[]): string {
  const tag = preferred.find((one) => baseOf(one) === code) ?? code;
  try {
    return new Intl.Locale(tag, { numberingSystem: "latn" }).toString();
  } catch {
    return code;
  }
}
