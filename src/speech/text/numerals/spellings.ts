// How six languages say the numbers below a thousand, without accents and hyphens: made from their rules, not listed.
import { normalized } from "../../../contract/normalized.ts";

export type Spellings = ReadonlyMap<string, number>;

/** Letters without accents, "ß" as "ss": recognisers drop some, and grammars need not know which. */
export const plainLetters = (text: string) =>
  normalized(text.toLowerCase().replaceAll("ß", "ss"), "NFD").replace(/\p{M}/gu, "");

const list = (text: string) => text.split(" ");

type Spell = (value: number) => string[];

/** Every phrase of 0 to `most` by its number; the first number of a phrase holds. */
function made(spell: Spell, most: number): Spellings {
  const spellings = new Map<string, number>();
  for (let value = 0; value <= most; value++) {
    for (const phrase of spell(value)) {
      const plain = plainLetters(phrase).replaceAll("-", " ");
      if (!spellings.has(plain)) spellings.set(plain, value);
    }
  }
  return spellings;
}

const combined = (left: readonly string[], joints: readonly string[], right: readonly string[]) =>
  left.flatMap((one) => joints.flatMap((joint) => right.map((other) => one + joint + other)));

const DE = list(
  "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn",
);
const DE_TENS = list("zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig");

function german(value: number): string[] {
  if (value < 20) return value === 2 ? ["zwei", "zwo"] : [DE[value] as string];
  if (value < 100) {
    const [tens, ones] = [DE_TENS[Math.floor(value / 10) - 2] as string, value % 10];
    return ones === 0 ? [tens] : [`${ones === 1 ? "ein" : DE[ones]}und${tens}`];
  }
  const [hundreds, rest] = [Math.floor(value / 100), value % 100];
  const head = hundreds === 1 ? ["hundert", "einhundert"] : [`${DE[hundreds]}hundert`];
  return rest === 0 ? head : combined(head, ["", "und"], german(rest));
}

const NL = list(
  "nul een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien",
);
const NL_TENS = list("twintig dertig veertig vijftig zestig zeventig tachtig negentig");

function dutch(value: number): string[] {
  if (value < 20) return [NL[value] as string];
  if (value < 100) {
    const [tens, ones] = [NL_TENS[Math.floor(value / 10) - 2] as string, value % 10];
    if (ones === 0) return [tens];
    const head = NL[ones] as string;
    return [`${head}${head.endsWith("e") ? "ën" : "en"}${tens}`];
  }
  const [hundreds, rest] = [Math.floor(value / 100), value % 100];
  const head = hundreds === 1 ? ["honderd"] : [`${NL[hundreds]}honderd`];
  return rest === 0 ? head : combined(head, ["", "en", " ", " en "], dutch(rest));
}

const IT = list(
  "zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove",
);
const IT_TENS = list("venti trenta quaranta cinquanta sessanta settanta ottanta novanta");

function italian(value: number): string[] {
  if (value < 20) return [IT[value] as string];
  if (value < 100) {
    const [tens, ones] = [IT_TENS[Math.floor(value / 10) - 2] as string, value % 10];
    if (ones === 0) return [tens];
    const stem = ones === 1 || ones === 8 ? tens.slice(0, -1) : tens;
    return [stem + IT[ones]];
  }
  const [hundreds, rest] = [Math.floor(value / 100), value % 100];
  const head = hundreds === 1 ? "cento" : `${IT[hundreds]}cento`;
  if (rest === 0) return [head];
  const tails = italian(rest);
  return [
    ...combined([head], ["", " "], tails),
    ...tails.filter((tail) => tail.startsWith("o")).map((tail) => head.slice(0, -1) + tail),
  ];
}

const FR = list(
  "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf",
);
const FR_TENS = ["vingt", "trente", "quarante", "cinquante", "soixante"];

function french(value: number): string[] {
  if (value < 20) return value === 1 ? ["un", "une"] : [FR[value] as string];
  if (value < 70) {
    const [tens, ones] = [FR_TENS[Math.floor(value / 10) - 2] as string, value % 10];
    if (ones === 0) return [tens];
    return ones === 1 ? [`${tens} et un`, `${tens} et une`] : [`${tens} ${FR[ones]}`];
  }
  if (value < 80) {
    const regional = value === 70 ? ["septante"] : value === 71 ? ["septante et un"] : [`septante ${FR[value - 70]}`];
    return [value === 71 ? "soixante et onze" : `soixante ${FR[value - 60]}`, ...regional];
  }
  if (value < 100) {
    const regional =
      value < 90 ? [] : value === 90 ? ["nonante"] : value === 91 ? ["nonante et un"] : [`nonante ${FR[value - 90]}`];
    return [...(value === 80 ? ["quatre vingts", "quatre vingt"] : [`quatre vingt ${FR[value - 80]}`]), ...regional];
  }
  const [hundreds, rest] = [Math.floor(value / 100), value % 100];
  const head = hundreds === 1 ? ["cent"] : [`${FR[hundreds]} cent`];
  return rest === 0
    ? [...head, ...(hundreds > 1 ? [`${FR[hundreds]} cents`] : [])]
    : combined(head, [" "], french(rest));
}

const ES = list(
  "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve",
);
const ES_TENS = list("treinta cuarenta cincuenta sesenta setenta ochenta noventa");
const ES_HUNDREDS = list(
  "cien doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos",
);

function spanish(value: number): string[] {
  if (value < 30) {
    if (value === 1) return ["uno", "un", "una"];
    return value === 21 ? ["veintiuno", "veintiún", "veintiuna"] : [ES[value] as string];
  }
  if (value < 100) {
    const [tens, ones] = [ES_TENS[Math.floor(value / 10) - 3] as string, value % 10];
    return ones === 0 ? [tens] : combined([tens], [" y "], spanish(ones));
  }
  const [hundreds, rest] = [Math.floor(value / 100), value % 100];
  const name = ES_HUNDREDS[hundreds - 1] as string;
  if (rest === 0) return hundreds === 1 ? ["cien", "ciento"] : [name, name.replace(/os$/, "as")];
  const heads = hundreds === 1 ? ["ciento"] : [name, name.replace(/os$/, "as")];
  return combined(heads, [" "], spanish(rest));
}

const PT = list(
  "zero um dois três quatro cinco seis sete oito nove dez onze doze treze quatorze quinze dezesseis dezessete dezoito dezenove",
);
const PT_TENS = list("vinte trinta quarenta cinquenta sessenta setenta oitenta noventa");
const PT_HUNDREDS = list("cem duzentos trezentos quatrocentos quinhentos seiscentos setecentos oitocentos novecentos");
const PT_VARIANTS: Readonly<Record<number, readonly string[]>> = {
  1: ["um", "uma"],
  2: ["dois", "duas"],
  14: ["quatorze", "catorze"],
  16: ["dezesseis", "dezasseis"],
  17: ["dezessete", "dezassete"],
  19: ["dezenove", "dezanove"],
};

function portuguese(value: number): string[] {
  if (value < 20) return [...(PT_VARIANTS[value] ?? [PT[value] as string])];
  if (value < 100) {
    const [tens, ones] = [PT_TENS[Math.floor(value / 10) - 2] as string, value % 10];
    return ones === 0 ? [tens] : combined([tens], [" e "], portuguese(ones));
  }
  const [hundreds, rest] = [Math.floor(value / 100), value % 100];
  const name = PT_HUNDREDS[hundreds - 1] as string;
  if (rest === 0) return hundreds === 1 ? [name] : [name, name.replace(/os$/, "as")];
  const heads = hundreds === 1 ? ["cento"] : [name, name.replace(/os$/, "as")];
  return combined(heads, [" e "], portuguese(rest));
}

/**
 * "neunzehnhundertvierundachtzig", "negentienhonderd", "dix neuf cent": hundreds from eleven to nineteen.
 * @param plural  ending of whole hundreds: "quinze cents"
 */
function withCenturies(
  spellings: Spellings,
  spell: Spell,
  hundred: string,
  joints: readonly string[],
  plural = "",
): Spellings {
  const all = new Map(spellings);
  for (let century = 11; century <= 19; century++) {
    for (const head of spell(century).map((one) => one + hundred)) {
      const plainHead = plainLetters(head).replaceAll("-", " ");
      all.set(plainHead, century * 100);
      all.set(plainHead + plural, century * 100);
      for (let rest = 1; rest < 100; rest++) {
        for (const tail of combined([plainHead], joints, spell(rest)))
          all.set(plainLetters(tail).replaceAll("-", " "), century * 100 + rest);
      }
    }
  }
  return all;
}

const MOST = 999;
const MAKERS: Readonly<Record<string, () => Spellings>> = {
  de: () => withCenturies(made(german, MOST), german, "hundert", ["", "und"]),
  nl: () => withCenturies(made(dutch, MOST), dutch, "honderd", ["", "en"]),
  it: () => made(italian, MOST),
  fr: () => withCenturies(made(french, MOST), french, " cent", [" "], "s"),
  es: () => made(spanish, MOST),
  pt: () => made(portuguese, MOST),
};

const known = new Map<string, Spellings>();

/** Made when a language is used first: some thousand phrases, a few milliseconds. */
export function spellingsOf(language: string): Spellings | undefined {
  const spellings = known.get(language) ?? MAKERS[language]?.();
  if (spellings) known.set(language, spellings);
  return spellings;
}

interface Speller {
  spell: Spell;
  thousand: string;
  /** Between a number of thousands and "thousand", and behind it. */
  joints: readonly [before: string, behind: string];
  /** "neunzehnhundert": how a year of the centuries 11 to 19 is said, if not by thousands. */
  hundred?: string;
}

const SPELLERS: Readonly<Record<string, Speller>> = {
  de: { spell: german, thousand: "tausend", joints: ["", ""], hundred: "hundert" },
  nl: { spell: dutch, thousand: "duizend", joints: ["", " "], hundred: "honderd" },
  it: { spell: italian, thousand: "mila", joints: ["", ""] },
  fr: { spell: french, thousand: "mille", joints: [" ", " "] },
  es: { spell: spanish, thousand: "mil", joints: [" ", " "] },
  pt: { spell: portuguese, thousand: "mil", joints: [" ", " "] },
};
const FRENCH_TENS = /\b(vingt|trente|quarante|cinquante|soixante|quatre) (?!cent|mille|et\b)/g;
const FRENCH_PLURAL = /(?:cents|vingts)$/;

/**
 * @param isYear  whether four digits are a year, which some languages speak in hundreds
 * @returns undefined above 999,999 and in other languages
 */
export function spelledOut(value: number, language: string, isYear = false): string | undefined {
  const speller = SPELLERS[language];
  if (!speller || value > 999_999) return undefined;
  /** @param isLast  nothing of the number follows: "deux cents", but "deux cent mille" */
  const spell = (part: number, isLast = true) => {
    const spellings = speller.spell(part);
    if (language !== "fr") return spellings[0] ?? "";
    const chosen = spellings.find((one) => FRENCH_PLURAL.test(one) === isLast) ?? spellings[0] ?? "";
    return chosen.replace(FRENCH_TENS, "$1-");
  };
  if (value < 1000) return spell(value);
  const [century, behind] = [Math.floor(value / 100), value % 100];
  if (isYear && speller.hundred && century >= 11 && century <= 19)
    return spell(century) + speller.hundred + (behind === 0 ? "" : spell(behind));
  const [thousands, rest] = [Math.floor(value / 1000), value % 1000];
  const { thousand, joints } = speller;
  const isOne = thousands === 1;
  const head = isOne
    ? language === "it"
      ? "mille"
      : thousand
    : compoundOf(spell(thousands, false), language) + joints[0] + thousand;
  if (rest === 0) return head;
  // Portuguese says "e" before a rest below a hundred, and before whole hundreds.
  const hasAnd = language === "pt" && (rest < 100 || rest % 100 === 0);
  return head + (hasAnd ? " e " : joints[1]) + spell(rest);
}

/** "einundzwanzigtausend" has no "s", "veintiún mil" no "o". */
function compoundOf(text: string, language: string): string {
  if (language === "de") return text.replace(/eins$/, "ein");
  return language === "es" ? text.replace(/veintiuno$/, "veintiún").replace(/uno$/, "un") : text;
}
