// filler_words: words such as "um" and "uh" are removed, or marked. Words that mean something elsewhere ("like", "well") are no fillers here.
import type { AddonParameters } from "../../contract/job-parameters.ts";
import type { Utterance, Word } from "../../contract/transcript/transcript.ts";
import { type Addon, inLanguages } from "./addon.ts";
import { RespelledWords } from "./respelled-words.ts";
import { isSmallWord } from "./small-words.ts";

/** Hesitations as recognisers write them, by language. None of them is another word of its language: "err" is a verb. */
const FILLERS: Readonly<Record<string, RegExp>> = {
  en: /^(?:u+h+m*|u+m+|(?!err$)e+r+m*|h+m+)$/i,
  de: /^(?:ä+h+m*|ö+h+m*|h+m+)$/i,
  fr: /^(?:e+u+h+|h+e+u+|h+u*m+)$/i,
  es: /^(?:e+h+m+|h+m+)$/i,
  pt: /^(?:e+h+m+|h+u*m+)$/i,
  it: /^(?:e+h+m+|u+h+m*|m+h+|h+m+)$/i,
  nl: /^(?:e+h+m*|u+h+m*|e+u+h+m*|h+m+)$/i,
};

const CORE = /[\p{L}\p{N}\p{M}'’-]+/u;
/** Abbreviations such as "ER". */
const HAS_CAPITALS = /\p{Lu}.*\p{Lu}/u;
const COMMA_BEHIND = /,$/;

interface Filler {
  from: number;
  to: number;
}

function fillerIn({ word }: Word, fillers: RegExp): Filler | undefined {
  const found = CORE.exec(word);
  if (!found || !fillers.test(found[0]) || HAS_CAPITALS.test(found[0])) return undefined;
  return { from: found.index, to: found.index + found[0].length };
}

/** "Uh huh", "mm hmm": an answer, of which no part is a filler. */
const ANSWERS = /^(?:u+[hm]+ hu[hm]+|m+ h+m+)$/i;

/** Whether a word and the next one are one answer. */
function isAnswer(words: readonly Word[], at: number): boolean {
  const [first, second] = [words[at]?.word.trim() ?? "", words[at + 1]?.word ?? ""];
  return ANSWERS.test(`${first} ${CORE.exec(second)?.[0] ?? ""}`);
}

/**
 * Of two commas around a filler, one belongs to the sentence: "If it rains, um, we stay." Behind a small word, both are those of the
 * filler: "I, um, think".
 */
function withoutComma(words: readonly Word[], at: number, isFiller: readonly boolean[], language: string): Word {
  const word = words[at] as Word;
  const next = words[at + 1];
  const isSetOff = !isFiller[at] && isFiller[at + 1] && COMMA_BEHIND.test(next?.word ?? "");
  if (!isSetOff || !isSmallWord(CORE.exec(word.word)?.[0] ?? "", language)) return word;
  return { ...word, word: word.word.replace(COMMA_BEHIND, "") };
}

function withoutFillers(utterance: Utterance, found: readonly (Filler | undefined)[]): Utterance {
  const isFiller = found.map((one) => one !== undefined);
  const words = utterance.words.map((_, at) => withoutComma(utterance.words, at, isFiller, utterance.language));
  // The comma behind a filler is its own.
  const bare = words.map((word, at) => (isFiller[at] ? { ...word, word: word.word.replace(COMMA_BEHIND, "") } : word));
  const left = new RespelledWords(bare, utterance.language);
  for (const [word, filler] of found.entries()) {
    if (filler) left.replace({ word, ...filler }, { word, ...filler }, "");
  }
  const [first, ...rest] = left.end();
  if (!first) return { ...utterance, words: [], text: "" };
  const space = /^\s*/.exec(utterance.words[0]?.word ?? "")?.[0] ?? "";
  const kept = [{ ...first, word: space + first.word.trimStart() }, ...rest];
  return { ...utterance, words: kept, text: kept.map(({ word }) => word).join("") };
}

export type FillerChoice = NonNullable<AddonParameters["filler_words"]>;

/** @returns the same utterance where it has no fillers, or keeps them; without words if it had no others */
export function withFillerWords(utterance: Utterance, choice: FillerChoice = "keep"): Utterance {
  const fillers = FILLERS[utterance.language];
  if (choice === "keep" || !fillers) return utterance;
  const { words: all } = utterance;
  const found = all.map((word, at) =>
    isAnswer(all, at) || isAnswer(all, at - 1) ? undefined : fillerIn(word, fillers),
  );
  if (!found.some((one) => one !== undefined)) return utterance;
  if (choice === "drop") return withoutFillers(utterance, found);
  const words = all.map((word, at) => (found[at] ? { ...word, is_filler: true as const } : word));
  return { ...utterance, words };
}

const OWN = { name: "filler_words", languages: Object.keys(FILLERS) };

export const fillerWordsAddon: Addon = {
  name: OWN.name,
  changesTranscript: true,
  async run({ transcription, params }) {
    if (params.filler_words !== "keep") inLanguages(transcription.utterances, OWN);
    transcription.utterances = transcription.utterances
      .map((utterance) => withFillerWords(utterance, params.filler_words))
      .filter(({ words }) => words.length > 0);
  },
  // Its result is the changed transcript.
  place(result, _, answer) {
    if (!answer.success) result["filler_words"] = answer;
  },
};
