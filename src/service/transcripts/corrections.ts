// Applies corrections of a transcript, which are stored beside the recognised transcript and never change it. Pure and
// independent of Node, as the console uses the same code.

import type { Correction } from "../../contract/transcript/correction.ts";
import type { Transcription, Utterance } from "../../contract/transcript/transcript.ts";
import { correctedTurns } from "./corrected-turns.ts";
import { SpokenUtterance, type TimeRange } from "./spoken-utterance.ts";

export interface CorrectedTranscription extends Transcription {
  /** Names of speakers, by number. */
  speaker_names: Record<string, string>;
  /** Indexes of the utterances that differ from the recognised ones. */
  corrected_utterances: number[];
  /** For each utterance, the index of the recognised utterance from which it was made. */
  source_utterances: number[];
}

type Change = Pick<Correction, "merges" | "splits" | "utterances" | "speakers" | "undone_at">;

function rangeOf({ start, end }: TimeRange): TimeRange | undefined {
  return start === undefined && end === undefined ? undefined : { start, end };
}

/** @param names  of speakers, which the corrections change */
function apply(corrections: readonly Change[], spoken: readonly SpokenUtterance[], names: Map<number, string>): void {
  for (const { merges = [], splits = [], utterances = [], speakers = [] } of corrections) {
    for (const { speaker, into } of merges) {
      for (const utterance of spoken) utterance.merge(speaker, into);
      names.delete(speaker);
    }
    for (const { speaker, start, into } of splits) {
      for (const utterance of spoken) utterance.split(speaker, start, into);
    }
    for (const { index, text, speaker, ...times } of utterances) {
      const range = rangeOf(times);
      if (text !== undefined) spoken[index]?.setText(text.trim(), range);
      if (speaker !== undefined) spoken[index]?.setSpeaker(speaker, range);
    }
    for (const { speaker, name } of speakers) names.set(speaker, name.trim());
  }
}

/**
 * Corrections are applied in order; undone ones are ignored. @param corrections  in the order in which they were made
 * @returns utterances in order; one is divided where its speaker changes
 */
export function corrected(transcription: Transcription, corrections: readonly Change[]): CorrectedTranscription {
  const active = corrections.filter(({ undone_at }) => undone_at === null);
  const spoken = transcription.utterances.map((utterance) => new SpokenUtterance(utterance));
  const names = new Map((transcription.speakers ?? []).map(({ speaker, name }) => [speaker, name ?? ""]));
  apply(active, spoken, names);
  const speakerNames = Object.fromEntries([...names].filter(([, name]) => name !== ""));
  if (!spoken.some(({ isChanged }) => isChanged)) {
    return {
      ...transcription,
      speaker_names: speakerNames,
      corrected_utterances: [],
      source_utterances: spoken.map((_, index) => index),
    };
  }
  const parts = spoken.flatMap((one, source): { utterance: Utterance; source: number; isChanged: boolean }[] => {
    const { isChanged } = one;
    return isChanged
      ? one.parts().map((utterance) => ({ utterance, source, isChanged }))
      : [{ utterance: one.source, source, isChanged }];
  });
  // A part may start after the next recognised utterance, where two people talk at once.
  if (parts.length > spoken.length) parts.sort((left, right) => left.utterance.start - right.utterance.start);
  return {
    ...transcription,
    utterances: parts.map(({ utterance }) => utterance),
    full_transcript: spoken
      .map(({ fullText }) => fullText)
      .filter((text) => text !== "")
      .join(" "),
    ...(transcription.speaker_turns ? { speaker_turns: correctedTurns(transcription.speaker_turns, spoken) } : {}),
    speaker_names: speakerNames,
    corrected_utterances: parts.flatMap(({ isChanged }, at) => (isChanged ? [at] : [])),
    source_utterances: parts.map(({ source }) => source),
  };
}
