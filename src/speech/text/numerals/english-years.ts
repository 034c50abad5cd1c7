// Years and decades in English: "nineteen eighty four", "from two thousand one to two thousand nine".
import { decadeOf, isDigits, isPartlyDigits, twoPairs, wholeNumber } from "./english-numbers.ts";
import { isLabelled } from "./english-pairs.ts";
import { tiedTo } from "./english-ranges.ts";
import type { Reading } from "./english-reading.ts";
import type { Run } from "./english-runs.ts";
import { isSum } from "./english-sums.ts";
import { isNoun, isPriceOrMeasure } from "./english-times.ts";
import {
  COUNTED,
  CURRENCIES,
  isMeasure,
  NOT_A_NOUN,
  SINGULAR_UNITS,
  TIME_PREPOSITION,
  YEAR_PREPOSITION,
} from "./english-units.ts";
import { type Edit, isJoined } from "./pieces.ts";

const FIRST_RECENT = 2001;
const LAST_RECENT = 2029;
/** "in nineteen ninety nine and two thousand" */
const FIRST_TIED = 1900;
/** What is named by its year: "the two thousand eight crisis". */
const EVENT =
  /^(?:crisis|census|olympics|games|elections?|series|finals|playoffs|primaries|championships?|season|recession|world|super|summer|winter|tax|fiscal|edition|model|report)$/;
/** Before them, a number is an amount: "it costs two thousand ten". */
const AMOUNT =
  /^(?:about|nearly|almost|over|than|exactly|another|under|least|most|approximately|roughly|only|just|costs?|paid|pays?|weighs?|won|sold|totals?|counted|equals?|are|were|have|has|had|got|owes?|owed|makes?|made|earns?|earned|plus|minus|times|points?)$/;
const COUNT = /^(?:total|totals|sum|count|amount|balance|number|attendance|bill|salary|rent)$/;
const COUNT_PIECES = 6;

/** "maybe fifteen twenty", "eighteen twenty at most": two guesses. */
const GUESS = /^(?:maybe|like|perhaps|probably|possibly|say|roughly|approximately|nearly|almost|least|most)$/;
const GUESS_BEHIND = ["or so", "at most", "at least", "at best", "tops", "max", "maximum", "or something"];
const MOST_GUESS_STEP = 10;

function isGuess(reading: Reading, { from, to, words }: Run, [first, second]: [number, number]): boolean {
  if (words.length !== 2 || second <= first || second - first > MOST_GUESS_STEP) return false;
  return GUESS.test(reading.before(from)) || GUESS_BEHIND.some((phrase) => reading.says(to, phrase));
}

/** What a thing has a number of: "twenty ten gigabyte drives" are twenty. */
const OF_EACH =
  /^(?:bed|bit|byte|cent|channel|character|core|count|cylinder|digit|dollar|door|episode|euro|floor|gallon|(?:kilo|mega|giga|tera)?byte|(?:mega)?pixel|hour|key|lane|letter|level|minute|month|pack|part|person|player|port|question|seater|second|speed|stage|storey|string|track|unit|week)$/;

const LEAST_CENTURY_OF_THING = 18;

/** Not "in twenty nineteen unit sales fell", "the twenty eighteen player awards". */
function isCountOfEach(reading: Reading, { from, to }: Run, century: number): boolean {
  const isDated =
    /^(?:the|in|since|during|year|until|till|circa)$/.test(reading.before(from)) || reading.isMonth(from - 1);
  if (isDated && century >= LEAST_CENTURY_OF_THING) return false;
  return (OF_EACH.test(reading.next(to)) || SINGULAR_UNITS.test(reading.next(to))) && isNoun(reading, to + 1);
}

/** Whether the words around a number make it a price, another sum or a measure. */
const isAmount = (reading: Reading, run: Run) => isPriceOrMeasure(reading, run) || isSum(reading, run);

/** "Nineteen hundred and eighty four" at the start of a sentence; elsewhere it is an amount if no year is named before it. */
function isHundredsAndYear(reading: Reading, run: Run): boolean {
  const { from, to, words } = run;
  const isHundreds = words[1] === "hundred" && words[2] === "and";
  if (!isHundreds || !/^(?:thir|four|fif|six|seven|eigh|nine)teen$/.test(words[0] ?? "")) return false;
  return reading.isFirst(from) && !countsSomething(reading, to) && !isAmount(reading, run);
}

/** Whether something is counted or measured behind a number. */
function countsSomething(reading: Reading, to: number): boolean {
  const next = reading.next(to);
  if (EVENT.test(next)) return false;
  if (COUNTED.test(next) && !/^(?:times|of)$/.test(next)) return true;
  return isNoun(reading, to) || isMeasure(reading, to) || CURRENCIES.has(next);
}

/** A year of two pairs, or one that a recogniser wrote. */
function isPlainYear({ words }: Run): boolean {
  const [century = 0] = twoPairs(words) ?? [];
  if (century >= 13 && century <= 20) return true;
  return words.length === 1 && /^(?:1[3-9]|20)\d\d$/.test(words[0] ?? "");
}

function isRecent({ words }: Run): boolean {
  const value = wholeNumber(words) ?? 0;
  return value >= FIRST_RECENT && value <= LAST_RECENT && words[0] === "two";
}

/** "from two thousand to three thousand people": whether a number that a word ties to this one counts something. */
function isRangeOfAmounts(reading: Reading, { to }: Run, joiner: RegExp): boolean {
  const other = joiner.test(reading.next(to)) && reading.next(to + 1) !== "" ? reading.runAt(to + 1) : undefined;
  return other !== undefined && countsSomething(reading, other.to);
}

/** A year from 2000 on that no word before it names as one: "two thousand eight was a bad year". */
function isBareYear(reading: Reading, run: Run, value: number): boolean {
  const { from, to } = run;
  if (countsSomething(reading, to) || isLabelled(reading, from)) return false;
  if (isRangeOfAmounts(reading, run, /^(?:and|or|to)$/)) return false;
  const isTied = tiedTo(reading, run).some(
    (other) => isPlainYear(other) || (isRecent(other) && value >= FIRST_RECENT - 1),
  );
  if (!isRecent(run)) return isTied && value >= FIRST_TIED;
  if (AMOUNT.test(reading.before(from))) return false;
  if (isTied || EVENT.test(reading.next(to))) return true;
  const isCount = reading.sentenceBefore(from, COUNT_PIECES).some(({ text }) => COUNT.test(text));
  return !isCount && !isAmount(reading, run);
}

/** "They won twenty seventeen", "they beat us twenty nineteen". "They won the twenty nineteen election" names a year. */
function isScore(reading: Reading, from: number): boolean {
  const before = reading.before(from);
  if (/^(?:won|wins?|lost|loses?|beats?|leads?|led|trails?|trailed)$/.test(before)) return true;
  return /^beats?$/.test(reading.before(from - 1)) && !NOT_A_NOUN.test(before);
}

/** "20/15 vision": a plan may be called "our 2030 vision". */
function isEyesight(reading: Reading, { from, to }: Run, rest: number): boolean {
  const next = reading.next(to);
  if (next === "eyesight" || (next === "vision" && rest === 20)) return true;
  const isOwned = next === "vision" && /^(?:has|have|had|having|with)$/.test(reading.before(from));
  // "Twenty thirty vision statements" are of a year.
  const isOfPlan =
    /^(?:statement|plan|document|program|programme|initiative|goal|project|framework|report|target)s?$|^strateg(?:y|ies)$/;
  return isOwned && !isOfPlan.test(reading.next(to + 1));
}

export function year(reading: Reading, run: Run): Edit[] | undefined {
  const { from, to, words } = run;
  const before = reading.before(from);
  const hasContext =
    YEAR_PREPOSITION.test(before) ||
    reading.isMonth(from - 1) ||
    (reading.isMonth(from - 2) && isJoined(reading.pieces, from - 2)) ||
    /^(?:ad|bc|a\.d\.|b\.c\.)$/.test(reading.next(to));
  // "in ten fifteen", "around eleven thirty" may be times.
  const isDated = hasContext && !TIME_PREPOSITION.test(before) && !/^(?:about|in|of)$/.test(before);
  const decade = decadeOf(words);
  if (decade !== undefined) {
    // "nineteen ninety's best film" may be of the year.
    const isOfYear = words.at(-1)?.endsWith("'s") === true && !/^(?:the|early|late|mid)$/.test(before);
    return [{ from, to, text: `${decade}${isOfYear ? "'" : ""}s` }];
  }
  const [century, rest] = isPartlyDigits(words) && !hasContext ? [] : (twoPairs(words) ?? []);
  if (century !== undefined && rest !== undefined && century >= 10 && century <= 20) {
    if (COUNTED.test(reading.next(to)) && !/^(?:times|of|hours?)$/.test(reading.next(to))) return undefined;
    if (isAmount(reading, run) || isScore(reading, from)) return undefined;
    if (isCountOfEach(reading, run, century) || (!hasContext && isGuess(reading, run, [century, rest])))
      return undefined;
    // "out of twenty thirteen failed"
    if (before === "of" && reading.before(from - 1) === "out") return undefined;
    if (century < 13 && rest < 60 && !isDated) return undefined;
    if (rest === century + 1 && !hasContext) return undefined;
    if (century === 20 && isEyesight(reading, run, rest)) return [{ from, to, text: `20/${rest}` }];
    return [{ from, to, text: String(century * 100 + rest) }];
  }
  const value = wholeNumber(words);
  if (value === undefined || value < 1000 || value >= 2100 || isDigits(words[0] ?? "")) return undefined;
  const isNamed = hasContext && before !== "about" && before !== "around";
  if (isRangeOfAmounts(reading, run, /^(?:or|to)$/)) return undefined;
  const isYear =
    (isNamed && !isNoun(reading, to)) || isBareYear(reading, run, value) || isHundredsAndYear(reading, run);
  return isYear ? [{ from, to, text: String(value) }] : undefined;
}
