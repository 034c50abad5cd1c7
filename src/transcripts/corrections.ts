// Applies corrections of a transcript, which are stored beside the recognised transcript and never change it. Pure and
// independent of Node, as the console uses the same code.

import type { Correction } from "../transcript/correction.ts";
import type { Transcription, Utterance } from "../transcript/transcript.ts";
import { alignCorrection } from "./correction-alignment.ts";

export interface CorrectedTranscription extends Transcription {
  /** Names of speakers, by number. */
  speaker_names: Record<string, string>;
  /** Indexes of the utterances that differ from the recognised ones. */
  corrected_utterances: number[];
}

/**
 * Later corrections take precedence; undone ones are ignored. @param corrections  in the order in which they were made
 */
export function corrected(
  transcription: Transcription,
  corrections: readonly Pick<Correction, "utterances" | "speakers" | "undone_at">[],
): CorrectedTranscription {
  const texts = new Map<number, string>();
  const speakers = new Map<number, number>();
  const names = new Map((transcription.speakers ?? []).map(({ speaker, name }) => [speaker, name ?? ""]));
  for (const { utterances = [], speakers: named = [], undone_at } of corrections) {
    if (undone_at !== null) continue;
    for (const { index, text, speaker } of utterances) {
      if (text !== undefined) texts.set(index, text);
      if (speaker !== undefined) speakers.set(index, speaker);
    }
    for (const { speaker, name } of named) names.set(speaker, name.trim());
  }
  const changed: number[] = [];
  const utterances = transcription.utterances.map((utterance, index): Utterance => {
    const text = texts.get(index)?.trim();
    const speaker = speakers.get(index);
    const hasNewText = text !== undefined && text !== utterance.text.trim();
    const hasNewSpeaker = speaker !== undefined && speaker !== utterance.speaker;
    if (hasNewText || hasNewSpeaker) changed.push(index);
    const words = hasNewText ? alignCorrection(utterance, text) : utterance.words;
    return { ...utterance, words, ...(hasNewText ? { text } : {}), ...(hasNewSpeaker ? { speaker } : {}) };
  });
  return {
    ...transcription,
    utterances,
    full_transcript:
      changed.length === 0
        ? transcription.full_transcript
        : utterances
            .map(({ text }) => text.trim())
            .filter((text) => text !== "")
            .join(" "),
    speaker_names: Object.fromEntries([...names].filter(([, name]) => name !== "")),
    corrected_utterances: changed,
  };
}
