// Custom vocabulary: parsed from requests, used by recognition.
import type { AddonParameters } from "../../contract/job-parameters.ts";

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

/** The vocabulary of a request body (recorded) or of realtime_processing (live); empty if it is disabled. */
export function vocabularyOf({
  custom_vocabulary,
  custom_vocabulary_config: config,
}: AddonParameters): VocabularyTerm[] {
  const items = Array.isArray(custom_vocabulary)
    ? custom_vocabulary
    : custom_vocabulary === true
      ? (config?.vocabulary ?? [])
      : [];
  const fallback = config?.default_intensity ?? DEFAULT_INTENSITY;
  return items.map((item) => {
    const {
      value,
      intensity = fallback,
      pronunciations = [],
      language,
    } = typeof item === "string" ? { value: item } : item;
    return { value, intensity, pronunciations, ...(language ? { language } : {}) };
  });
}
