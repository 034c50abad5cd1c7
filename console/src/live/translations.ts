// Translations of live captions.

export interface TranslatedLine {
  text: string;
  isFinal: boolean;
}

/** By the id of the utterance, then by target language. */
export type Translations = Readonly<Record<string, Readonly<Record<string, TranslatedLine>>>>;

export function withTranslation(known: Translations, id: string, target: string, line: TranslatedLine): Translations {
  // A translation of a partial may arrive after that of its final.
  if (known[id]?.[target]?.isFinal && !line.isFinal) return known;
  return { ...known, [id]: { ...known[id], [target]: line } };
}
