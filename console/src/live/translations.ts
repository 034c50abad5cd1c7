// Translations of live captions.
import type { ServerMessage } from "../shapes.ts";

export interface TranslatedLine {
  text: string;
  isFinal: boolean;
}

/** By the id of the utterance, then by target language. */
export type Translations = Readonly<Record<string, Readonly<Record<string, TranslatedLine>>>>;

/** @returns the translations with that of a message, if it has one */
export function withTranslation(
  known: Translations,
  { data }: Extract<ServerMessage, { type: "translation" }>,
): Translations {
  if (!data) return known;
  const { utterance_id: id, target_language: target, translated_utterance, is_final: isFinal = true } = data;
  // A translation of a partial may arrive after that of its final.
  if (known[id]?.[target]?.isFinal && !isFinal) return known;
  return { ...known, [id]: { ...known[id], [target]: { text: translated_utterance.text.trim(), isFinal } } };
}
