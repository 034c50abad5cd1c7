// moderation: profanity, insults and threats, utterance by utterance, by a kept list of English profanity and its
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
const INSULT = /\b(?:idiot|moron|stupid|dumb|loser|imbecile|scum|worthless|pathetic)s?\b/i;
const THREAT = /\b(?:i(?:'ll| will| am going to|'m going to) (?:kill|hurt|destroy|beat|find) (?:you|him|her|them))\b/i;

interface Flag {
  type: string;
  severity: "LOW" | "MEDIUM" | "HIGH";
  classifications: string[];
}

/** What is wrong with a text; undefined when nothing is. */
export function flagOf(text: string): Flag | undefined {
  const words = matcher
    .getAllMatches(text)
    .map((match) => englishDataset.getPayloadWithPhraseMetadata(match).phraseMetadata?.originalWord ?? "");
  const isHateful = words.some((word) => HATEFUL.has(word));
  const isThreat = THREAT.test(text);
  const classifications = [
    ...(words.length > 0 ? ["VULGARITY"] : []),
    ...(words.some((word) => SEXUAL.has(word)) ? ["SEXUAL"] : []),
    ...(INSULT.test(text) ? ["INSULT"] : []),
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
    // The ids are places in the whole transcript.
    return utterances.flatMap((utterance, utterance_id) => {
      const flag = own.has(utterance) ? flagOf(utterance.text) : undefined;
      return flag ? [{ utterance_id, text: utterance.text, ...flag }] : [];
    });
  },
};
