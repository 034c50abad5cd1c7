// Numbers that belong together: "two or three hundred", "twenty, thirty, or forty thousand dollars", "from two thousand one to two
// thousand nine".
import { isMagnitude, wholeNumber } from "./english-numbers.ts";
import type { Reading } from "./english-reading.ts";
import type { Run } from "./english-runs.ts";
import { CURRENCIES, MEASURES, SYMBOLS } from "./english-units.ts";

/** Longer lists are read as far as this; the bound makes the search linear in the text. */
const MOST_LISTED = 8;

/** No number has more words; the bound makes the search linear in the text. */
const MOST_NUMBER_WORDS = 16;

/** The numbers on both sides of a number, also inside of a run: "two hundred and three hundred". */
function partsAround(reading: Reading, run: Run): [before: Run | undefined, behind: Run | undefined] {
  const whole = reading.runAround(run.from);
  if (!whole || whole === run) return reading.neighbours(run);
  const [before, behind] = reading.neighbours(whole);
  const wordAt = (at: number) => whole.words[at - whole.from];
  let start = run.from - 1;
  while (start > whole.from && wordAt(start - 1) !== "and" && run.from - start < MOST_NUMBER_WORDS) start--;
  let end = run.to + 1;
  while (end < whole.to && wordAt(end) !== "and" && end - run.to < MOST_NUMBER_WORDS) end++;
  const part = (from: number, to: number): Run => ({
    from,
    to,
    words: whole.words.slice(from - whole.from, to - whole.from),
  });
  return [
    run.from - 1 > whole.from ? part(start, run.from - 1) : before,
    run.to + 1 < whole.to ? part(run.to + 1, end) : behind,
  ];
}

/** What stands between two numbers of a list. */
type Link = "word" | "comma" | "comma and word";

function linkOf(reading: Reading, left: Run, right: Run): Link | undefined {
  const hasComma = reading.pieces[left.to - 1]?.mark === ",";
  if (right.from === left.to) return hasComma ? "comma" : undefined;
  const isJoiner = right.from === left.to + 1 && /^(?:or|to|and)$/.test(reading.text(left.to));
  if (!isJoiner || reading.next(right.from) === "") return undefined;
  if (hasComma) return reading.text(left.to) === "to" ? undefined : "comma and word";
  return reading.next(left.to) === "" ? undefined : "word";
}

/** @returns the next number of the list that a number is in */
function listedBehind(reading: Reading, run: Run): { run: Run; link: Link } | undefined {
  const [before, behind] = partsAround(reading, run);
  const link = behind && linkOf(reading, run, behind);
  if (!behind || !link) return undefined;
  // "I have two, and three thousand people came" is no list.
  const isList = link !== "comma and word" || (before !== undefined && linkOf(reading, before, run) === "comma");
  return isList ? { run: behind, link } : undefined;
}

const isMultiple = ({ words }: Run) => words.length > 1 && /^(?:hundred|thousand)$/.test(words.at(-1) ?? "");

/** Whether a number can share the last unit of a later one, as in "three hundred to four hundred thousand", where both count thousands. */
function isLesser({ words }: Run, multiple: Run): boolean {
  const isOfThousands = multiple.words.at(-1) === "thousand";
  if (words.some((word) => isMagnitude(word) || (word === "hundred" && !isOfThousands))) return false;
  const factor = wholeNumber(multiple.words.slice(0, -1));
  const value = wholeNumber(words);
  return value !== undefined && value > 0 && factor !== undefined && value < factor;
}

/** "Two or three hundred", "ten to twenty thousand": whether the first numbers are ones of hundreds or thousands, too. */
export function isInSharedMultiple(reading: Reading, run: Run): boolean {
  const [before] = partsAround(reading, run);
  if (isMultiple(run) && before && listedBehind(reading, before) && isLesser(before, run)) return true;
  let behind = listedBehind(reading, run)?.run;
  for (let count = 1; behind && count < MOST_LISTED; count++) {
    if (isMultiple(behind) && isLesser(run, behind)) return true;
    behind = listedBehind(reading, behind)?.run;
  }
  return false;
}

/** The sign of a currency that only the last number of a range or list has: "two or three dollars". */
export function sharedSign(reading: Reading, run: Run): string | undefined {
  if (/^(?:no|any|every|some|each|that|this|the|which|of)$/.test(reading.before(run.from))) return undefined;
  let next = listedBehind(reading, run);
  for (let count = 1; next && count < MOST_LISTED; count++) {
    const behind = listedBehind(reading, next.run);
    if (behind) {
      next = behind;
      continue;
    }
    const word = reading.next(next.run.to);
    const sign = word === "yen" || word.endsWith("s") ? CURRENCIES.get(word) : undefined;
    const isRange =
      next.link === "comma and word" ||
      (next.link === "word" && (reading.text(next.run.from - 1) !== "and" || reading.before(run.from) === "between"));
    return isRange ? sign : undefined;
  }
  return undefined;
}

/** @returns the numbers right before and behind a number that "and", "or", "to" or a comma tie to it */
export function tiedTo(reading: Reading, run: Run): Run[] {
  const [before, behind] = partsAround(reading, run);
  return [
    ...(before && linkOf(reading, before, run) ? [before] : []),
    ...(behind && linkOf(reading, run, behind) ? [behind] : []),
  ];
}

const LEAST_LARGE = 10;

/** A number below ten has the form of the one beside it: "five to ten", "nine out of ten", "two to three percent". */
export function isBesideDigits(reading: Reading, { from, to, words }: Run): boolean {
  if (words.length > 1) return false;
  const isLargeRun = (run: Run | undefined) => {
    const value = run && (wholeNumber(run.words) ?? 0);
    return value !== undefined && value >= LEAST_LARGE;
  };
  const isInDigits = (run: Run | undefined) => {
    if (!run) return false;
    if (isLargeRun(run)) return true;
    const isOfUnit =
      MEASURES.test(reading.next(run.to)) ||
      reading.says(run.to, "per cent") ||
      reading.next(run.to) === "percent" ||
      SYMBOLS.some(([said]) => reading.says(run.to, said));
    return isOfUnit && (wholeNumber(run.words) ?? 0) > (wholeNumber(words) ?? 0);
  };
  const joiner = reading.next(to);
  const isRange = /^(?:to|or|through)$/.test(joiner) || (joiner === "and" && reading.before(from) === "between");
  if (
    isRange &&
    isInDigits(reading.runAt(to + 1)) &&
    !/^(?:no|any|every|some|each|that|this|the|which)$/.test(reading.before(from))
  )
    return true;
  return reading.says(to, "out of") && isLargeRun(reading.runAt(to + 2));
}
