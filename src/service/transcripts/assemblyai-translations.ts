// Translations of the utterances of a transcript in AssemblyAI's interface.
import type { Transcription, Utterance } from "../../contract/transcript/transcript.ts";
import { joinedTexts } from "../../speech/text/joined-texts.ts";
import type { SpokenWord } from "../../speech/text/spoken-words.ts";

/** A translation of a result. */
export type Translated = Transcription & { error?: unknown; warnings?: string[] };

/** @returns what is said in an utterance, by language; an empty object without translations */
export function translatedWithin(words: readonly SpokenWord[], translations: readonly Translated[]) {
  const [first, last] = [words.at(0), words.at(-1)];
  if (!first || !last) return {};
  const isWithin = ({ start, channel }: Utterance) =>
    channel === first.channel && start >= first.start && start <= last.end;
  const texts = translations.map(({ languages, utterances }) => [
    languages[0] ?? "",
    joinedTexts(utterances.filter(isWithin)),
  ]);
  return texts.length > 0 ? { translated_texts: Object.fromEntries(texts) as Record<string, string> } : {};
}
