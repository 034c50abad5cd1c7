// Profane words of an English text: by a maintained list, its spellings, and compounds that are missing from it.
import { englishDataset, englishRecommendedTransformers, RegExpMatcher } from "obscenity";

/** Languages of the list. */
export const PROFANITY_LANGUAGES: readonly string[] = ["en"];

let madeMatcher: RegExpMatcher | undefined;

/** It is made on first use: few requests need it. */
function matcher(): RegExpMatcher {
  madeMatcher ??= new RegExpMatcher({ ...englishDataset.build(), ...englishRecommendedTransformers });
  return madeMatcher;
}

/** Medical and other neutral words of the list. Moderation reports them, the filter leaves them. */
export const NEUTRAL_WORDS: ReadonlySet<string> = new Set([
  "anus",
  "bestiality",
  "ejaculate",
  "incest",
  "masturbate",
  "orgasm",
  "orgy",
  "penis",
  "porn",
  "rape",
  "retard",
  "scat",
  "semen",
  "sex",
  "spastic",
  "vagina",
]);
/** Compounds that are missing from the list. */
const COMPOUND = /\b(?:jack|dumb|bad|smart|fat|lard)ass(?:es)?\b|\bcock ?suck(?:er|ers|ing)\b|\bbullshit\p{L}*/giu;
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

/** Spaces in the place of a match, so that places in the text stay. */
export const blank = (match: string) => " ".repeat(match.length);

/** The text without harmless phrases and names, of the same length. */
export const judgedText = (text: string): string =>
  text.replaceAll("’", "'").replace(INNOCENT, blank).replace(NAMES, blank);

export interface Profanity {
  /** Place in the text, in code units. */
  from: number;
  to: number;
  /** As the list has it. */
  word: string;
}

/** @param judged  result of judgedText */
export function profanityIn(judged: string): Profanity[] {
  const listed = matcher()
    .getAllMatches(judged)
    .filter(({ startIndex, endIndex }) => isWholeWord(judged, startIndex, endIndex + 1))
    .map((match) => ({
      from: match.startIndex,
      to: match.endIndex + 1,
      word: englishDataset.getPayloadWithPhraseMetadata(match).phraseMetadata?.originalWord ?? "",
    }));
  const compounds = [...judged.matchAll(COMPOUND)].map((match) => ({
    from: match.index,
    to: match.index + match[0].length,
    word: match[0],
  }));
  return [...listed, ...compounds];
}
