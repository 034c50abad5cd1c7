// Sums of money without a currency: "that comes to eighteen fifty". The verb or the subject right before the number says so.
import type { Reading } from "./english-reading.ts";
import type { Run } from "./english-runs.ts";

/** Pieces of the same sentence that are read before a number. */
const WORDS_BEFORE = 10;

/** They stand between a verb and its number. */
const HEDGE =
  /(?: (?:about|around|only|just|exactly|roughly|approximately|almost|nearly|like|even|over|under|now|still|well|maybe|altogether|at least|at most|a whopping|less than|more than|another|um|uh))+$/;

const PERSON = "(?:you|me|him|her|us|them|it)";
/** Verbs whose object is a sum. */
const VERB = new RegExp(
  ` (?:${[
    "(?:come|comes|came|coming|adds?|added|amounts?|amounted|works?|worked|rounds?|rounded|totals?|totall?ed|totall?ing) (?:up |out |down )?(?:to|at)",
    `owe(?:s|d)?(?: (?:${PERSON}|\\S+ ${PERSON}|my \\S+|your \\S+|his \\S+|the \\S+))?`,
    `(?:goes|go|going|gone|went|listed|sale|available|yours|mine|get|gets|got|getting|have|had|take|takes|took|let)(?: ${PERSON}| that| this| one| them)?(?: go)? for`,
    `(?:give|gives|gave|giving|lend|lends|lent|loan|loaned|hand|handed|refund|refunded|tip|tipped|reimburse|reimbursed|save|saves|saved) ${PERSON}`,
    "(?:asking|asks|tipped|refunded|withdrew|deposited|donated|chipped in|pitched in|earns?|earned|earning|totals?|totall?ed|invoiced|reimbursed)",
  ].join("|")})$`,
);
/** "When it comes to nineteen eighty four" is no sum. */
const TOPIC = / when \S+ (?:comes|came) (?:down )?to$/;

const THING =
  "(?:subtotal|total|sum|bill|tab|tip|tax|taxes|balance|refund|change|toll|tolls|postage|shipping|admission|entry|parking|deposit|invoice|receipt|tuition|wages?|pay|cover|payments?|tickets?|breakfast|brunch|lunch|lunches|dinner|supper|meals?|snacks?|coffees?|drinks?|beers?|sandwich|sandwiches|burgers?|pizzas?|salads?|soup|groceries|gas|petrol|haircut|cab|taxi|uber|ride)";
/** "Lunch was", "the total with tax is", "a total of". */
const SUBJECT = new RegExp(
  ` (?:${THING}(?:'s| (?:(?!that |which |who |when )\\S+ ){0,4}?(?:is|was|are|were|will be|would be|should be|ran|runs|comes to|came to))|(?:total|sum|balance|refund|tip|payment|payments|deposit|change) of)$`,
);
/** "That's sixteen fifty", "that will be sixteen fifty". */
const ANSWER = / (?:(?:that|it)(?:'ll| will|'d| would) be|that's|that is)$/;
/** Words that make the number behind "is" or "was" a year. */
const YEAR_WORD = /^(?:years?|dates?|times?|when|born|last|first|ago|then|since|earliest|latest)$/;
const SPENT = / (?:spend|spends|spent|spending)$/;
/** Behind "I spent nineteen eighty four": where, how and with whom somebody spent a year. */
const STAY = /^(?:in|at|with|as|by|near|under|abroad|away|there|here|alone|together|behind|.{2,}ing)$/;
const BEHIND = [
  "in total",
  "all in",
  "in change",
  "in cash",
  "with tip",
  "with tax",
  "plus tax",
  "after tax",
  "before tax",
  "including tax",
  "a pop",
];
const HAS = / (?:have|has|had|i've|we've|you've|they've|got|with)(?: only| just| about| like| another| still)*$/;
const LEFT_BEHIND = ["left", "remaining", "to spend", "on me", "to my name", "in my pocket", "in my wallet"];
/** A year follows them. */
const YEAR_MARKER = /^(?:in|since|during|year|until|till|circa|from|after|before|late|early|mid)$/;

/** "sixteen fifty" at the end of a clause. */
const isEnd = (reading: Reading, at: number) =>
  /^(?:please|and|but|so|altogether|then|for|now|today|each|sir|ma'am|exactly|or)?$/.test(reading.next(at));

/** Whether the words right before and behind a number make it a sum of money, so that it is no year. */
export function isSum(reading: Reading, { from, to, words }: Run): boolean {
  if (YEAR_MARKER.test(reading.before(from)) || reading.isMonth(from - 1) || reading.before(from) === "") return false;
  const said = ` ${reading
    .sentenceBefore(from, WORDS_BEFORE)
    .map(({ text }) => text)
    .join(" ")}`;
  const before = said.replace(HEDGE, "");
  if (TOPIC.test(before)) return false;
  if (VERB.test(before) || BEHIND.some((phrase) => reading.says(to, phrase))) return true;
  if (HAS.test(said) && LEFT_BEHIND.some((phrase) => reading.says(to, phrase))) return true;
  if (SPENT.test(before)) return !STAY.test(reading.next(to));
  // "That's two thousand eight" is a year more often.
  if (ANSWER.test(before)) return !words.includes("thousand") && isEnd(reading, to);
  return SUBJECT.test(before) && !before.split(" ").some((word) => YEAR_WORD.test(word));
}
