// Where a part of a transcript is spoken by one person alone, from which a voice can be computed; and the names of corrected utterances. Pure.

import type { Utterance } from "../../contract/transcript/transcript.ts";
import type { JobPart } from "../../contract/voices.ts";
import type { CorrectedTranscription } from "./corrections.ts";

/** A stretch of speech, seconds of the recording. */
export interface SpokenStretch {
  channel: number;
  start: number;
  end: number;
}

/** Shorter stretches are left out. */
const LEAST_SECONDS = 0.5;

/** Parts of a stretch in which no other stretch of the list is. */
function without(stretch: SpokenStretch, others: readonly SpokenStretch[]): SpokenStretch[] {
  let rest = [stretch];
  for (const { channel, start, end } of others) {
    if (channel !== stretch.channel || end <= stretch.start || start >= stretch.end) continue;
    rest = rest.flatMap((one) => [
      { ...one, end: Math.min(one.end, start) },
      { ...one, start: Math.max(one.start, end) },
    ]);
    rest = rest.filter((one) => one.end > one.start);
  }
  return rest;
}

/**
 * @returns stretches, longest first; and the speaker of all chosen utterances, if they have one in common. None for indexes and numbers
 *   that the transcript does not have.
 */
export function spokenStretches(
  { utterances, speaker_turns = [] }: CorrectedTranscription,
  part: JobPart,
): { stretches: SpokenStretch[]; speaker?: number } {
  const chosen =
    "speaker" in part
      ? utterances.filter(({ speaker }) => speaker === part.speaker)
      : part.utterances.flatMap((index) => utterances[index] ?? []);
  const numbers = new Set(chosen.map(({ speaker }) => speaker));
  const [speaker] = numbers;
  const others = speaker_turns.filter((turn) => !numbers.has(turn.speaker));
  const stretches = chosen
    .flatMap(({ channel, start, end }) => without({ channel, start, end }, others))
    .filter(({ start, end }) => end - start >= LEAST_SECONDS)
    .sort((left, right) => right.end - right.start - (left.end - left.start));
  return { stretches, ...(numbers.size === 1 && speaker !== undefined ? { speaker } : {}) };
}

/** Utterances carry the name that their speaker has after the corrections. */
export function correctedNames(transcription: CorrectedTranscription): CorrectedTranscription {
  if (!transcription.speakers) return transcription;
  const names = transcription.speaker_names;
  const utterances = transcription.utterances.map((utterance): Utterance => {
    const { speaker_name: before, speaker_confidence: confidence, ...rest } = utterance;
    const name = names[rest.speaker ?? -1];
    if (name === undefined) return rest;
    return {
      ...rest,
      speaker_name: name,
      ...(name === before && confidence !== undefined ? { speaker_confidence: confidence } : {}),
    };
  });
  return { ...transcription, utterances };
}
