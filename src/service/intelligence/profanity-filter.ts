// profanity_filter: each profane word keeps its first letter, and the others become asterisks. Neutral words of the list stay.
import type { AddonParameters } from "../../contract/job-parameters.ts";
import type { Utterance } from "../../contract/transcript/transcript.ts";
import { type Addon, inLanguages } from "./addon.ts";
import { callerSpellings } from "./caller-wording.ts";
import { judgedText, NEUTRAL_WORDS, PROFANITY_LANGUAGES, profanityIn } from "./profanity.ts";
import { translatesIntoEnglish } from "./translation-targets.ts";

const LETTERS_BEFORE = /(?<![\p{L}\p{N}'’])[\p{L}\p{N}'’]*$/u;
/** A possessive stays. */
const LETTERS_BEHIND = /^(?:(?!['’]s\b)[\p{L}\p{N}'’])*/u;
const INNER_LETTER = /(?<=[\p{L}\p{N}'’])[\p{L}\p{N}'’]/gu;

/** @param kept  words of the caller in small letters, which stay @returns a text of the same length */
function maskedText(text: string, kept: ReadonlySet<string>): string {
  let masked = text;
  for (const { from, to, word: listed } of profanityIn(judgedText(text))) {
    if (NEUTRAL_WORDS.has(listed)) continue;
    const start = from - (LETTERS_BEFORE.exec(text.slice(0, from))?.[0].length ?? 0);
    const end = to + (LETTERS_BEHIND.exec(text.slice(to))?.[0].length ?? 0);
    const word = text.slice(start, end);
    if (kept.has(word.toLowerCase())) continue;
    masked = masked.slice(0, start) + word.replace(INNER_LETTER, "*") + masked.slice(end);
  }
  return masked;
}

/** @returns the same utterance where there is nothing to mask */
export function withProfanityMasked(utterance: Utterance, kept: ReadonlySet<string>): Utterance {
  if (!PROFANITY_LANGUAGES.includes(utterance.language)) return utterance;
  const text = utterance.words.map(({ word }) => word).join("");
  const masked = maskedText(text, kept);
  if (masked === text) return utterance;
  let at = 0;
  const words = utterance.words.map((word) => {
    const start = at;
    at += word.word.length;
    return { ...word, word: masked.slice(start, at) };
  });
  return { ...utterance, words, text: masked };
}

/** Words of the caller that are never masked, in small letters. */
export const unmaskedWords = (switches: AddonParameters): ReadonlySet<string> =>
  new Set(callerSpellings(switches).flatMap((phrase) => phrase.toLowerCase().split(/\s+/)));

const OWN = { name: "profanity_filter", languages: PROFANITY_LANGUAGES };

export const profanityFilterAddon: Addon = {
  name: OWN.name,
  changesTranscript: true,
  masksWords: true,
  async run({ transcription, params }) {
    // An English translation is masked in any case.
    if (!translatesIntoEnglish(params)) inLanguages(transcription.utterances, OWN);
    const kept = unmaskedWords(params);
    transcription.utterances = transcription.utterances.map((utterance) => withProfanityMasked(utterance, kept));
  },
  // Its result is the changed transcript.
  place(result, _, answer) {
    if (!answer.success) result["profanity_filter"] = answer;
  },
};
