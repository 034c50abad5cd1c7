// moderation: finds profanity, insults and threats in each utterance, by a maintained list of English profanity and its
// spellings.
import { englishDataset, englishRecommendedTransformers, RegExpMatcher } from "obscenity";
import { type Addon, inLanguages } from "./addon.ts";

const matcher = new RegExpMatcher({ ...englishDataset.build(), ...englishRecommendedTransformers });

const HATEFUL = new Set(["nigger", "faggot", "kike", "chink", "spic", "tranny", "retard", "dyke", "coon", "negro"]);
const SEXUAL = new Set([
  "cock",
  "dick",
  "penis",
  "vagina",
  "pussy",
  "cum",
  "porn",
  "sex",
  "blowjob",
  "tit",
  "boob",
  "rape",
]);
const INSULT =
  /\b(?:idiot|moron|stupid|dumb|imbecile)s?\b|\b(?:an?|such|what|you|those|these|bunch of|total|complete|pathetic|little|big|absolute) losers?\b|\b(?:you|he|she|they|you're|he's|she's|they're|your|bunch)\b.*\b(?:scum|worthless|pathetic)\b/i;
/** Compounds that are missing from the list. */
const COMPOUND = /\b(?:jack|dumb|bad|smart|fat|lard)ass(?:es)?\b|\bcock ?suck(?:er|ers|ing)\b|\bbullshit\p{L}*/giu;
/** Adjectives about things, which are insults only if they describe a person. */
const OF_THINGS =
  /\bstupid(?: of)? me\b|\bi (?:am|was|feel|felt|look|looked) (?:so |really |a bit )?(?:stupid|dumb)\b|\b(?:a |the |this |that |how |so |too |very |really |is |was |it's |something )?(?:dumb|stupid|pathetic|worthless)(?: (?:bell|bells|waiter|luck|question|questions|mistake|mistakes|idea|thing|things|joke|fallacy|excuse|check|checks|stock|stocks|paper|currency|terminal))\b|\b(?:it|this|that|which|what)(?:'s| is| was| were) (?:so |really |very |just |a |a bit )?(?:dumb|stupid|pathetic|worthless)\b|\bsore loser\b|\blosers? bracket\b|\bwinners? and (?:the )?losers?\b|\blosers? and (?:the )?winners?\b|\blosers (?:of|in) the \p{L}+\b|\bidiot(?: by |[- ]?(?:proof|boards?|lights?)\b)|\b(?:novel|book|film|by dostoevsky)\b.{0,20}\bthe idiot\b|\bdumb(?:founded|struck)\b|\bdeaf and dumb\b/giu;
const HARM = "(?:kill|murder|hurt|stab|shoot|strangle|destroy|beat|break|burn|bury|slit|smash|cut)";
const WHOM = "(?:you|him|her|them|your|his|their)";
const WILL =
  "(?:i(?:'ll| will| am going to|'m going to|'m gonna| am gonna| gonna| swear i'll| want to| would)|we(?:'ll| will| are going to|'re going to|'re gonna))";
const THREAT = new RegExp(
  `\\b${WILL} (?:\\p{L}+ly )?${HARM} (?:the (?:hell|shit|crap) out of )?${WHOM}\\b|\\b${WILL} (?:hunt|track) ${WHOM} down\\b|\\b${WILL} find ${WHOM}(?:,? and| and then i'll)(?: i(?:'ll| will))? ${HARM}|\\byou(?:'re| are) (?:dead|a dead man|going to die|gonna die)\\b|\\b(?:you will|you'll) (?:regret this|pay for this|die)\\b|\\bwatch your back\\b`,
  "iu",
);
/** Phrases that look like threats but are not: games, figures of speech, care. */
const HARMLESS = new RegExp(
  `\\bpay for this (?:at|with|by|in|online|when|later|now)\\b|\\b(?:die|dead|dying) (?:of )?(?:laughing|laughter|boredom|happy)\\b|\\bdead (?:right|wrong|tired|sure|certain|serious|set|on|centre|center|ahead|last|even|in the water|to (?:me|him|her|us|the world))\\b|${HARM} ${WHOM} (?:(?:\\p{L}+ )?(?:at|in|to|by|with|off|up|a|an|some|short|even|slack)\\b|(?:hair|record|fall|time|score|bread|hopes?|steak|sandwich|cake|wood|heart|news|meeting|lead|job|costs?|taxes|treasure|in sand)\\b)|${HARM} you (?:on|about) price|hurt (?:your|his|her|their) (?:feelings|chances)`,
  "iu",
);

/** Harmless phrases with words that are profane in other contexts. They are removed before the search. */
const INNOCENT =
  /\bcumin\b|\b(?:rugby|scrum|front row|crochet)\b.{0,40}\bhookers?\b|\bhookers?\b.{0,40}\b(?:rugby|scrum|front row|props?)\b|\bcrochet hookers?\b|\bhens?\b.{0,20}\bcocks?\b|\bcocks?\b.{0,20}\b(?:hens?|crow(?:s|ed)?)\b|\b(?:magna|summa) cum laude\b|\bcum (?:laude|dividend|rights)\b|\p{L}+ cum \p{L}+|\bchinks? in (?:the|his|her|its|their|our|your|my) armou?r\b|\bchink of light\b|\b\p{L}*'?s dykes?\b|\b(?:the|a|flood|sea|earth|old|canal|van|dick van|build|built|along) dykes?\b|\bmaine coons?\b|\bracc?oons?\b|\bspic and span\b|\bspick and span\b|\btit for tat\b|\b(?:blue|great|coal|marsh|willow|crested|long-tailed|bearded) tits?\b|\brape ?seed\b|\boilseed rape\b|\bretard(?:ant|ants|ed growth|ation|ing)\b|\b(?:flame|fire)[ -]retard\p{L}*\b|\b(?:weather|wood|pea|stop|ball|shuttle|turn|han|pet|bib)[ -]?cocks?\b|\bcock(?: a(?: \p{L}+)?| an| the| and bull| of the walk|pit|tail\p{L}*|erel|atoo|roach\p{L}*|ney|y|ed (?:the|his|her|its) \p{L}+)\b|\b(?:moby|spotted) dick\b|\b(?:same|opposite|fair|weaker|single|safe|biological|unsafe)[ -]sex\b|\bsex (?:education|discrimination|offender|chromosomes?|ratio|hormones?|of the)\b|\bpussy ?(?:cat|willow|cats|foot\p{L}*)\b|\bfaggots? (?:of|and peas)\b|\bcock[- ]and[- ]bull\b|\b(?:ass|jackass)(?:es)? (?:and|or) (?:ox|mule|horse)\p{L}*\b|\bniger(?:ia|ian|ians)?\b|\bsnigger\p{L}*\b|\bunited negro college fund\b|\b(?:rio|pico|monte|cerro) negro\b|\bnegro (?:league|leagues|spiritual|spirituals)\b|\bprick (?:the|each|it|them|your) (?:\p{L}+ )?(?:with|all over|sausages?|potato(?:es)?|dough|pastry|skin|balloons?)\b|\bneighbou?r's ass\b|\bwild ass(?:es)?\b|\b(?:ox|oxen|mule|horse|donkey)s?\b.{0,30}\bass(?:es)?\b|\bass(?:es)? (?:and|or) (?:the |an? )?(?:ox|oxen|mule|horse|donkey)\p{L}*|\b(?:vixen|breeders?|kennel|litter|puppies|pups|female dog)\b.{0,40}\bbitch(?:es)?\b|\bbitch(?:es)?\b.{0,40}\b(?:female dog|breeders?|kennel|puppies|pups|litter|cubs)\b|\bbastard (?:swords?|files?|titles?|toadflax)\b|\bchinks? in (?:the|a|his|her|its) (?:curtains?|walls?|doors?|blinds?|shutters?|fence|clouds?|ice|wood)\b|\b(?:timing|growth|ignition|spark|motion|progress|development|evaporation)\b.{0,20}\bretarded\b|\bretarded (?:by|time|potentials?|waves?|position)\b|\b(?:footed|masked|brown) boob(?:y|ies)\b|\bboob tubes?\b|\bbooby (?:trap\p{L}*|prizes?|birds?)\b|\bbreast (?:cancer|feeding|milk|bone|stroke)\b/giu;
/** "Dick" and "Fanny" with a capital are names. */
const NAMES =
  /\b(?:Dick|Dyke|Cummings?|Cumming|Dickinson|Dickens|Dickson|Hancock|Hitchcock|Cockburn|Cox|Coon|Coons|Fanny|Willy|Randy|Fuku\p{L}*|Scunthorpe|Penistone|Lightwater|Essex|Sussex|Middlesex|Wessex|Titmuss|Shitake|Shiitake|Kike|Assange|Assad|Hoare|Tranny)\b/gu;
/** Affixes with which a profane word is still profane. */
const ENDINGS =
  /^(?:|s|es|ed|er|ers|in|in'|ing|ings|y|ie|ies|'s|head|heads|face|faces|hole|holes|wit|wits|tard|tards|up|ups|off|ass|bag|bags|load|loads|job|jobs|show|storm|sucker|suckers|fest|n|a|as|az|able|ter|ty|tier|tiest|est|ish|less|wad|stick|king|boy|got|gots|ting|ted|ters)$/i;
const BEGINNINGS =
  /^(?:|mother|bull|horse|chicken|dumb|jack|god|bat|ape|holy|cluster|mind|un|dip|smart|bad|fat|lard|hard|kick|half|cock|clit|butt|brain)$/i;

/** Whether a stretch of a text is a whole word, or a known form of one. */
function isWholeWord(text: string, from: number, to: number): boolean {
  const before = /(?<![\p{L}\p{N}'])[\p{L}\p{N}']*$/u.exec(text.slice(0, from))?.[0] ?? "";
  const after = /^[\p{L}\p{N}']*/u.exec(text.slice(to))?.[0] ?? "";
  return BEGINNINGS.test(before) && ENDINGS.test(after);
}

const blank = (match: string) => " ".repeat(match.length);

interface Flag {
  type: string;
  severity: "LOW" | "MEDIUM" | "HIGH";
  classifications: string[];
}

/** Category of a text; undefined if it is harmless. */
export function flagOf(text: string): Flag | undefined {
  const judged = text.replaceAll("’", "'").replace(INNOCENT, blank).replace(NAMES, blank);
  const words = matcher
    .getAllMatches(judged)
    .filter(({ startIndex, endIndex }) => isWholeWord(judged, startIndex, endIndex + 1))
    .map((match): string => englishDataset.getPayloadWithPhraseMetadata(match).phraseMetadata?.originalWord ?? "")
    .concat(judged.match(COMPOUND) ?? []);
  const isHateful = words.some((word) => HATEFUL.has(word));
  const isThreat = THREAT.test(judged) && !HARMLESS.test(judged);
  const classifications = [
    ...(words.length > 0 ? ["VULGARITY"] : []),
    ...(words.some((word) => SEXUAL.has(word)) ? ["SEXUAL"] : []),
    ...(INSULT.test(judged.replace(OF_THINGS, blank)) ? ["INSULT"] : []),
    ...(isHateful ? ["HATE"] : []),
    ...(isThreat ? ["THREAT"] : []),
  ];
  if (classifications.length === 0) return undefined;
  const type = isHateful ? "HATEFUL" : isThreat ? "THREATENING" : words.length > 0 ? "PROFANE" : "INSULTING";
  return { type, severity: isHateful || isThreat ? "HIGH" : words.length > 0 ? "MEDIUM" : "LOW", classifications };
}

const OWN = { name: "moderation", languages: ["en"] };

export const moderationAddon: Addon = {
  name: OWN.name,
  async run({ transcription: { utterances } }) {
    const own = new Set(inLanguages(utterances, OWN));
    // `utterance_id` is an index into the whole transcript.
    return utterances.flatMap((utterance, utterance_id) => {
      const flag = own.has(utterance) ? flagOf(utterance.text) : undefined;
      return flag ? [{ utterance_id, text: utterance.text, ...flag }] : [];
    });
  },
};
