// Translations of the utterances of a transcript in AssemblyAI's interface.
import { lowestPlace } from "../../contract/lowest-place.ts";
import type { Transcription, Utterance } from "../../contract/transcript/transcript.ts";
import { joinedTexts } from "../../speech/text/joined-texts.ts";
import type { SpokenWord } from "../../speech/text/spoken-words.ts";

/** A translation of a result. */
export type Translated = Transcription & { error?: unknown; warnings?: string[] };

/** @returns the text of each translation within the words of an utterance, by language */
export function translatedTexts(translations: readonly Translated[]) {
  const byLanguage = translations
    .filter(({ error }) => !error)
    .map(({ languages, utterances }) => ({ language: languages[0] ?? "", channels: channelsOf(utterances) }));
  return (words: readonly SpokenWord[]): { translated_texts?: Record<string, string> } => {
    const [first, last] = [words.at(0), words.at(-1)];
    if (!first || !last || byLanguage.length === 0) return {};
    const texts = byLanguage.map(({ language, channels }) => {
      const inOrder = channels.get(first.channel) ?? [];
      const from = firstAt(inOrder, first.start);
      // The next utterance may start where this one ends. An utterance without a duration is its own.
      const least = inOrder[from]?.start === first.start ? from + 1 : from;
      const to = Math.max(firstAt(inOrder, last.end), least);
      return [language, joinedTexts(inOrder.slice(from, to))];
    });
    return { translated_texts: Object.fromEntries(texts) as Record<string, string> };
  };
}

const firstAt = (inOrder: readonly Utterance[], seconds: number) =>
  lowestPlace(inOrder.length, (place) => (inOrder[place]?.start ?? 0) >= seconds);

/** Utterances of each channel in the order of their starts. */
function channelsOf(utterances: readonly Utterance[]): Map<number, Utterance[]> {
  const channels = new Map<number, Utterance[]>();
  for (const one of utterances.toSorted((left, right) => left.start - right.start)) {
    const inOrder = channels.get(one.channel) ?? [];
    inOrder.push(one);
    channels.set(one.channel, inOrder);
  }
  return channels;
}
