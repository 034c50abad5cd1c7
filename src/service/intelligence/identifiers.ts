// Finds numbers and addresses that identify a person, by their form, checksum and preceding words. One identifier may span several
// utterances.

import type { Utterance, Word } from "../../contract/transcript/transcript.ts";
import { withNumerals } from "../../speech/text/numerals/numerals.ts";
import {
  BARE_DATE,
  DIGIT_OF,
  EXPIRY_WORDS,
  FORMS,
  isNumbering,
  LINKING_WORDS,
  NUMBER_WORD,
  OTHER_CODE,
  SPOKEN_DIGITS,
  UNIT,
} from "./identifier-forms.ts";
import {
  isLongNumber,
  isNumberList,
  isSpokenDate,
  isYears,
  type SpokenDigits,
  spokenDigitsIn,
} from "./spoken-digits.ts";
import { endOfDate, startOfEmail } from "./spoken-parts.ts";
import { WordPlaces, WordTimes } from "./word-places.ts";

/** Words of one identifier. It may be of several kinds; the requested entity types decide. */
export interface Identifier {
  types: string[];
  words: Word[];
  text: string;
}

const CVV_CUE =
  /cvv|cvc|security code|sicherheitscode|prüf(?:ziffer|nummer)|cryptogramme|código de segur|codice di sicurezza|beveiligingscode|three digits|on the back/iu;
/** Words before a number that determine its kind, of all languages; matched at the beginnings of words. */
const CUES: readonly [types: readonly string[], cue: RegExp][] = [
  [["CVV"], CVV_CUE],
  [
    ["CREDIT_CARD_EXPIRATION"],
    /expir|\bexp\b|valid (?:thru|through|until|till)|gültig bis|ablauf|verfall|válid[oa] hasta|caduc|vencim|validade|scaden|geldig tot|verloopt|jusqu/iu,
  ],
  [
    ["SSN"],
    /social security|social insurance|\bssn\b|\bsocial\b|sozialversicherung|sécurité sociale|seguridad social|segurança social|codice fiscale|burgerservice|\bbsn\b/iu,
  ],
  [
    ["LOCATION_ZIP"],
    /\bzip\b|postal code|post ?code|postleitzahl|\bplz\b|code postal|código postal|codice postale|\bcap\b/iu,
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
    /phone|call|dial|mobile|\bcell|fax|text me|telefon|teléfono|handy|téléphone|numéro|n[uú]mero|portable|móvil|llám|telefone|celular|cellulare|telefoon|nummer|number/iu,
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
    for (const type of cued) if (type !== "PHONE_NUMBER" && type !== "CVV" && type !== "LOCATION_ZIP") kinds.add(type);
  if (length >= LEAST_IDENTIFIER_DIGITS) kinds.add("NUMERICAL_PII").add("ACCOUNT_NUMBER").add("BANK_ACCOUNT");
  if (length === 5 || (length === 9 && cuedAs("LOCATION_ZIP"))) kinds.add("LOCATION_ZIP");
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
  // "zip is ten thousand one"
  [["LOCATION_ZIP"], /(?:\bzip|postal code|postcode)(?: code)?(?: is| was)?[:,]? (\d{2},\d{3}\b)(?!,)(?! \p{Ll})/giu],
  [["USERNAME"], /(?:user ?name|handle|log ?in|screen name)(?: (?:is|was))?:? ([^\s.,;!?]+)/giu],
];
/** House number and street, as English and a few others write them. */
const ADDRESS =
  /\b\d{1,5}[a-z]? (?:\d{1,3}(?:st|nd|rd|th)\s(?=str|st\b|ave|road|rd\b|boul|blvd|drive)|(?:\p{Lu}[\p{L}'.-]*\s){1,4})(?:street|st|avenue|ave|road|rd|lane|ln|drive|dr|boulevard|blvd|way|court|ct|square|place|terrace|crescent|close|parkway|highway)\b(?:,? (?:apartment|apt|suite|unit) \w+)?/giu;
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
function spokenDigits(text: string): string {
  let [digits, times] = ["", 1];
  for (const word of text.toLowerCase().split(/[,.]? |-/)) {
    const digit = DIGIT_OF.get(word);
    if (digit !== undefined) digits += digit.repeat(times);
    times = digit !== undefined ? 1 : word === "double" ? 2 : 3;
  }
  return digits;
}

/** "2.10", "3.14.85": behind "version", it is none of a date. */
const VERSION_FORM = /^\d{1,2}(?:\.\d{1,2}){1,2}$/;

interface Located {
  types: string[];
  from: number;
  to: number;
}

/** Words between a cue and a number of few digits which make it an amount, a time or the number of something. */
const OTHER_NUMBER =
  /(?<![\p{L}])(?:at|by|around|about|for|since|before|after|between|over|under|than|has|have|had|got|opened|fees?|balance|price|costs?|total|amount|payments?|bill|manager|holders?|event|security(?! code)|um|gegen|seit|vor|nach|über|unter|für|hat|habe|gebühr|preis|kostet|à|vers|depuis|avant|après|pour|frais|prix|coûte|las|desde|hasta|precio|cuesta|às|desde|preço|custa|alle|verso|prezzo|costa|voor|sinds|kosten)(?![\p{L}])/iu;
const MOST_WORDS_TO_NUMBER = 4;
/** Words of the longest cue. */
const CUE_WORDS = 3;
/** Of other kinds, few digits are amounts more often: "the tax is four fifty". */
const SHORT_CODE =
  /\bpin\b|passcode|password|\bcode\b|(?:member|policy|badge|employee|student|tax) (?:id|number|code)/iu;

/** Kinds of a number of few digits: a word just before says what it is. */
function shortKinds({ digits, groups }: SpokenDigits, before: string, after: string): string[] {
  // "Twelve fifty" is an amount or a time more often than "one two five zero".
  const isPair = digits.length < LEAST_PHONE_DIGITS && groups.some(({ length }) => length > 1);
  if (digits.length < LEAST_CUED_DIGITS || UNIT.test(after)) return [];
  // From the nearest word on backwards, so that the first match is the last one of the text.
  const starts = [...before.matchAll(/[\p{L}\p{N}'’]+/gu)].map(({ index }) => index).toReversed();
  const isNear = (cue: RegExp) => {
    const from = starts.slice(0, MOST_WORDS_TO_NUMBER + CUE_WORDS).find((start) => cue.test(before.slice(start)));
    const found = from === undefined ? undefined : cue.exec(before.slice(from));
    if (from === undefined || !found || OTHER_CODE.test(before.slice(0, from + found.index))) return false;
    // The rest of the cue's word, as of "expiry" and "Kontonummer", is none of the words between.
    const between = before.slice(from + found.index + found[0].length).replace(/^[\p{L}\p{N}'’]+/u, "");
    const words = between.match(/[\p{L}\p{N}'’]+/gu) ?? [];
    if (words.length > MOST_WORDS_TO_NUMBER || OTHER_NUMBER.test(between)) return false;
    return !isPair || cue === CVV_CUE || NUMBER_WORD.test(between) || LINKING_WORDS.test(words.join(" "));
  };
  const kinds = CUES.filter(([types, cue]) => isNear(types.includes("NUMERICAL_PII") ? SHORT_CODE : cue));
  if (kinds.length === 0) return [];
  return kindsOf(digits, digits, before).filter((kind) => kinds.some(([types]) => types.includes(kind)));
}

/** Digits in pairs are amounts as often as numbers of things: fewer of them need a word before that says what they are. */
function inPairs(text: string, language: string): Located[] {
  return spokenDigitsIn(text, language).flatMap((run) => {
    const { digits, from, to } = run;
    const before = text.slice(Math.max(0, from - CUE_CHARACTERS), from);
    const after = text.slice(to, to + CUE_CHARACTERS);
    const isShort = digits.length < LEAST_IDENTIFIER_DIGITS || run.groups.length === 2;
    if (BIRTH_CUE.test(before) && isSpokenDate(run) && !UNIT.test(after)) return [{ types: ["DATE", "DOB"], from, to }];
    if (isYears(digits)) return [];
    if (isShort) {
      const types = shortKinds(run, before, after);
      return types.length > 0 ? [{ types, from, to }] : [];
    }
    const isCued = CUES.some(([, cue]) => cue.test(before));
    if ((!isCued && !isLongNumber(run)) || isNumberList(run)) return [];
    const types = kindsOf(digits, digits, before);
    return types.length > 0 ? [{ types, from, to }] : [];
  });
}

/** @param languages  of the text, whose words for digits are known */
function locate(text: string, languages: readonly string[]): Located[] {
  const located = languages.flatMap((language) => inPairs(text, language));
  for (const [types, pattern] of FORMS) {
    for (const match of text.matchAll(pattern)) {
      if (types.includes("IP_ADDRESS") || VERSION_FORM.test(match[0])) {
        const before = text.slice(Math.max(0, match.index - CUE_CHARACTERS), match.index);
        if (isNumbering(match[0], before)) continue;
      }
      const [start, end] = [match.index, match.index + match[0].length];
      const from = types.includes("EMAIL_ADDRESS") ? startOfEmail(text, start, languages) : start;
      const to = types.includes("DATE") ? endOfDate(text, start, end) : end;
      located.push({ types: [...types], from, to });
    }
  }
  for (const match of text.matchAll(BARE_DATE)) {
    const before = text.slice(Math.max(0, match.index - CUE_CHARACTERS), match.index);
    const to = match.index + match[0].length;
    if (BIRTH_CUE.test(before) && !UNIT.test(text.slice(to, to + CUE_CHARACTERS)))
      located.push({ types: ["DATE", "DOB"], from: match.index, to });
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
    const before = text.slice(Math.max(0, match.index - CUE_CHARACTERS), match.index);
    if (VERSION_FORM.test(match[0]) && isNumbering(match[0], before)) continue;
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
