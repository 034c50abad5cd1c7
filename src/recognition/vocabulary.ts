// Words that a caller expects: as requests have them, and as recognition uses them.

export interface VocabularyTerm {
  value: string;
  /** 0 does nothing, 1 is most eager. */
  intensity: number;
  /** Naive respellings of how it sounds. */
  pronunciations: string[];
  /** ISO 639 code where the term belongs to one language only. */
  language?: string;
}

type Item = string | { value: string; intensity?: number; pronunciations?: string[]; language?: string };

const DEFAULT_INTENSITY = 0.5;

/** The vocabulary of a body (recorded) or of realtime_processing (live); empty where it is switched off. */
export function vocabularyOf(switches: Record<string, unknown>): VocabularyTerm[] {
  const { custom_vocabulary, custom_vocabulary_config } = switches;
  const config = custom_vocabulary_config as { vocabulary: Item[]; default_intensity?: number } | undefined;
  const items = Array.isArray(custom_vocabulary)
    ? (custom_vocabulary as Item[])
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
