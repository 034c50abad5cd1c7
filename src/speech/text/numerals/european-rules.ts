// What six languages say around numbers, without accents, and how each writes it.

export interface LanguageRules {
  /** Inside of one word, too ("zweitausend"). */
  thousand: readonly string[];
  /** Words that stay behind their number. */
  millions: readonly string[];
  /** Between groups. */
  and: readonly string[];
  point: readonly string[];
  percent: readonly string[];
  /** Whether a space stands before "%". */
  spacesPercent: boolean;
  currencies: Readonly<Record<string, string>>;
  cents: readonly string[];
  /** "before" writes "€ 20". */
  currencyPlace: "before" | "behind";
  months: readonly string[];
  /** Between a day and its month: "de" in Spanish. */
  ofMonth: readonly string[];
  firstDay: Readonly<Record<string, string>>;
  groups: string;
  /** Hours and minutes: what is said between, and what is written. */
  clock: { said: readonly string[]; and?: string; write(hours: number, minutes: string): string; keepsWord: boolean };
  /** Words before an hour that no word of its own follows, with accents. */
  clockBefore?: readonly string[];
  /** Words before one o'clock. */
  hourOne?: readonly string[];
  /** Words before "hundred" of a percentage: "pour cent" is no number. */
  notBefore: readonly string[];
}

const UNITS_OF_EUROPE: Readonly<Record<string, string>> = {
  kilometer: "km",
  kilometre: "km",
  kilometres: "km",
  kilometros: "km",
  quilometros: "km",
  chilometri: "km",
  kilogramm: "kg",
  kilogram: "kg",
  kilogrammes: "kg",
  kilogramos: "kg",
  quilogramas: "kg",
  chilogrammi: "kg",
  zentimeter: "cm",
  centimeter: "cm",
  centimetres: "cm",
  centimetros: "cm",
  centimetri: "cm",
  millimeter: "mm",
  millimetres: "mm",
  milimetros: "mm",
  millimetri: "mm",
  gigabyte: "GB",
  gigabytes: "GB",
  megabyte: "MB",
  megabytes: "MB",
};
export const unitSymbol = (word: string) => UNITS_OF_EUROPE[word];

const list = (text: string) => text.split(" ");

export const RULES: Readonly<Record<string, LanguageRules>> = {
  de: {
    thousand: ["tausend"],
    millions: list("million millionen milliarde milliarden"),
    and: [],
    point: ["komma"],
    percent: ["prozent"],
    spacesPercent: true,
    currencies: { euro: "€", dollar: "$" },
    cents: ["cent"],
    currencyPlace: "behind",
    months: list("januar februar marz april mai juni juli august september oktober november dezember"),
    ofMonth: [],
    firstDay: {},
    groups: ".",
    clock: { said: ["uhr"], write: (hours, minutes) => `${hours}:${minutes}`, keepsWord: true },
    notBefore: [],
  },
  nl: {
    thousand: ["duizend"],
    millions: list("miljoen miljard"),
    and: ["en"],
    point: ["komma"],
    percent: ["procent"],
    spacesPercent: false,
    currencies: { euro: "€", dollar: "$" },
    cents: ["cent"],
    currencyPlace: "before",
    months: list("januari februari maart april mei juni juli augustus september oktober november december"),
    ofMonth: [],
    firstDay: {},
    groups: ".",
    clock: { said: ["uur"], write: (hours, minutes) => `${hours}.${minutes}`, keepsWord: true },
    notBefore: [],
  },
  fr: {
    thousand: ["mille"],
    millions: list("million millions milliard milliards"),
    and: [],
    point: ["virgule"],
    percent: ["pour cent"],
    spacesPercent: true,
    currencies: { euro: "€", euros: "€", dollar: "$", dollars: "$" },
    cents: ["centimes", "cents"],
    currencyPlace: "behind",
    months: list("janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre"),
    ofMonth: [],
    firstDay: { premier: "1er" },
    groups: " ",
    clock: { said: ["heures", "heure"], write: (hours, minutes) => `${hours}h${minutes}`, keepsWord: false },
    notBefore: ["pour"],
  },
  es: {
    thousand: ["mil"],
    millions: list("millon millones"),
    and: [],
    point: ["coma", "punto"],
    percent: ["por ciento"],
    spacesPercent: true,
    currencies: { euro: "€", euros: "€", dolar: "$", dolares: "$" },
    cents: ["centimos", "centavos"],
    currencyPlace: "behind",
    months: list("enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"),
    ofMonth: ["de"],
    firstDay: { primero: "1" },
    groups: ".",
    clock: { said: [], and: "y", write: (hours, minutes) => `${hours}:${minutes}`, keepsWord: false },
    clockBefore: ["las"],
    hourOne: list("a desde hasta sobre es").map((word) => `${word} la`),
    notBefore: ["por"],
  },
  pt: {
    thousand: ["mil"],
    millions: list("milhao milhoes"),
    and: ["e"],
    point: ["virgula", "ponto"],
    percent: ["por cento"],
    spacesPercent: false,
    currencies: { euro: "€", euros: "€", dolar: "$", dolares: "$", reais: "R$", real: "R$" },
    cents: ["centavos", "centimos"],
    currencyPlace: "behind",
    months: list("janeiro fevereiro marco abril maio junho julho agosto setembro outubro novembro dezembro"),
    ofMonth: ["de"],
    firstDay: { primeiro: "1º" },
    groups: ".",
    clock: { said: ["horas", "hora"], and: "e", write: (hours, minutes) => `${hours}h${minutes}`, keepsWord: false },
    clockBefore: ["às"],
    hourOne: ["à"],
    notBefore: ["por"],
  },
  it: {
    thousand: ["mila", "mille"],
    millions: list("milione milioni miliardo miliardi"),
    and: [],
    point: ["virgola"],
    percent: ["per cento", "percento"],
    spacesPercent: false,
    currencies: { euro: "€", dollaro: "$", dollari: "$" },
    cents: ["centesimi"],
    currencyPlace: "behind",
    months: list("gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre"),
    ofMonth: [],
    firstDay: { primo: "1º" },
    groups: ".",
    clock: { said: [], and: "e", write: (hours, minutes) => `${hours}:${minutes}`, keepsWord: false },
    clockBefore: ["alle", "ore"],
    notBefore: ["per"],
  },
};
