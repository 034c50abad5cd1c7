// A written number is shorter than the spoken one, so that the estimated time of its word may end too early. A further pass over
// the rest would then transcribe its last digits a second time.
import { digitsOf } from "../../text/numerals/digits-of.ts";
import type { RecognizedWord } from "../recognizer.ts";

/** One digit may be a coincidence. */
const LEAST_OVERLAP = 2;

type Texts = readonly { text: string }[];
type Timed = readonly { text: string; startSeconds: number; endSeconds: number }[];

/** Digits of the words next to an edge. @param words  from the edge on */
function adjacentDigits(words: Texts, language: string): string[] {
  const digits: string[] = [];
  for (const { text } of words) {
    const own = digitsOf(text, language);
    if (own === undefined) break;
    digits.push(own);
  }
  return digits;
}

/** The word of a number ends at most this many digits too early. A pass that stops before the last of them repeats only the others. */
const MOST_UNREPEATED = 2;

/** A digit that is said. Groups of digits have pauses between them, so that each further digit of a long number may take longer. */
const SECONDS_PER_DIGIT = 0.45;
const PAUSE_SECONDS_PER_DIGIT = 0.35;
const DIGITS_WITHOUT_PAUSE = 3;

const spokenSeconds = (digits: number): number =>
  SECONDS_PER_DIGIT * digits + PAUSE_SECONDS_PER_DIGIT * Math.max(0, digits - DIGITS_WITHOUT_PAUSE);

/** A speaker often repeats a word of at most this many digits: "nine one", "one". */
const MOST_SAID_AGAIN = 2;

/** Number of digits at the beginning of `found` that stand at the end of `before`. */
function repeatedCount(before: string, found: string): number {
  if (found.length === 1 && before.endsWith(found)) return 1;
  const isWithinEnd = before.slice(-found.length - MOST_UNREPEATED).includes(found);
  if (found.length >= LEAST_OVERLAP && isWithinEnd) return found.length;
  for (let count = Math.min(before.length, found.length); count >= LEAST_OVERLAP; count--) {
    if (before.endsWith(found.slice(0, count))) return count;
  }
  return 0;
}

/** A written number without its first digits; the whole text if it has no more of them. */
function withoutDigits(text: string, count: number): string {
  const digit = [...text.matchAll(/\d/g)][count];
  return digit ? text.slice(digit.index) : text;
}

/**
 * Removes the digits of the number before a gap from the words found in the gap: its last digits, as long as the speaker says that number. A
 * whole word of one or two digits counts as a repetition by the speaker and stays, unless both words overlap.
 * @param before    words before the gap, in order
 * @param found     words in the gap, in order
 * @param language  ISO 639 code
 */
export function withoutRepeatedDigits(before: Timed, found: RecognizedWord[], language: string): RecognizedWord[] {
  const known = adjacentDigits(before.toReversed(), language).reverse().join("");
  const own = known === "" ? [] : adjacentDigits(found, language);
  let repeated = repeatedCount(known, own.join(""));
  const [last, first] = [before.at(-1), found[0]];
  if (repeated === 0 || !last || !first) return found;
  const lastDigits = digitsOf(last.text, language)?.length ?? 0;
  const isPart = repeated < lastDigits || (repeated === lastDigits && lastDigits > MOST_SAID_AGAIN);
  const isEnd = isPart && first.startSeconds < last.startSeconds + spokenSeconds(lastDigits);
  if (!isEnd && first.startSeconds >= last.endSeconds) return found;
  let words = 0;
  for (; repeated >= (own[words]?.length ?? Number.POSITIVE_INFINITY); words++) repeated -= own[words]?.length ?? 0;
  const rest = found.slice(words);
  const [cut] = rest;
  if (repeated === 0 || !cut) return rest;
  return [{ ...cut, text: withoutDigits(cut.text, repeated) }, ...rest.slice(1)];
}
