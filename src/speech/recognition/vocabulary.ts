// Custom vocabulary: parsed from requests, used by recognition.
import type { AddonParameters } from "../../contract/job-parameters.ts";
import { tidy } from "../text/tidy.ts";

export interface VocabularyTerm {
  value: string;
  /** 0 has no effect, 1 is the strongest bias. */
  intensity: number;
  /** Respellings that approximate the pronunciation. */
  pronunciations: string[];
  /** ISO 639 code if the term belongs to one language only. */
  language?: string;
}

const DEFAULT_INTENSITY = 0.5;

type Item = string | { value: string; intensity?: number; pronunciations?: string[]; language?: string };

/** Terms without spaces at their ends or line breaks, as they stand in a column of a table; none is empty. */
const termsOf = (items: readonly Item[], fallback: number): VocabularyTerm[] =>
  items.flatMap((item) => {
    const {
      value,
      intensity = fallback,
      pronunciations = [],
      language,
    } = typeof item === "string" ? { value: item } : item;
    const written = tidy(value);
    if (written === "") return [];
    const said = pronunciations.map(tidy).filter((one) => one !== "");
    return [{ value: written, intensity, pronunciations: said, ...(language ? { language } : {}) }];
  });

/**
 * The vocabulary of a request body (recorded) or of realtime_processing (live), with the words of the account that were added to it. Where
 * both have a word, that of the request applies.
 */
export function vocabularyOf({
  custom_vocabulary,
  custom_vocabulary_config: config,
  account_words: added = [],
}: AddonParameters): VocabularyTerm[] {
  const own = Array.isArray(custom_vocabulary)
    ? custom_vocabulary
    : custom_vocabulary === true
      ? (config?.vocabulary ?? [])
      : [];
  const terms = termsOf(own, config?.default_intensity ?? DEFAULT_INTENSITY);
  if (added.length === 0) return terms;
  const named = new Set(terms.map(({ value }) => value));
  return [...terms, ...termsOf(added, DEFAULT_INTENSITY).filter(({ value }) => !named.has(value))];
}
