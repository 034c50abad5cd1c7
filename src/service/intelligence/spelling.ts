// custom_spelling: replaces spellings in the text and in the words.
import type { AddonParameters } from "../../contract/job-parameters.ts";
import type { Utterance } from "../../contract/transcript/transcript.ts";
import type { Addon } from "./addon.ts";
import { RespelledWords } from "./respelled-words.ts";
import { comparable, type SpelledText, spelledText } from "./spelled-text.ts";

/** Wanted spelling → spellings that it replaces. An empty wanted spelling removes them. */
export type SpellingDictionary = Record<string, string[]>;

/** Phrases of one length, in characters and words, with their wanted spellings. */
interface Group {
  length: number;
  words: number;
  /** Phrases as normalised by `comparable`. */
  spaced: Map<string, string>;
  /** The same without spaces, for scripts without them. */
  joined: Map<string, string>;
}

/** Phrases by their first character; groups of those with most words first, then the longest. */
export type Variants = ReadonlyMap<string, readonly Group[]>;

const withoutSpaces = (phrase: string) => phrase.replaceAll(" ", "");
const wordCount = (phrase: string) => phrase.split(" ").length;

/** Spaces at the ends of a spelling, as in a column of a table, would stand before marks. */
const withoutEdgeSpaces = (wanted: string) => wanted.replace(/^[ \t]+|(?<![ \t])[ \t]+$/g, "");

export function spellingVariants(dictionary: SpellingDictionary): Variants {
  const variants = Object.entries(dictionary)
    .map(([wanted, phrases]): [string, string[]] => [withoutEdgeSpaces(wanted), phrases])
    .flatMap(([wanted, phrases]) => phrases.map((phrase) => ({ wanted, phrase: comparable(phrase) })))
    .filter(({ phrase }) => phrase !== "")
    .map((variant) => ({ ...variant, words: wordCount(variant.phrase) }))
    .sort((left, right) => right.words - left.words || right.phrase.length - left.phrase.length);
  const byStart = new Map<string, Map<string, Group>>();
  for (const { phrase, wanted, words } of variants) {
    const start = phrase.charAt(0);
    const groups = byStart.get(start) ?? new Map<string, Group>();
    byStart.set(start, groups);
    const size = `${words} ${phrase.length}`;
    const group = groups.get(size) ?? { length: phrase.length, words, spaced: new Map(), joined: new Map() };
    groups.set(size, group);
    // If a phrase has two wanted spellings, the first one is used.
    if (!group.spaced.has(phrase)) group.spaced.set(phrase, wanted);
    const joined = withoutSpaces(phrase);
    if (!group.joined.has(joined)) group.joined.set(joined, wanted);
  }
  return new Map([...byStart].map(([start, groups]) => [start, [...groups.values()]]));
}

/** @returns phrases of all variants */
export const phrasesOf = (variants: Variants): string[] =>
  [...variants.values()].flat().flatMap(({ spaced }) => [...spaced.keys()]);

interface Match {
  wanted: string;
  end: number;
}

/** Looks each length up once: thousands of phrases may start with the same character. */
function matchAt(text: SpelledText, at: number, variants: Variants): Match | undefined {
  const groups = variants.get(text.characterAt(at));
  if (!groups || !text.canStart(at)) return undefined;
  for (const { length, words, spaced, joined } of groups) {
    const phrases = text.hasSpaces ? spaced : joined;
    const end = at + (text.hasSpaces ? length : length - words + 1);
    if (end > text.length || !text.canEnd(end)) continue;
    const wanted = phrases.get(text.slice(at, end));
    if (wanted !== undefined) return { wanted, end };
  }
  return undefined;
}

/** @returns the utterance with every variant replaced; the same one if it has none. Without words if all were removed. */
export function respelled(utterance: Utterance, variants: Variants): Utterance {
  if (variants.size === 0) return utterance;
  const text = spelledText(utterance);
  const words = new RespelledWords(utterance.words, utterance.language);
  for (let at = 0; at < text.length; ) {
    const match = matchAt(text, at, variants);
    if (match) words.replace(text.placeOf(at), text.placeOf(match.end - 1), match.wanted);
    at = match?.end ?? at + 1;
  }
  if (!words.isChanged) return utterance;
  const joined = words.end();
  if (joined.every(({ word }) => word.trim() === "")) return { ...utterance, words: [], text: "" };
  const [first] = joined;
  // Texts of live finals begin with a space.
  const space = /^\s*/.exec(utterance.words[0]?.word ?? "")?.[0] ?? "";
  if (first && first.word.trim() !== "") joined[0] = { ...first, word: space + first.word.trimStart() };
  return { ...utterance, words: joined, text: joined.map(({ word }) => word).join("") };
}

/** The dictionary of a request, if it is switched on. */
export function spellingOf({ custom_spelling, custom_spelling_config: config }: AddonParameters): Variants {
  return spellingVariants(custom_spelling === true && config ? config.spelling_dictionary : {});
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
