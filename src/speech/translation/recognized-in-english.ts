// Whisper's own translation into English, utterance by utterance.
import type { Utterance, Word } from "../../contract/transcript/transcript.ts";

/**
 * Assigns the recogniser's English words to the utterances that contain their times.
 * @param utterances  in the languages spoken
 * @param english     the same speech as the recogniser translates it
 * @param languages   utterances in these languages are replaced
 */
export function recognizedInEnglish(
  utterances: readonly Utterance[],
  english: readonly Utterance[],
  languages: ReadonlySet<string>,
): Utterance[] {
  const foreign = utterances.filter(({ language }) => languages.has(language));
  const words = new Map<Utterance, Word[]>(foreign.map((utterance) => [utterance, []]));
  const distance = ({ start, end }: Utterance, at: number) => Math.max(start - at, at - end, 0);
  for (const { channel, words: own } of english) {
    const candidates = foreign.filter((utterance) => utterance.channel === channel);
    for (const word of own) {
      const middle = (word.start + word.end) / 2;
      const [first, ...others] = candidates;
      if (!first) break;
      const nearest = others.reduce(
        (best, one) => (distance(one, middle) < distance(best, middle) ? one : best),
        first,
      );
      words.get(nearest)?.push(word);
    }
  }
  return utterances.map((utterance) => {
    const own = words.get(utterance);
    if (!own) return utterance;
    const space = /^\s*/.exec(utterance.text)?.[0] ?? "";
    const spaced = own.map((word, index) => ({ ...word, word: (index === 0 ? space : " ") + word.word.trim() }));
    return { ...utterance, language: "en", words: spaced, text: spaced.map(({ word }) => word).join("") };
  });
}
