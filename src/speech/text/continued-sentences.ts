// Where a pause inside a sentence made the recogniser end it: "Ask not." / "What your country can do for you". English.
import { isAbbreviation } from "./abbreviations.ts";

/** A longer pause always ends a sentence. */
const LONGEST_PAUSE_SECONDS = 2;
/** Words that end no sentence. Prepositions and verbs are not among them: "what I think of", "yes, it is". */
const CANNOT_END = new Set(
  "the a an and or but because if than although unless whether my your our their whose every".split(" "),
);
/** Answers of another person, or a new start. */
const NEW_START =
  /^(?:yeah|yes|yep|no|nope|okay|ok|right|uh|um|oh|mm|mhm|mm-hmm|uh-huh|hm|hmm|well|hello|hi|hey|thanks|thank|sorry|sure|exactly|absolutely)$/;
/** "Why not.", "probably not." are answers of their own. */
const BEFORE_ANSWER =
  /^(?:why|if|maybe|perhaps|probably|certainly|definitely|absolutely|hopefully|apparently|obviously|course|surely|yes|no|do|does|did|is|are|was|can|could|would|will|should|have|has|had|am|not|guess|hope|think|suppose|believe|better|rather|still|just|fear|afraid)$/;
/** Words with small letters inside a sentence. "I" and names keep their capital. */
const FUNCTION_WORD =
  /^(?:the|a|an|he|she|it|we|they|you|this|that|these|those|there|here|and|but|so|or|if|when|while|after|before|because|since|in|on|at|for|from|to|of|as|with|by|what|who|why|how|where|which|is|are|was|were|do|does|did|can|could|will|would|should|may|might|must|my|our|your|his|her|its|their|not|no|all|some|any|many|most|more|one|two|three|also|then|now)$/;

const coreOf = (word = "") => word.toLowerCase().replace(/^[^\p{L}]+|(?<![^\p{L}])[^\p{L}]+$/gu, "");

/**
 * Whether the first words of a segment continue the sentence that a full stop closed before a pause.
 * @param before  all words of the segment before the pause
 * @param after   all words of the segment behind it
 */
export function continuesSentence(before: readonly string[], after: readonly string[], pauseSeconds: number): boolean {
  const last = before.at(-1) ?? "";
  const next = coreOf(after[0]);
  if (pauseSeconds > LONGEST_PAUSE_SECONDS || !/[^.]\.$/.test(last) || isAbbreviation(last)) return false;
  if (next === "" || NEW_START.test(next)) return false;
  if (CANNOT_END.has(coreOf(last))) return !isExclamation(before);
  const isShort =
    before.length <= 2 && !before.some((word) => BEFORE_ANSWER.test(coreOf(word)) && coreOf(word) !== "not");
  // "Ask not." and "Not.", "Ask." before "not".
  return isShort && (coreOf(last) === "not" || (next === "not" && before.length === 1 && after.length === 1));
}

/** "Oh my." @param words  ends with a word that ends no other sentence */
function isExclamation(words: readonly string[]): boolean {
  const [before, last] = [coreOf(words.at(-2)), coreOf(words.at(-1))];
  return last === "my" && (before === "oh" || before === "my");
}

/** The first word of what continues a sentence, without the capital of a beginning. */
export function continued(word: string): string {
  // "IT" and "WHO" are other words than "it" and "who".
  const isAcronym = /\p{Lu}.*\p{Lu}/u.test(word);
  if (isAcronym || !FUNCTION_WORD.test(coreOf(word))) return word;
  return word.replace(/\p{Lu}/u, (letter) => letter.toLowerCase());
}
