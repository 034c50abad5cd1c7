// Whether an English sentence without a mark at its end is a question: its words are in the order of one.

const WORD = "[a-z'’-]+";
const SUBJECT = "i|you|he|she|it|we|they|there|this|these|that|those";
const INDEFINITE = "(?:any|some|every|no)(?:one|body|thing)";
const DETERMINER = "the|my|your|our|his|her|its|their|any|all";
const BE = "is|are|was|were";
const AUXILIARY = `${BE}|am|do|does|did|can|could|would|will|should|shall|has|have|had|may|might|must`;
const NOT = "(?:n['’]?t)?";

const FORMS = [
  // "who is there", "when are we going"; "which is fine" and "what is more" are none.
  `(?:who|whose|what|when|where|why|how)(?:['’](?:s|re|d|ll)| (?:${AUXILIARY})${NOT})\\b(?! more\\b)`,
  // "what time is it", "how many people were there", "which train did you take"
  `(?:what|which|whose|how)(?: (?!(?:${SUBJECT}|a|an|the|to)\\b)${WORD}){1,4}? (?:(?:${AUXILIARY})${NOT} (?:i|you|he|she|it|we|they|there)\\b|(?:do|does|did)${NOT} (?!(?:${AUXILIARY})\\b)\\S)`,
  `how (?:many|much|long|often|far|old|big|soon|late)(?: (?!(?:${SUBJECT}|a|an|the)\\b)${WORD})? (?:${AUXILIARY})${NOT} (?:${SUBJECT}|${DETERMINER})\\b`,
  `how many (?!(?:${SUBJECT})\\b)${WORD}(?: (?!(?:${SUBJECT})\\b)${WORD})*$`,
  "how (?:about|come)\\b",
  "what (?:about|if|else|happened|happens)\\b(?!.* (?:is|was) (?:that|a|the)\\b)",
  "where (?:to|from|else)\\b",
  // "who called", "why not"
  `who (?!(?:${SUBJECT}|a|an|the)\\b)`,
  `why (?!(?:${SUBJECT}|a|an|the|my|your|our|his|her|their|people)\\b)`,
  "(?:who|what|when|where|why|how|which)$",
  // "is that so", "was the door open"; "was a good day" is none.
  `(?:${BE}|am|does|did|can|could|would|should|shall|has)${NOT} (?:${SUBJECT}|${INDEFINITE}|${DETERMINER}|people)\\b`,
  `(?:do|have)${NOT} (?:i|you|we|they)\\b`,
  `will (?:i|you|he|she|it|we|they|there|this|that|the|my|your|our|${INDEFINITE})\\b`,
  `won['’]?t (?:i|you|he|she|it|we|they|there|this|that)\\b`,
].map((form) => new RegExp(`^(?:and |but |so |then )?(?:${form})`, "i"));

/** "is John here", "did Anna call", with the first word in small letters */
const WITH_NAME = new RegExp(`^(?:${BE}|does|did|can|could|would|should|has)${NOT} \\p{Lu}`, "u");
/** What "what is …" begins that is no question: "what is important is that we go". */
const CLEFT = /^(?:what|how|who|where|when|why)(?: (?:is|was)|['’]s) .* (?:is|was) (?:that|to|a|the|how|why)\b/i;
/** Most words of a question: a longer sentence that begins with a question word is usually a statement. */
const MOST_WORDS = 16;

/** @param sentence  words of one English sentence */
export function hasQuestionForm(sentence: readonly string[]): boolean {
  if (sentence.length > MOST_WORDS) return false;
  const text = sentence
    .map((word) => word.trim().replace(/^\P{L}+|(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/gu, ""))
    .filter((word) => word !== "")
    .join(" ");
  if (CLEFT.test(text)) return false;
  return FORMS.some((form) => form.test(text)) || WITH_NAME.test(text.charAt(0).toLowerCase() + text.slice(1));
}
