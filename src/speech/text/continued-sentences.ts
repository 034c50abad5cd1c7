// Where a pause inside a sentence made the recogniser end it: "Ask not." / "What your country can do for you".
import { isAbbreviation, isStarter } from "./abbreviations.ts";
import { bareWord } from "./bare-word.ts";

/** A longer pause always ends a sentence. */
const LONGEST_PAUSE_SECONDS = 2;
const wordsOf = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/**
 * Words that end no sentence. Prepositions and verbs of English are not among them: "what I think of", "yes, it is". In other languages,
 * words are left out that also are pronouns, parts of verbs or notes, or that recognisers write for one with an accent ("con el." for "con él.").
 */
const CANNOT_END: Readonly<Record<string, ReadonlySet<string>>> = {
  en: wordsOf("the a an and or but because if than although unless whether my your our their whose every"),
  de: wordsOf("im am vom zum zur beim ins ans dass und sowie"),
  fr: wordsOf("du des au aux de et ma ta sa mes tes ses nos vos notre votre cette ces dans chez"),
  es: wordsOf("los las un de del al en con y sus mis tus"),
  it: wordsOf(
    "il i gli un di con tra fra ed del della delle dello degli al alla ai alle allo agli nel nella nelle nello negli sul sulla sui sulle",
  ),
  pt: wordsOf("de do dos das no na nas ao aos em pela pelas num"),
  nl: wordsOf("de en te ter omdat"),
};
/** English words that end a sentence rarely: before a small letter, the sentence continues. "Log in." and "what I dreamed of." are sentences. */
const RARELY_ENDS = wordsOf("to from into upon onto among between during");
/** Answers and new starts in other languages than English. */
const FOREIGN_START =
  /^(?:ja|nein|nee|doch|also|äh|ähm|euh|oui|non|si|sí|no|sì|sim|não|bon|bien|bueno|allora|então|gut|nou|eh|ehm|hm|hmm|mm|ok|okay|hallo|danke|merci|gracias|grazie|obrigad[oa])$/;
/** German words whose capital is that of politeness. */
const POLITE = /^(?:sie|ihr)$/;

/** Answers of another person, or a new start. */
const NEW_START =
  /^(?:yeah|yes|yep|no|nope|okay|ok|right|uh|um|oh|mm|mhm|mm-hmm|uh-huh|hm|hmm|well|hello|hi|hey|thanks|thank|sorry|sure|exactly|absolutely)$/;
/** "Why not.", "probably not." are answers of their own. */
const BEFORE_ANSWER =
  /^(?:why|if|maybe|perhaps|probably|certainly|definitely|absolutely|hopefully|apparently|obviously|course|surely|yes|no|do|does|did|is|are|was|can|could|would|will|should|have|has|had|am|not|guess|hope|think|suppose|believe|better|rather|still|just|fear|afraid)$/;
/** Words with small letters inside a sentence. "I" and names keep their capital. */
const FUNCTION_WORD =
  /^(?:the|a|an|he|she|it|we|they|you|this|that|these|those|there|here|and|but|so|or|if|when|while|after|before|because|since|in|on|at|for|from|to|of|as|with|by|what|who|why|how|where|which|is|are|was|were|do|does|did|can|could|will|would|should|may|might|must|my|our|your|his|her|its|their|not|no|all|some|any|many|most|more|one|two|three|also|then|now)$/;

const coreOf = (word = "") => bareWord(word).toLowerCase();

/**
 * Whether the first words of a segment continue the sentence that a full stop closed before a pause.
 * @param before  all words of the segment before the pause
 * @param after   all words of the segment behind it
 */
export function continuesSentence(
  before: readonly string[],
  after: readonly string[],
  pauseSeconds: number,
  language = "en",
): boolean {
  const cannotEnd = CANNOT_END[language];
  const last = before.at(-1) ?? "";
  const next = coreOf(after[0]);
  if (!cannotEnd || pauseSeconds > LONGEST_PAUSE_SECONDS) return false;
  if (!/[^.]\.$/.test(last) || isAbbreviation(last, language)) return false;
  // Names and abbreviations: "in the OR.", "la tecla Del."
  const isFirst = before.length === 1 || /[.?!]$/.test(before.at(-2) ?? "");
  if (/\p{Lu}{2}/u.test(last) || (!isFirst && /^\p{Lu}/u.test(last))) return false;
  const start = language === "en" ? NEW_START : FOREIGN_START;
  if (next === "" || start.test(next)) return false;
  if (language !== "en") return cannotEnd.has(coreOf(last));
  if (cannotEnd.has(coreOf(last))) return !isExclamation(before);
  // "iPhone" begins sentences, too.
  if (RARELY_ENDS.has(coreOf(last)) && /^\p{Ll}(?!\S*\p{Lu})/u.test(after[0] ?? "")) return true;
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
export function continued(word: string, language = "en"): string {
  // "IT" and "WHO" are other words than "it" and "who".
  const isAcronym = /\p{Lu}.*\p{Lu}/u.test(word);
  const core = coreOf(word);
  const isSmall = language === "en" ? FUNCTION_WORD.test(core) : isStarter(core, language);
  if (isAcronym || !isSmall || (language === "de" && POLITE.test(core))) return word;
  return word.replace(/\p{Lu}/u, (letter) => letter.toLowerCase());
}
