// Units, currencies and the like that English says behind a number.

/** Symbols that stand behind a number, by what is said; the longest first. */
export const SYMBOLS: readonly [said: string, symbol: string][] = [
  ["kilometers per hour", "km/h"],
  ["kilometres per hour", "km/h"],
  ["kilometers an hour", "km/h"],
  ["kilometres an hour", "km/h"],
  ["miles per hour", "mph"],
  ["miles an hour", "mph"],
  ["kilowatt hours", "kWh"],
  ["square meters", "m²"],
  ["square metres", "m²"],
  ["kilometers", "km"],
  ["kilometres", "km"],
  ["kilometer", "km"],
  ["kilometre", "km"],
  ["kilograms", "kg"],
  ["kilogram", "kg"],
  ["centimeters", "cm"],
  ["centimetres", "cm"],
  ["centimeter", "cm"],
  ["centimetre", "cm"],
  ["millimeters", "mm"],
  ["millimetres", "mm"],
  ["millimeter", "mm"],
  ["millimetre", "mm"],
  ["milligrams", "mg"],
  ["milligram", "mg"],
  ["milliliters", "ml"],
  ["millilitres", "ml"],
  ["milliseconds", "ms"],
  ["kilobytes", "KB"],
  ["megabytes", "MB"],
  ["gigabytes", "GB"],
  ["terabytes", "TB"],
  ["megahertz", "MHz"],
  ["gigahertz", "GHz"],
  ["kilohertz", "kHz"],
  ["kilowatts", "kW"],
  ["megawatts", "MW"],
];

/** Before these units, two numbers in a row are one number: "one twenty five milligrams". */
const PAIR_UNITS =
  /^(?:percent|pounds|feet|yards?|rpm|bpm|beats|cc|mcg|micrograms|mg|ml|kg|km|mph|horsepower|units|watts|lumens|kilos?|knots|hertz|decibels|calories|horses|bucks)$/;

export const CURRENCIES: ReadonlyMap<string, string> = new Map([
  ["dollar", "$"],
  ["dollars", "$"],
  ["euro", "€"],
  ["euros", "€"],
  ["yen", "¥"],
  ["rupees", "₹"],
]);

/** Measures that even a number below ten is written in digits with. */
export const MEASURES =
  /^(?:ounces?|inch(?:es)?|miles?|gallons?|liters?|litres?|met(?:er|re)s?|grams?|tons?|tonnes?|degrees?|volts?|watts?|amps?|acres?|calories|cents?|pence)$/;

/** Whether a unit begins at a piece. */
export function isMeasure(
  reading: { next(at: number): string; says(at: number, phrase: string): boolean },
  at: number,
) {
  const next = reading.next(at);
  if (next === "" || next === "cents" || next === "pence") return false;
  // "three twenty pound notes"
  if (next === "pound" && /^(?:notes?|coins?)$/.test(reading.next(at + 1))) return false;
  if (/^(?:degree|pound|inch|foot|mile|ounce|gallon|watt|volt|acre|calorie)$/.test(next)) return true;
  return MEASURES.test(next) || PAIR_UNITS.test(next) || SYMBOLS.some(([said]) => reading.says(at, said));
}

/** In the singular behind a number above one, they make an adjective: "sixteen ounce glass". */
export const SINGULAR_UNITS =
  /^(?:ounce|pound|inch|foot|mile|line|page|year|day|week|month|hour|minute|gallon|meter|metre|liter|litre|acre|story|bedroom|watt|volt|point|degree|piece|member|man|mile|step|part|seat|room|word|character)$/;
/** What may not follow such an adjective: it is none there. */
export const NOT_A_NOUN =
  /^(?:a|an|and|are|as|at|been|but|by|each|every|for|from|has|have|he|her|his|i|if|in|into|is|it|its|my|not|of|off|on|or|our|out|over|per|she|so|than|that|the|their|then|there|these|they|this|those|to|up|was|we|were|what|when|which|while|who|will|with|you|your|later|ago|before|after|old)$/;

export const MONTH = /^(?:january|february|march|april|may|june|july|august|september|october|november|december)$/;
/** They are other words in small letters. */
export const AMBIGUOUS_MONTH = /^(?:march|may|august)$/;

/** Words that a number follows as a name, as in "chapter three": small numbers are written in digits there, too. */
export const NUMBERED =
  /^(?:chapter|page|section|room|version|volume|episode|season|verse|flight|gate|platform|route|highway|interstate|apartment|suite|extension|figure|paragraph|article|exit|channel|item)$/;

/** What is counted, so that two numbers before it are no year and no time: "around twenty twenty people". */
export const COUNTED =
  /^(?:people|persons|men|women|children|kids|guests|students|others|of|times|percent|dollars?|euros?|pounds|cents|yen|rupees|years?|months?|weeks?|days?|hours?|minutes?|seconds?|miles|meters|metres|kilometers|kilometres|feet|inches)$/;
/** What lasts for seconds: "sixty second timer". */
export const LASTING =
  /^(?:ad|advert|break|buzzer|clip|commercial|countdown|cycle|delay|drill|exposure|gap|head|hold|interval|interview|lead|limit|mark|message|pause|penalty|pitch|plank|recording|rest|rule|run|shot|silence|slot|spot|sprint|timeout|timer|video|wait|warning|window)s?$/;
/** What "twenty second" is an ordinal behind or before. */
export const BEFORE_ORDINAL = /^(?:the|this|that|my|your|his|her|its|our|their|every|each|on|happy|.*'s)$/;
export const AFTER_ORDINAL =
  /^(?:street|avenue|floor|century|birthday|anniversary|amendment|infantry|regiment|division|annual|of|place|president)$/;
/** Behind a month, they do not count: "on January five we met". */
export const AFTER_DAY =
  /^(?:a|and|as|at|but|he|i|is|it|she|that|the|they|this|to|until|till|through|was|we|were|when|which|will|you|from|in)$/;

/** Words before a number that names something: "room four twelve". It has no comma, and two numbers in a row are one. */
export const LABEL =
  /^(?:room|flight|gate|platform|route|highway|freeway|interstate|apartment|suite|extension|channel|bus|page|exit|box|unit|locker|cabin|code|windows|office|boeing|airbus|xbox|porsche|audi|bmw|mercedes|peugeot|galaxy|iphone|nokia|pentium|geforce|radeon|rtx|gtx|ryzen)$/;
/** It stands between a label and its number. */
export const NUMBER_WORD = /^(?:number|no)$/;
export const STREET =
  /^(?:street|st|avenue|ave|road|rd|lane|ln|drive|dr|boulevard|blvd|way|court|ct|square|place|terrace|crescent|close|parkway|highway|hwy|circle|trail|row|alley|plaza|pike|turnpike)\.?$/;

export const TIME_PREPOSITION = /^(?:at|by|until|till|til|from|around|before|after|since)$/;
export const YEAR_PREPOSITION =
  /^(?:in|year|of|since|from|until|till|by|during|before|after|about|around|circa|ad|bc|late|early|mid)$/;
export const MERIDIEM = /^[ap]\.?m\.?$/;
