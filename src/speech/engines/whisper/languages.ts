// Detects the language from the logits of the decoder's first step.
import type { RecognitionRequest } from "../../recognition/recognizer.ts";

/** Number of languages in a result. */
const MOST_REPORTED = 5;

/**
 * @param logits          of the first step; only language tokens are compared
 * @param languageTokens  by ISO 639 code
 * @returns unbiased probabilities of the candidate languages, ordered by probability with the bias
 */
export function likelyLanguages(
  logits: Float32Array,
  languageTokens: Readonly<Record<string, number>>,
  { languages = [], languageBias = [] }: Pick<RecognitionRequest, "languages" | "languageBias">,
): [language: string, probability: number][] {
  const wanted = languages.filter((language) => languageTokens[language] !== undefined);
  const candidates = wanted.length > 0 ? wanted : Object.keys(languageTokens);
  const bias = new Map(languageBias.map(({ language, logOdds }) => [language, logOdds]));
  const scores = candidates.map((language) => logits[languageTokens[language] as number] as number);
  const highest = Math.max(...scores);
  const sum = scores.reduce((total, score) => total + Math.exp(score - highest), 0);
  const biased = (at: number) => (scores[at] as number) + (bias.get(candidates[at] as string) ?? 0);
  return [...candidates.keys()]
    .sort((left, right) => biased(right) - biased(left))
    .slice(0, MOST_REPORTED)
    .map((at): [string, number] => [candidates[at] as string, Math.exp((scores[at] as number) - highest) / sum]);
}
