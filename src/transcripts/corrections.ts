// What people put right in a transcript: kept beside what was recognised, never over it. Pure, without anything of Node:
// the console applies corrections with the same code.
import type { Transcription, Utterance } from "../jobs/transcript.ts";
import { respoken } from "./respoken.ts";

/** One set of changes that somebody made at once. Wire names: this is what is stored and sent. */
export interface TranscriptChange {
  utterances?: {
    /** Which one, counted from 0 in the recognised transcript. */
    index: number;
    /** As it should read; empty takes it out. */
    text?: string;
    speaker?: number;
  }[];
  speakers?: {
    speaker: number;
    /** Empty takes the name away again. */
    name: string;
  }[];
}

export interface Correction extends TranscriptChange {
  id: string;
  created_at: string;
  made_by: string;
  undone_at: string | null;
  undone_by: string | null;
}

export interface CorrectedTranscription extends Transcription {
  /** Names of speakers by their number. */
  speaker_names: Record<string, string>;
  /** Which utterances do not read as recognised. */
  corrected_utterances: number[];
}

/** Later corrections win; undone ones count for nothing. @param corrections  in the order in which they were made */
export function corrected(
  transcription: Transcription,
  corrections: readonly Pick<Correction, "utterances" | "speakers" | "undone_at">[],
): CorrectedTranscription {
  const texts = new Map<number, string>();
  const speakers = new Map<number, number>();
  const names = new Map<number, string>();
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
    const isRead = text !== undefined && text !== utterance.text.trim();
    const isSaid = speaker !== undefined && speaker !== utterance.speaker;
    if (isRead || isSaid) changed.push(index);
    const words = isRead ? respoken(utterance, text) : utterance.words;
    return { ...utterance, words, ...(isRead ? { text } : {}), ...(isSaid ? { speaker } : {}) };
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

export function speakerName(speaker: number, names: Record<string, string>): string {
  return names[speaker] ?? `Speaker ${speaker}`;
}
