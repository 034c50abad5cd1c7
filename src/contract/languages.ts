// The one table of languages: every wire, the command line and the settings of models read language codes through it.
// Codes of the interface are those of Whisper, which keeps a few withdrawn ISO 639-1 codes (jw).
import { normalized } from "./normalized.ts";

/** By code: the English name, which is Whisper's, then other codes and names that mean the same language. */
const TABLE: Readonly<Record<string, readonly [name: string, ...others: string[]]>> = {
  af: ["Afrikaans"],
  am: ["Amharic"],
  ar: ["Arabic"],
  as: ["Assamese"],
  az: ["Azerbaijani"],
  ba: ["Bashkir"],
  be: ["Belarusian"],
  bg: ["Bulgarian"],
  bn: ["Bengali", "Bangla"],
  bo: ["Tibetan", "tib"],
  br: ["Breton"],
  bs: ["Bosnian"],
  ca: ["Catalan", "Valencian"],
  cs: ["Czech", "cze"],
  cy: ["Welsh", "wel"],
  da: ["Danish"],
  de: ["German", "ger"],
  el: ["Greek", "gre"],
  en: ["English"],
  es: ["Spanish", "Castilian"],
  et: ["Estonian"],
  eu: ["Basque", "baq"],
  fa: ["Persian", "Farsi", "per", "prs"],
  fi: ["Finnish"],
  fo: ["Faroese"],
  fr: ["French", "fre"],
  gl: ["Galician"],
  gu: ["Gujarati"],
  ha: ["Hausa"],
  haw: ["Hawaiian"],
  he: ["Hebrew", "iw"],
  hi: ["Hindi"],
  hr: ["Croatian"],
  ht: ["Haitian Creole", "Haitian"],
  hu: ["Hungarian"],
  hy: ["Armenian", "arm"],
  id: ["Indonesian", "in"],
  is: ["Icelandic", "ice"],
  it: ["Italian"],
  ja: ["Japanese"],
  jw: ["Javanese", "jv"],
  ka: ["Georgian", "geo"],
  kk: ["Kazakh"],
  km: ["Khmer"],
  kn: ["Kannada"],
  ko: ["Korean"],
  la: ["Latin"],
  lb: ["Luxembourgish", "Letzeburgesch"],
  ln: ["Lingala"],
  lo: ["Lao"],
  lt: ["Lithuanian"],
  lv: ["Latvian", "lvs"],
  mg: ["Malagasy"],
  mi: ["Maori", "mao"],
  mk: ["Macedonian", "mac"],
  ml: ["Malayalam"],
  mn: ["Mongolian"],
  mr: ["Marathi"],
  ms: ["Malay", "may"],
  mt: ["Maltese"],
  my: ["Myanmar", "Burmese", "bur"],
  ne: ["Nepali", "npi"],
  nl: ["Dutch", "Flemish", "dut"],
  nn: ["Nynorsk", "Norwegian Nynorsk", "no-nyn"],
  no: ["Norwegian", "nb", "Bokmal", "Norwegian Bokmal", "no-bok"],
  oc: ["Occitan"],
  pa: ["Punjabi", "Panjabi"],
  pl: ["Polish"],
  ps: ["Pashto", "Pushto"],
  pt: ["Portuguese"],
  ro: ["Romanian", "Moldavian", "Moldovan", "rum", "mo"],
  ru: ["Russian"],
  sa: ["Sanskrit"],
  sd: ["Sindhi"],
  si: ["Sinhala", "Sinhalese"],
  sk: ["Slovak", "slo"],
  sl: ["Slovenian"],
  sn: ["Shona"],
  so: ["Somali"],
  sq: ["Albanian", "alb"],
  sr: ["Serbian"],
  su: ["Sundanese"],
  sv: ["Swedish"],
  sw: ["Swahili"],
  ta: ["Tamil"],
  te: ["Telugu"],
  tg: ["Tajik"],
  th: ["Thai"],
  tk: ["Turkmen"],
  tl: ["Tagalog", "fil", "Filipino"],
  tr: ["Turkish"],
  tt: ["Tatar"],
  uk: ["Ukrainian"],
  ur: ["Urdu"],
  uz: ["Uzbek"],
  vi: ["Vietnamese"],
  yi: ["Yiddish", "ji"],
  yo: ["Yoruba"],
  yue: ["Cantonese", "zh-yue"],
  zh: ["Chinese", "Mandarin", "Mandarin Chinese", "cmn", "chi"],
};

/** Translation also goes into Wolof. */
const TARGETS_ONLY: typeof TABLE = { wo: ["Wolof"] };

/** Codes of the interface. Which of them can be recognised depends on the installed models. */
export const LANGUAGES: readonly string[] = Object.keys(TABLE);
export const TARGET_LANGUAGES: readonly string[] = [...LANGUAGES, ...Object.keys(TARGETS_ONLY)];

/** What requests write where the language is to be detected. */
const ANY = "auto";

export const isAnyLanguage = (given: string): boolean => given.trim().toLowerCase() === ANY;

/** For comparison: lower case, no diacritics, one space between words. */
const plain = (text: string) =>
  normalized(text, "NFD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase()
    .replace(/\s+/g, " ")
    .trim();

const BY_NAME = new Map(
  Object.entries({ ...TABLE, ...TARGETS_ONLY }).flatMap(([code, names]) =>
    [code, ...names].map((name): [string, string] => [plain(name), code]),
  ),
);

/** Codes of other languages that a model without the language itself transcribes it as. */
const BROADER: Readonly<Record<string, string>> = { yue: "zh" };

/** @returns the code if the model supports it, else that of the broader language that the model supports */
export function codeKnownTo(known: readonly string[], code: string): string {
  const broader = BROADER[code];
  return broader !== undefined && !known.includes(code) && known.includes(broader) ? broader : code;
}

/** Longest text that can be a code or a name; longer text is not looked at. */
const MOST_CHARACTERS = 50;
/** A primary subtag, and what may follow it in a tag of BCP 47. */
const TAG = /^([a-z]{2,8})((?:-[a-z0-9]{1,8})*)$/;

/**
 * @param given  an ISO 639 code, a tag of BCP 47 (en-US, pt_BR, zh-Hant), a POSIX locale (de_DE.UTF-8), or an English name;
 *               in any case
 * @returns the code of the interface; undefined for auto and for what names no language of the table
 */
export function languageCode(given: string): string | undefined {
  if (given.length > MOST_CHARACTERS) return undefined;
  const name = plain(given);
  const known = BY_NAME.get(name);
  if (known !== undefined) return known;
  const tag = name.replaceAll("_", "-").replace(/[.@].*/s, "");
  const [, primary = "", rest = ""] = TAG.exec(tag) ?? [];
  if (primary === "") return undefined;
  // An extended language subtag names the language itself: zh-yue, zh-cmn-Hans.
  const extended = BY_NAME.get(`${primary}-${rest.split("-")[1]}`);
  return extended ?? BY_NAME.get(primary) ?? BY_NAME.get(canonicalPrimary(primary));
}

/** ISO 639-2 and -3 codes by the shorter code: deu → de. */
function canonicalPrimary(primary: string): string {
  try {
    return (Intl.getCanonicalLocales(primary)[0] ?? "").split("-")[0] ?? "";
  } catch {
    return "";
  }
}

/** `German`; the code itself where it is not of the table. */
const languageName = (code: string): string => (TABLE[code] ?? TARGETS_ONLY[code])?.[0] ?? code;

/** In lower case, as Whisper names languages: `haitian creole`. A language that is not Whisper's has its English name. */
export function whisperName(code: string): string {
  const name = TABLE[code]?.[0] ?? englishName(code);
  return name.toLowerCase();
}

function englishName(code: string): string {
  try {
    return new Intl.DisplayNames(["en"], { type: "language" }).of(code) ?? code;
  } catch {
    return code;
  }
}

/** `de (German)` */
export const shownLanguage = (code: string): string => `${code} (${languageName(code)})`;

/** Every code and name by which similar ones are found, with its code. */
export const languageNames = (): readonly (readonly [name: string, code: string])[] => [...BY_NAME];

/** The language that most people of a country speak: country codes are often taken for language codes (jp, cz, dk). */
export function languageOfCountry(given: string): string | undefined {
  if (!/^[a-z]{2}$/i.test(given)) return undefined;
  try {
    return BY_NAME.get(new Intl.Locale(`und-${given}`).maximize().language ?? "");
  } catch {
    return undefined;
  }
}
