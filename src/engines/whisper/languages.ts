// Which language is spoken, as the decoder's first step tells it.
import type { RecognitionRequest } from "../../recognition/recognizer.ts";

/** So many of the likeliest are told. */
const MOST_TOLD = 5;

/**
 * @param logits          of the first step; the language tokens among them are compared
 * @param languageTokens  by ISO 639 code
 * @returns probabilities of the languages in question, the likeliest first
 */
export function likelyLanguages(
  logits: Float32Array,
  languageTokens: Readonly<Record<string, number>>,
  { languages = [], languageBias }: Pick<RecognitionRequest, "languages" | "languageBias">,
): [language: string, probability: number][] {
  const wanted = languages.filter((language) => languageTokens[language] !== undefined);
  const candidates = wanted.length > 0 ? wanted : Object.keys(languageTokens);
  const scores = candidates.map((language) => {
    const bias = languageBias?.language === language ? languageBias.logOdds : 0;
    return (logits[languageTokens[language] as number] as number) + bias;
  });
  const highest = Math.max(...scores);
  const weights = scores.map((score) => Math.exp(score - highest));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return candidates
    .map((language, at): [string, number] => [language, (weights[at] as number) / sum])
    .sort((left, right) => right[1] - left[1])
    .slice(0, MOST_TOLD);
}
