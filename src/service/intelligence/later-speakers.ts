// Speakers that are found after people have corrected the transcript. They become a correction themselves: the other corrections name utterances
// of the recognised transcript, so that these must stay as they are.
import type { Correction, TranscriptChange, UtteranceChange } from "../../contract/transcript/correction.ts";
import type { Transcription, Utterance, Word } from "../../contract/transcript/transcript.ts";
import { SpokenUtterances } from "../transcripts/spoken-utterances.ts";

const keyOf = (channel: number, { start, end }: Word) => `${channel} ${start} ${end}`;

/** The utterances as they read now, without the division by earlier speakers. */
export function undividedText(recognised: Transcription, corrections: readonly Correction[]): Transcription {
  const now = new SpokenUtterances(recognised);
  now.applyAll(corrections);
  const utterances = now.current().flatMap(({ one }): Utterance[] => {
    const [{ language = "", confidence = 0 } = {}] = one.recognised();
    const words = [...one.allWords];
    const [first, last] = [words[0], words.at(-1)];
    if (!first || !last) return [];
    const text = words.map(({ word }) => word).join("");
    return [{ text, language, start: first.start, end: last.end, confidence, channel: one.channel, words }];
  });
  return { ...recognised, utterances: utterances.sort((left, right) => left.start - right.start) };
}

/**
 * The correction that gives each word its speaker.
 * @param divided  the utterances of `undividedText`, divided by speakers
 * @returns undefined if there are no words
 */
export function speakersAsChange(
  recognised: Transcription,
  corrections: readonly Correction[],
  divided: readonly Utterance[],
): TranscriptChange | undefined {
  const speakers = new Map<string, number>();
  for (const { channel, words, speaker } of divided) {
    if (speaker !== undefined) for (const word of words) speakers.set(keyOf(channel, word), speaker);
  }
  const now = new SpokenUtterances(recognised);
  now.applyAll(corrections);
  const utterances = now.current().flatMap(({ index, one }): UtteranceChange[] => {
    const runs: { index: number; start: number; end: number; speaker: number }[] = [];
    for (const word of one.allWords) {
      const speaker = speakers.get(keyOf(one.channel, word)) ?? runs.at(-1)?.speaker;
      if (speaker === undefined) continue;
      const last = runs.at(-1);
      if (last?.speaker === speaker) last.end = Math.max(last.end, word.end);
      else runs.push({ index, start: word.start, end: word.end, speaker });
    }
    return runs;
  });
  if (utterances.length === 0) return undefined;
  // A name belongs to a voice, and the numbers now mean other voices.
  const named = [...now.names].filter(([, name]) => name !== "");
  return { utterances, ...(named.length > 0 ? { speakers: named.map(([speaker]) => ({ speaker, name: "" })) } : {}) };
}
