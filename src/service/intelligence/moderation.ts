// moderation: finds profanity, insults and threats in each utterance, by a maintained list of English profanity and its
// spellings.
import { type Addon, inLanguages } from "./addon.ts";
import { blank, judgedText, PROFANITY_LANGUAGES, profanityIn } from "./profanity.ts";

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

interface Flag {
  type: string;
  severity: "LOW" | "MEDIUM" | "HIGH";
  classifications: string[];
}

/** Category of a text; undefined if it is harmless. */
export function flagOf(text: string): Flag | undefined {
  const judged = judgedText(text);
  const words = profanityIn(judged).map(({ word }) => word);
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

const OWN = { name: "moderation", languages: PROFANITY_LANGUAGES };

export const moderationAddon: Addon = {
  name: OWN.name,
  async run({ transcription: { utterances }, unmasked = utterances }) {
    const own = new Set(inLanguages(utterances, OWN));
    // `utterance_id` is an index into the whole transcript.
    return utterances.flatMap((utterance, utterance_id) => {
      const flag = own.has(utterance) ? flagOf(unmasked[utterance_id]?.text ?? utterance.text) : undefined;
      return flag ? [{ utterance_id, text: utterance.text, ...flag }] : [];
    });
  },
};
