// custom_spelling: what was recognised one way is written another, in the text and in the words.

import { mergedWords } from "../text/merged-words.ts";
import type { Utterance, Word } from "../transcript/transcript.ts";
import type { Addon } from "./addon.ts";

/** Wanted spelling → spellings that it takes the place of. */
export type SpellingDictionary = Record<string, string[]>;

interface Variant {
  /** Plain words, one after another. */
  words: string[];
  wanted: string;
}

const EDGES = /^([^\p{L}\p{N}]*)(.*?)([^\p{L}\p{N}]*)$/su;
const plain = (text: string) => (EDGES.exec(text.trim())?.[2] ?? "").toLowerCase();
const isMark = (text: string) => text !== "" && plain(text) === "";

/** The variants of a dictionary, those of most words first. */
export function spellingVariants(dictionary: SpellingDictionary): Variant[] {
  return Object.entries(dictionary)
    .flatMap(([wanted, variants]) =>
      variants.map((variant) => ({ wanted, words: variant.trim().split(/\s+/).map(plain) })),
    )
    .filter(({ words }) => words.some((word) => word !== ""))
    .sort(
      (left, right) => right.words.length - left.words.length || right.words.join().length - left.words.join().length,
    );
}

/** A mark such as "." is written behind the word before it. */
function attached(words: Word[]): Word[] {
  const out: Word[] = [];
  for (const word of words) {
    const previous = out.at(-1);
    if (previous && isMark(word.word.trim())) {
      out[out.length - 1] = { ...previous, word: previous.word + word.word.trim(), end: word.end };
    } else out.push(word);
  }
  return out;
}

/** @returns the utterance with every variant replaced; the same one when there is none in it */
export function respelled(utterance: Utterance, variants: Variant[]): Utterance {
  const words: Word[] = [];
  let isChanged = false;
  const spoken = utterance.words.map(({ word }) => plain(word));
  const said = new Set(spoken);
  // A dictionary may have thousands of variants; of those that begin with a word of this utterance there are a few.
  const possible = variants.filter(({ words: [first] }) => first !== undefined && said.has(first));
  for (let at = 0; at < utterance.words.length; ) {
    const found = possible.find((variant) => variant.words.every((word, index) => spoken[at + index] === word));
    const length = found?.words.length ?? 1;
    const taken = utterance.words.slice(at, at + length);
    words.push(...(found ? [mergedWords(taken, found.wanted)] : taken));
    isChanged ||= found !== undefined;
    at += length;
  }
  if (!isChanged) return utterance;
  const joined = attached(words);
  return { ...utterance, words: joined, text: joined.map(({ word }) => word).join("") };
}

/** The dictionary of a request, where it is switched on. */
export function spellingOf(switches: Record<string, unknown>): Variant[] {
  const config = switches["custom_spelling_config"] as { spelling_dictionary: SpellingDictionary } | undefined;
  return switches["custom_spelling"] === true && config ? spellingVariants(config.spelling_dictionary) : [];
}

export const spellingAddon: Addon = {
  name: "custom_spelling",
  changesTranscript: true,
  async run({ transcription, params }) {
    const variants = spellingOf(params);
    transcription.utterances = transcription.utterances.map((utterance) => respelled(utterance, variants));
  },
  // The transcript itself is the answer.
  place(result, _, answer) {
    if (!answer.success) result["custom_spelling"] = answer;
  },
};
