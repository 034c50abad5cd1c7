// Finds numbers and addresses that identify a person, by their form, checksum and preceding words. One identifier may span several
// utterances.

import type { Utterance, Word } from "../../contract/transcript/transcript.ts";
import { withNumerals } from "../../speech/text/numerals/numerals.ts";
import { isLongNumber, isNumberList, isSpokenDate, spokenDigitsIn } from "./spoken-digits.ts";
import { WordPlaces, WordTimes } from "./word-places.ts";

/** Words of one identifier. It may be of several kinds; the requested entity types decide. */
export interface Identifier {
  types: string[];
  words: Word[];
  text: string;
}

const DOT = "(?:dot|punkt|point|punto|ponto|punt)";
const AT = "(?:at|at sign|ät|arobase|arroba|chiocciola|apenstaartje|@)";
const TLD = "(?:com|org|net|edu|gov|io|co|uk|de|fr|es|it|nl|pt|eu|at|ch|be|ai|dev|app|info|me|ca|us|au|br|tv|biz)";
/** Part of the name of a host. Its greatest length bounds the work for text without spaces. */
const LABEL = "[\\p{L}\\p{N}-]{1,63}";
const SIGN = `(?:${DOT}|underscore|dash|hyphen|minus|unterstrich|bindestrich|tiret|guion|trattino|plus)`;
const MONTHS =
  "(?:january|february|march|april|may|june|july|august|september|october|november|december|januar|februar|märz|mai|juni|juli|oktober|dezember|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|janeiro|fevereiro|março|maio|junho|julho|setembro|outubro|novembro|dezembro|gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre|januari|februari|maart|augustus)";

/** Identifiers that are recognised by their form alone, in every language. */
const FORMS: readonly [types: readonly string[], pattern: RegExp][] = [
  [["EMAIL_ADDRESS"], /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/giu],
  [
    ["EMAIL_ADDRESS"],
    new RegExp(
      `(?<![\\p{L}\\p{N}._-])(?:[\\p{L}\\p{N}]+ ${SIGN} ){0,10}[\\p{L}\\p{N}._-]+ ${AT} (?:[\\p{L}\\p{N}-]+ (?:${SIGN} [\\p{L}\\p{N}-]+ ){0,10}${DOT} (?:co ${DOT} )?${TLD}|[\\p{L}\\p{N}-]+(?:\\.[\\p{L}\\p{N}-]+)*\\.${TLD})\\b`,
      "giu",
    ),
  ],
  [
    ["URL"],
    new RegExp(
      `https?:\\/\\/\\S+|\\b(?:www\\.)?${LABEL}(?:\\.${LABEL}){0,12}\\.${TLD}(?:\\/\\S*)?(?![\\p{L}\\p{N}])`,
      "giu",
    ),
  ],
  [["URL"], new RegExp(`\\b(?:(?:www|w w w) ${DOT} )?${LABEL} ${DOT} (?:co ${DOT} )?${TLD}\\b`, "giu")],
  [["IP_ADDRESS"], /\b(?:\d{1,3}\.){3}\d{1,3}\b|\b(?:[0-9a-f]{1,4}:){3,7}[0-9a-f]{1,4}\b/giu],
  [["DATE", "DOB", "DATE_INTERVAL"], /\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}[./-]\d{1,2}[./-]\d{2,4}\b/gu],
  [
    ["DATE", "DOB", "DATE_INTERVAL"],
    new RegExp(
      `(?:\\b(?:the )?\\d{1,2}(?:st|nd|rd|th|er|º|\\.)? (?:of |de )?)${MONTHS}(?![\\p{L}])(?:,? (?:de )?\\d{4})?|\\b${MONTHS} (?:the )?\\d{1,2}(?:st|nd|rd|th)?(?:,? \\d{4})?\\b|\\b${MONTHS} (?:de )?\\d{4}\\b`,
      "giu",
    ),
  ],
  [["DATE", "DOB", "DATE_INTERVAL"], /\b(?:1[89]|20)\d{2}\b/gu],
  [
    ["LOCATION_ZIP"],
    /\b[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}\b|\b[A-Z]\d[A-Z] ?\d[A-Z]\d\b|\b\d{4} ?[A-Z]{2}\b|\b\d{4}-\d{3}\b|\b\d{5}(?:-\d{4})?\b/gu,
  ],
];

/** Words before a number that determine its kind, of all languages; matched at the beginnings of words. */
const CUES: readonly [types: readonly string[], cue: RegExp][] = [
  [
    ["CVV"],
    /cvv|cvc|security code|sicherheitscode|prüf(?:ziffer|nummer)|cryptogramme|código de segur|codice di sicurezza|beveiligingscode|three digits|on the back/iu,
  ],
  [
    ["CREDIT_CARD_EXPIRATION"],
    /expir|\bexp\b|valid (?:thru|through|until|till)|gültig bis|ablauf|verfall|válid[oa] hasta|caduc|vencim|validade|scaden|geldig tot|verloopt|jusqu/iu,
  ],
  [
    ["SSN"],
    /social security|social insurance|\bssn\b|\bsocial\b|sozialversicherung|sécurité sociale|seguridad social|segurança social|codice fiscale|burgerservice|\bbsn\b/iu,
  ],
  [["ROUTING_NUMBER"], /routing|\baba\b|sort code|bankleitzahl|\bblz\b/iu],
  [["BANK_ACCOUNT", "ACCOUNT_NUMBER"], /account|\biban\b|konto|compte|cuenta|conta\b|conto\b|rekening/iu],
  [["PASSPORT_NUMBER"], /passport/iu],
  [["DRIVER_LICENSE"], /(?:driver|driving).{0,4}licen[cs]e|licen[cs]e number/iu],
  [
    ["HEALTHCARE_NUMBER"],
    /medicare|medicaid|health (?:card|insurance|plan)|\bnhs\b|member (?:id|number)|medical record|patient (?:id|number)/iu,
  ],
  [
    ["PHONE_NUMBER"],
    /phone|call|dial|mobile|\bcell|fax|text me|telefon|handy|téléphone|numéro|portable|móvil|llám|telefone|celular|cellulare|telefoon|nummer|number/iu,
  ],
  [["NUMERICAL_PII"], /\bpin\b|passcode|password|\bcode\b|member|policy|badge|employee|student|tax/iu],
];
const BIRTH_CUE =
  /birth|\bborn\b|\bdob\b|geboren|geburt|naissance|\bnée?\b|nacimiento|\bnac[ií]|nasciment|\bnasci|nascita|\bnat[oa]\b|geboorte/iu;
const CUE_CHARACTERS = 60;
/** Shorter numbers are amounts, unless a word before them determines another kind. */
const LEAST_IDENTIFIER_DIGITS = 6;
const LEAST_PHONE_DIGITS = 7;
const MOST_PHONE_DIGITS = 15;
const LEAST_CUED_DIGITS = 3;

function passesLuhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** ISO 13616: the remainder by 97 of the number with letters as two digits each is 1. */
function passesIban(text: string): boolean {
  const plain = text.replace(/[^\p{L}\p{N}]/gu, "").toUpperCase();
  if (!/^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(plain)) return false;
  const digits = [...(plain.slice(4) + plain.slice(0, 4))].map((sign) => Number.parseInt(sign, 36)).join("");
  let rest = 0;
  for (const digit of digits) rest = (rest * 10 + Number(digit)) % 97;
  return rest === 1;
}

/** @param before  text before the number, whose words may determine its kind */
function kindsOf(digits: string, shape: string, before: string): string[] {
  const cued = CUES.filter(([, cue]) => cue.test(before)).flatMap(([types]) => types);
  const kinds = new Set<string>();
  const { length } = digits;
  const cuedAs = (type: string) => cued.includes(type);
  if ((length >= 13 && length <= 19 && passesLuhn(digits)) || length === 15 || length === 16) kinds.add("CREDIT_CARD");
  if (length === 9 && (cuedAs("SSN") || /^\d{3}\D\d{2}\D\d{4}$/.test(shape))) kinds.add("SSN");
  if (cuedAs("SSN") && length >= 4) kinds.add("SSN");
  if (length === 9) kinds.add("SSN").add("ROUTING_NUMBER");
  if (length === 6 && cuedAs("ROUTING_NUMBER")) kinds.add("ROUTING_NUMBER");
  if ((length === 3 || length === 4) && cuedAs("CVV")) kinds.add("CVV");
  const isPhoneLength = length >= LEAST_PHONE_DIGITS && length <= MOST_PHONE_DIGITS;
  if (isPhoneLength || (cuedAs("PHONE_NUMBER") && length >= LEAST_IDENTIFIER_DIGITS && length <= MOST_PHONE_DIGITS))
    kinds.add("PHONE_NUMBER");
  if (length >= LEAST_CUED_DIGITS)
    for (const type of cued) if (type !== "PHONE_NUMBER" && type !== "CVV") kinds.add(type);
  if (length >= LEAST_IDENTIFIER_DIGITS) kinds.add("NUMERICAL_PII").add("ACCOUNT_NUMBER").add("BANK_ACCOUNT");
  if (length === 5) kinds.add("LOCATION_ZIP");
  return [...kinds];
}

const NUMBER = /\+?\b\d(?:[\s()/-]*\d|\.\d)*/gu;
/** Digits whose groups may also be separated by commas and full stops. Only long numbers of this form are identifiers. */
const LOOSE_NUMBER = /\b\d(?:[\s().,/-]*\d)*/gu;
const LEAST_LOOSE_DIGITS = 9;
const YEARS = /^(?:(?:1[89]|20)\d\d(?:\D+|$))+$/;
/** Letters and digits after a word that determines their kind: "passport number is C01X00T47". */
const CUED_CODES: readonly [types: readonly string[], pattern: RegExp][] = [
  [["PASSPORT_NUMBER"], /passport(?: \p{L}+){0,3}?,? ((?=\S*\d)[\p{L}\d-]{4,})/giu],
  [["DRIVER_LICENSE"], /licen[cs]e(?: \p{L}+){0,3}?,? ((?=\S*\d)[\p{L}\d-]{4,})/giu],
  [
    ["HEALTHCARE_NUMBER"],
    /(?:medicare|medicaid|member|patient|insurance|policy)(?: \p{L}+){0,3}?,? ((?=\S*\d)[\p{L}\d-]{4,})/giu,
  ],
  [["ACCOUNT_NUMBER", "BANK_ACCOUNT"], /account(?: \p{L}+){0,3}?,? ((?=\S*\d)[\p{L}\d-]{4,})/giu],
  [["USERNAME"], /(?:user ?name|handle|log ?in|screen name)(?: (?:is|was))?:? ([^\s.,;!?]+)/giu],
];
/** House number and street, as English and a few others write them. */
const ADDRESS =
  /\b\d{1,5}[a-z]? (?:\p{Lu}[\p{L}'.-]*\s){1,4}(?:street|st|avenue|ave|road|rd|lane|ln|drive|dr|boulevard|blvd|way|court|ct|square|place|terrace|crescent|close|parkway|highway)\b(?:,? (?:apartment|apt|suite|unit) \w+)?/giu;
/** Sums, shares and times are not identifiers. */
const AMOUNT = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$|^\d+\.\d{1,2}$/;
const IBAN = /\b[A-Z]{2}\s?\d{2}(?:\s?[A-Z\d]){11,32}/giu;
/** Length of an IBAN by country. @source the IBAN registry of SWIFT */
const IBAN_CHARACTERS: Readonly<Record<string, number>> = {
  AT: 20,
  BE: 16,
  BG: 22,
  BR: 29,
  CH: 21,
  CY: 28,
  CZ: 24,
  DE: 22,
  DK: 18,
  EE: 20,
  ES: 24,
  FI: 18,
  FR: 27,
  GB: 22,
  GR: 27,
  HR: 21,
  HU: 28,
  IE: 22,
  IS: 26,
  IT: 27,
  LI: 21,
  LT: 20,
  LU: 20,
  LV: 21,
  MT: 31,
  NL: 18,
  NO: 15,
  PL: 28,
  PT: 25,
  RO: 24,
  SE: 24,
  SI: 19,
  SK: 24,
  TR: 26,
};
const EXPIRY = /\b(?:0?[1-9]|1[0-2])\s?[/.-]\s?(?:20)?\d{2}\b/gu;
/** After "expires": number words, months and digits. */
const EXPIRY_WORDS = new RegExp(
  `(?:expir\\p{L}*|\\bexp\\b|valid (?:thru|through|until|till)|gültig bis|válid[oa] hasta|geldig tot)(?: (?:date|on|in|at|is|am|im|the|en|el|le|il|op|:))*,? ((?:(?:${MONTHS}|\\d[\\d/.:-]*|oh|zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|slash|of|and)(?:st|nd|rd|th)?,? ?)+)`,
  "giu",
);

const DIGIT_NAMES: readonly string[] = [
  "zero oh o null nul zéro cero",
  "one eins een un une uno una um uma",
  "two zwei zwo twee deux dos dois duas due",
  "three drei drie trois tres três tre",
  "four vier quatre cuatro quatro quattro",
  "five fünf vijf cinq cinco cinque",
  "six sechs zes seis sei",
  "seven sieben zeven sept siete sete sette",
  "eight acht huit ocho oito otto",
  "nine neun negen neuf nueve nove",
];
const DIGIT_OF = new Map(DIGIT_NAMES.flatMap((names, digit) => names.split(" ").map((name) => [name, String(digit)])));
const DIGIT_WORD = `(?:(?:double|triple) )?(?:${[...DIGIT_OF.keys()].sort((left, right) => right.length - left.length).join("|")})`;
/** Digits said one by one, in groups with commas or full stops between them. "one two three" counts in most texts. */
const SPOKEN_DIGITS = new RegExp(
  `(?<![\\p{L}\\d])${DIGIT_WORD}(?:(?:[,.]? |-)${DIGIT_WORD}){2,}(?![\\p{L}\\d])`,
  "giu",
);

function spokenDigits(text: string): string {
  let [digits, times] = ["", 1];
  for (const word of text.toLowerCase().split(/[,.]? |-/)) {
    const digit = DIGIT_OF.get(word);
    if (digit !== undefined) digits += digit.repeat(times);
    times = digit !== undefined ? 1 : word === "double" ? 2 : 3;
  }
  return digits;
}

interface Located {
  types: string[];
  from: number;
  to: number;
}

/** Digits in pairs are amounts as often as numbers of things: fewer of them need a word before that says what they are. */
function inPairs(text: string, language: string): Located[] {
  return spokenDigitsIn(text, language).flatMap((run) => {
    const before = text.slice(Math.max(0, run.from - CUE_CHARACTERS), run.from);
    if (BIRTH_CUE.test(before) && isSpokenDate(run)) return [{ types: ["DATE", "DOB"], from: run.from, to: run.to }];
    const isCued = CUES.some(([, cue]) => cue.test(before)) && run.digits.length >= LEAST_IDENTIFIER_DIGITS;
    if ((!isCued && !isLongNumber(run)) || isNumberList(run)) return [];
    const types = kindsOf(run.digits, run.digits, before);
    return types.length > 0 ? [{ types, from: run.from, to: run.to }] : [];
  });
}

/** @param languages  of the text, whose words for digits are known */
function locate(text: string, languages: readonly string[]): Located[] {
  const located = languages.flatMap((language) => inPairs(text, language));
  for (const [types, pattern] of FORMS) {
    for (const match of text.matchAll(pattern))
      located.push({ types: [...types], from: match.index, to: match.index + match[0].length });
  }
  for (const match of text.matchAll(IBAN)) {
    const characters = IBAN_CHARACTERS[match[0].slice(0, 2).toUpperCase()];
    if (characters === undefined) continue;
    // Words after an IBAN may look like a part of it, so it is cut at the length for its country.
    const written = new RegExp(`^(?:[A-Z\\d]\\s?){${characters - 1}}[A-Z\\d]`, "iu").exec(match[0])?.[0] ?? "";
    if (!passesIban(written)) continue;
    located.push({ types: ["BANK_ACCOUNT", "ACCOUNT_NUMBER"], from: match.index, to: match.index + written.length });
  }
  for (const match of text.matchAll(NUMBER)) {
    const digits = match[0].replace(/\D/gu, "");
    const isYears = YEARS.test(match[0]);
    if (isYears || (AMOUNT.test(match[0]) && digits.length < LEAST_PHONE_DIGITS)) continue;
    const before = text.slice(Math.max(0, match.index - CUE_CHARACTERS), match.index);
    const types = kindsOf(digits, match[0], before);
    if (types.length > 0) located.push({ types, from: match.index, to: match.index + match[0].length });
  }
  for (const match of text.matchAll(LOOSE_NUMBER)) {
    const digits = match[0].replace(/\D/gu, "");
    if (digits.length < LEAST_LOOSE_DIGITS || YEARS.test(match[0]) || /^\d{1,3}(?:,\d{3})+$/.test(match[0])) continue;
    const before = text.slice(Math.max(0, match.index - CUE_CHARACTERS), match.index);
    located.push({ types: kindsOf(digits, match[0], before), from: match.index, to: match.index + match[0].length });
  }
  for (const match of text.matchAll(SPOKEN_DIGITS)) {
    const digits = spokenDigits(match[0]);
    const before = text.slice(Math.max(0, match.index - CUE_CHARACTERS), match.index);
    located.push({ types: kindsOf(digits, digits, before), from: match.index, to: match.index + match[0].length });
  }
  for (const [types, pattern] of CUED_CODES) {
    for (const match of text.matchAll(pattern)) {
      const code = match[1] ?? "";
      const to = match.index + match[0].length;
      located.push({ types: [...types], from: to - code.length, to });
    }
  }
  for (const match of text.matchAll(ADDRESS)) {
    located.push({ types: ["LOCATION_ADDRESS"], from: match.index, to: match.index + match[0].length });
  }
  for (const match of text.matchAll(EXPIRY)) {
    located.push({ types: ["CREDIT_CARD_EXPIRATION"], from: match.index, to: match.index + match[0].length });
  }
  for (const match of text.matchAll(EXPIRY_WORDS)) {
    const expiry = match[1] ?? "";
    const from = match.index + match[0].length - expiry.length;
    located.push({ types: ["CREDIT_CARD_EXPIRATION"], from, to: from + expiry.trimEnd().length });
  }
  return located;
}

/** Finds identifiers in the words as recognised, and in the words with their numbers in digits. */
function identifiersOf(words: readonly Word[], written: readonly Word[], languages: readonly string[]): Identifier[] {
  const found: Identifier[] = [];
  const spoken = new WordTimes(words);
  for (const form of written === words ? [words] : [words, written]) {
    const places = new WordPlaces(form);
    for (const { types, from, to } of locate(places.text, languages)) {
      const own = places.wordsIn(from, to);
      if (own.length === 0) continue;
      found.push({ types, words: form === words ? own : spoken.within(own), text: places.text.slice(from, to) });
    }
  }
  return found;
}

/** @param utterances  in time order; a number may continue in the next utterance of its channel */
export function identifiersIn(utterances: readonly Utterance[]): Identifier[] {
  const channels = [...new Set(utterances.map(({ channel }) => channel))];
  return channels.flatMap((channel) => {
    const own = utterances.filter((utterance) => utterance.channel === channel);
    const spaced = (words: readonly Word[]) =>
      words.map((word, at) => (at === 0 && !/^\s/.test(word.word) ? { ...word, word: ` ${word.word}` } : word));
    // Words are compared by identity below, so copies are mapped to their originals.
    const originals = new Map<Word, Word>();
    const copies = own.flatMap(({ words }) =>
      spaced(words).map((copy, at) => {
        originals.set(copy, words[at] as Word);
        return copy;
      }),
    );
    const language = own[0]?.language ?? "";
    const parts = [...new Set(own.map((utterance) => utterance.language))];
    const whole: Utterance = { text: "", language, start: 0, end: 0, confidence: 1, channel, words: copies };
    const writtenAs = parts.map((code) => withNumerals({ ...whole, language: code }).words);
    return writtenAs
      .flatMap((written) => identifiersOf(copies, written, parts))
      .map(({ words, ...rest }) => ({ ...rest, words: words.map((copy) => originals.get(copy) ?? copy) }));
  });
}
