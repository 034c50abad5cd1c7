// Whether an English sentence without a mark at its end is a question: its words are in the order of one.

const WORD = "[a-z'’-]+";
const SUBJECT = "i|you|he|she|it|we|they|there|this|these|that|those";
const INDEFINITE = "(?:any|some|every|no)(?:one|body|thing)";
const DETERMINER = "the|my|your|our|his|her|its|their|any|all";
const BE = "is|are|was|were";
const AUXILIARY = `${BE}|am|do|does|did|can|could|would|will|should|shall|has|have|had|may|might|must`;
const NOT = "(?:n['’]?t)?";
/** Nouns that are subjects without a determiner. */
const BARE_NOUN =
  "(?:mom|mum|mummy|mother|dad|daddy|father|grandma|grandpa|granny|people|kids|children|dinner|lunch|breakfast|supper|school|class|traffic|one of (?:you|us|them|the|your|my|our|these|those))";
/** Words behind a form of "be" or "do" that are no subject: "was really nice", "did well there", "is sent to go". */
const NO_SUBJECT =
  "(?:[a-z]+ly|[a-z]+ing|[a-z]+ed|[a-z]*n['’]t|a|an|not|no|very|really|so|too|just|quite|pretty|rather|always|never|ever|often|still|already|also|only|even|almost|well|much|more|less|most|such|some|like|as|if|because|and|or|but|than|then|now|here|today|soon|again|good|great|nice|bad|fine|better|best|worse|worst|big|small|new|old|long|short|hard|easy|late|early|full|free|high|low|nothing|everything|something|one|two|three|first|last|next|in|on|at|to|for|from|with|by|of|about|under|over|up|down|out|off|into|back|away|able|ready|sure|glad|happy|sad|sorry|right|wrong|true|cool|fun|cold|hot|born|done|gone|given|taken|seen|told|made|sent|left|lost|found|kept|known|held|put|set|built|bought|brought|caught|paid|sold|written|what|when|where|why|who|how|which|that|friends|kind|sort)";
/** Verbs and objects behind "does" and "did": "does work well", "did homework yesterday". */
const DONE =
  "(?:homework|laundry|yoga|stuff|things|want|need|help|work|make|matter|look|seem|feel|sound|have|take|get|mean|go|come|say|know|think|like|love|try)";
const PARTICIPLE =
  "(?!(?:children|women|men|kitchen|garden|often|even|open|green|seven|ten)\\b)(?:[a-z]+ed|[a-z]+en|been|come|gone|left|begun|run|done|met|made|got|had|said|told|sent|found|paid|won)";
/** Verbs that follow the subject of "do" and "will" often. */
const VERB =
  "(?:know|think|want|need|like|love|have|be|go|come|live|stay|work|agree|speak|talk|believe|care|understand|get|make|take|use|eat|drink|sleep|play|look|feel|sound|seem|mean|matter|help|run|open|close|start|begin|end|stop|sell|buy|offer|see|hear|say|tell|ask|pay|cost|include|exist|fit|join|call|arrive|leave|drive|remember|ever|always|usually|still|really|even|also|both|all)";
/** "What matters is …" begins a statement, "what fun" is one. */
const NO_NOUN = `(?:${SUBJECT}|${AUXILIARY}|a|an|the|to|people|every(?:one|body)|no(?:body|thing)|in|of|by|for|as|at|on|with|from|[a-z]*[^su\\W]s (?:is|was)|[a-z]+ed|came|broke|went|got|made|hit|hurt|led|began|kept|fun|luck|nonsense|rubbish|joy|bliss)`;

const FORMS = [
  // "who is there", "when are we going"; "which is fine" and "what is more" are none.
  `(?:who|whose|what|when|where|why|how)(?:['’](?:s|re|d|ll)| (?:${AUXILIARY})${NOT})\\b(?! more\\b)`,
  // "what time is it", "how many people were there", "which train did you take"
  `(?:what|which|whose|how)(?: (?!(?:${SUBJECT}|a|an|the|to)\\b)${WORD}){1,4}? (?:(?:${AUXILIARY})${NOT} (?:i|you|he|she|it|we|they|there)\\b|(?:do|does|did)${NOT} (?!(?:${AUXILIARY})\\b)\\S)`,
  `how (?:many|much|long|often|far|old|big|soon|late)(?: (?!(?:${SUBJECT}|a|an|the)\\b)${WORD})? (?:${AUXILIARY})${NOT} (?:${SUBJECT}|${DETERMINER})\\b`,
  `how many (?!(?:${SUBJECT})\\b)${WORD}(?: (?!(?:${SUBJECT})\\b)${WORD})*$`,
  // "how much", "what time", "which one", "what kind of car"
  "how (?:many|much|long|often|far|old|big|tall|high|deep|wide|fast|soon|late|early|well)$",
  `how much ${WORD}$`,
  `(?:what|which|whose) (?!${NO_NOUN}\\b)${WORD}(?: one| ones)?$`,
  `what (?:kind|sort|type) of ${WORD}$`,
  // "what time is dinner", "which room is ours"
  `(?:what|which|whose) (?!${NO_NOUN}\\b)${WORD}(?: of ${WORD}| number| one)? (?:${BE})${NOT} \\S`,
  `which (?!${NO_NOUN}\\b)${WORD} (?:${AUXILIARY})${NOT} \\S`,
  "which of (?:you|us|them|the|your|my|our|these|those)\\b",
  "how (?:about|come)\\b",
  "what (?:about|if|else|happened|happens)\\b(?!.* (?:is|was) (?:that|a|the)\\b)",
  "where (?:to|from|else)\\b",
  // "who called", "why not"
  `who (?!(?:${SUBJECT}|a|an|the)\\b)`,
  `why (?!(?:${SUBJECT}|a|an|the|my|your|our|his|her|their|people)\\b)`,
  "(?:who|what|when|where|why|how|which)$",
  // "is that so", "was the door open"; "was a good day" is none.
  `(?:${BE}|am|does|did|can|could|would|should|shall|has)${NOT} (?:${SUBJECT}|${INDEFINITE}|${DETERMINER}|people)\\b`,
  // "is dinner ready", "did mom call", "can one of you help"
  `(?:${BE})${NOT} (?!(?:${NO_SUBJECT}|${AUXILIARY}|been?|being)\\b)${WORD} (?!(?:of|to)\\b)\\S`,
  `(?:did|does)${NOT} (?!(?:${NO_SUBJECT}|${AUXILIARY}|${DONE})\\b)${WORD} \\S`,
  `do${NOT} (?:(?:all|any|some|many|most) of (?:you|us|them)|people|men|women|children|kids) \\S`,
  `(?:${BE})${NOT} one of (?:you|us|them) \\S`,
  `(?:did|does|can|could|would|should)${NOT} ${BARE_NOUN} \\S`,
  `has${NOT} (?!${NO_SUBJECT}\\b)${WORD} (?:already |ever )?${PARTICIPLE}\\b`,
  `have${NOT} (?:(?:${DETERMINER}) )?(?:kids|children|people|parents|guests|friends|others|boys|girls|guys) (?:already |ever )?${PARTICIPLE}\\b`,
  `(?:do|have)${NOT} (?:i|you|we|they)\\b`,
  // "do your parents know"; "do your exercises" is none.
  `do${NOT} (?:(?:${DETERMINER}|these|those) )?(?:${WORD} )?(?:${WORD}s|people|children|men|women) ${VERB}\\b`,
  `will ${BARE_NOUN} (?:not )?${VERB}\\b`,
  `will (?:i|you|he|she|it|we|they|there|this|that|the|my|your|our|${INDEFINITE})\\b`,
  `won['’]?t (?:i|you|he|she|it|we|they|there|this|that)\\b`,
].map((form) => new RegExp(`^(?:and |but |so |then )?(?:${form})`, "i"));

/** "is John here", "did Anna call", with the first word in small letters */
const WITH_NAME = new RegExp(`^(?:${BE}|does|did|can|could|would|should|has)${NOT} \\p{Lu}`, "u");
/** "will Bob come"; "Will Smith is here" and "Will Smith called" are none. */
const WILL_NAME = new RegExp(
  `^will (?:\\p{Lu}[\\p{L}'’-]+ ){1,2}(?!(?:${AUXILIARY}|and|or|who|in|on|at|from|with|the|a|[a-z]*[^s\\W]s|[a-z]+ed|went|came|said|got|made|took|gave|saw|knew|thought|told|left|lost|won|ran|wrote|sang|spoke|felt|found|kept|met|sent|spent|stood|began|never|also|just)\\b)\\p{Ll}`,
  "u",
);
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
  if (FORMS.some((form) => form.test(text))) return true;
  const plain = text.charAt(0).toLowerCase() + text.slice(1);
  return WITH_NAME.test(plain) || WILL_NAME.test(plain);
}
