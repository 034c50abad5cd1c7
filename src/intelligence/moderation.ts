// moderation: profanity, insults and threats, utterance by utterance, by a kept list of English profanity and its
// spellings.
import { englishDataset, englishRecommendedTransformers, RegExpMatcher } from "obscenity";
import type { Addon } from "./addon.ts";

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

export const moderationAddon: Addon = {
  name: "moderation",
  run: async ({ transcription }) =>
    transcription.utterances.flatMap(({ text }, utterance_id) => {
      const flag = flagOf(text);
      return flag ? [{ utterance_id, text, ...flag }] : [];
    }),
};
