// custom_spelling: replaces spellings in the text and in the words.
import type { Utterance } from "../transcript/transcript.ts";
import type { Addon } from "./addon.ts";
import { RespelledWords } from "./respelled-words.ts";
import { comparable, type SpelledText, spelledText } from "./spelled-text.ts";

/** Wanted spelling → spellings that it replaces. An empty wanted spelling removes them. */
export type SpellingDictionary = Record<string, string[]>;

export interface Variant {
  /** In small letters and composed characters, with single spaces. */
  phrase: string;
  wanted: string;
}

/** Variants by their first character, the longest first. */
export type Variants = ReadonlyMap<string, readonly Variant[]>;

const wordCount = ({ phrase }: Variant) => phrase.split(" ").length;

export function spellingVariants(dictionary: SpellingDictionary): Variants {
  const variants = Object.entries(dictionary)
    .flatMap(([wanted, phrases]) => phrases.map((phrase) => ({ wanted, phrase: comparable(phrase) })))
    .filter(({ phrase }) => phrase !== "")
    .sort((left, right) => wordCount(right) - wordCount(left) || right.phrase.length - left.phrase.length);
  const byStart = new Map<string, Variant[]>();
  for (const variant of variants) {
    const start = variant.phrase.charAt(0);
    byStart.set(start, [...(byStart.get(start) ?? []), variant]);
  }
  return byStart;
}

/** @returns phrases of all variants */
export const phrasesOf = (variants: Variants): string[] => [...variants.values()].flat().map(({ phrase }) => phrase);

interface Match {
  variant: Variant;
  end: number;
}

function matchAt(text: SpelledText, at: number, variants: Variants): Match | undefined {
  for (const variant of variants.get(text.characterAt(at)) ?? []) {
    const end = text.endOf(variant.phrase, at);
    if (end !== undefined) return { variant, end };
  }
  return undefined;
}

/** @returns the utterance with every variant replaced; the same one if it has none. Without words if all were removed. */
export function respelled(utterance: Utterance, variants: Variants): Utterance {
  if (variants.size === 0) return utterance;
  const text = spelledText(utterance);
  const words = new RespelledWords(utterance.words);
  for (let at = 0; at < text.length; ) {
    const match = matchAt(text, at, variants);
    if (match) words.replace(text.placeOf(at), text.placeOf(match.end - 1), match.variant.wanted);
    at = match?.end ?? at + 1;
  }
  if (!words.isChanged) return utterance;
  const joined = words.end();
  return { ...utterance, words: joined, text: joined.map(({ word }) => word).join("") };
}

/** The dictionary of a request, if it is switched on. */
export function spellingOf(switches: Record<string, unknown>): Variants {
  const config = switches["custom_spelling_config"] as { spelling_dictionary: SpellingDictionary } | undefined;
  return spellingVariants(switches["custom_spelling"] === true && config ? config.spelling_dictionary : {});
}

export const spellingAddon: Addon = {
  name: "custom_spelling",
  changesTranscript: true,
  async run({ transcription, params }) {
    const variants = spellingOf(params);
    transcription.utterances = transcription.utterances
      .map((utterance) => respelled(utterance, variants))
      .filter(({ words }) => words.length > 0);
  },
  // Its result is the changed transcript.
  place(result, _, answer) {
    if (!answer.success) result["custom_spelling"] = answer;
  },
};
