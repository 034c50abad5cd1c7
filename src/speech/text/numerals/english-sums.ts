// Sums of money without a currency: "that comes to eighteen fifty". The verb or the subject right before the number says so.
import type { Reading } from "./english-reading.ts";
import type { Run } from "./english-runs.ts";

/** Pieces of the same sentence that are read before a number. */
const WORDS_BEFORE = 10;

/** They stand between a verb and its number. */
const HEDGE =
  /(?: (?:about|around|only|just|exactly|roughly|approximately|almost|nearly|like|even|over|under|now|still|well|maybe|altogether|at least|at most|a whopping|less than|more than|another|um|uh)){1,4}$/;

const PERSON = "(?:you|me|him|her|us|them|it)";
/** Verbs whose object is a sum. */
const VERB = new RegExp(
  ` (?:${[
    "(?:that|which|this|it all|all|total|bill|everything|order) (?:comes|came) (?:up |out )?to",
    "(?:adds?|added) up to",
    "(?:amounts?|amounted|totals?|totall?ed) to",
    `owe(?:s|d)?(?: (?:${PERSON}|\\S+ ${PERSON}|my \\S+|your \\S+|his \\S+|the \\S+))?`,
    "(?:goes|went|listed|sale|(?:got|had|get) (?:it|that|this|one|them)) for",
    `(?:lend|lends|lent|loaned|handed|refunded|tipped|reimbursed) ${PERSON}`,
    "(?:asking|tipped|refunded|withdrew|deposited|donated|chipped in|pitched in|invoiced|reimbursed)",
  ].join("|")})$`,
);

/** "When it comes to nineteen eighty four" is no sum. */
const TOPIC = / when \S+ (?:comes|came) (?:down )?to$/;

const THING =
  "(?:subtotal|total|sum|bill|tab|tip|tax|taxes|balance|refund|change|toll|tolls|postage|shipping|admission|entry|parking|deposit|invoice|receipt|tuition|wages?|pay|cover|payments?|tickets?|breakfast|brunch|lunch|lunches|dinner|supper|meals?|snacks?|coffees?|drinks?|beers?|sandwich|sandwiches|burgers?|pizzas?|salads?|soup|groceries|gas|petrol|haircut|cab|taxi|uber|ride)";
/** "Lunch was", "the total with tax is", "a total of". */
const SUBJECT = new RegExp(
  ` (?:${THING}(?:'s| (?:with (?:tip|tax) |for \\S+ )?(?:is|was|are|were|will be|would be|comes to|came to))|(?:total|sum|balance|refund|tip|payment|payments|deposit|change) of)$`,
);
/** "That's sixteen fifty", "that will be sixteen fifty". */
const ANSWER = / (?:(?:that|it)(?:'ll| will|'d| would) be|that's|that is)$/;
/** Words that make the number behind "is" or "was" a year. */
const YEAR_WORD = /^(?:years?|dates?|times?|when|born|last|first|ago|then|since|earliest|latest)$/;
/** "I spent eighteen sixty on lunch"; "I spent nineteen eighty four in Paris" has a year. */
const SPENT = / (?:spend|spends|spent|spending)$/;
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
  /^(?:please|altogether|each|sir|ma'am|exactly)?$/.test(reading.next(at));

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
  if (SPENT.test(before)) return !words.includes("twenty") && reading.next(to) === "on";
  // "That's nineteen forty five" is a year more often.
  if (ANSWER.test(before)) return !/^(?:eighteen|nineteen|twenty|two)$/.test(words[0] ?? "") && isEnd(reading, to);
  return SUBJECT.test(before) && !before.split(" ").some((word) => YEAR_WORD.test(word));
}
