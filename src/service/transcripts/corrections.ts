// Applies corrections of a transcript, which are stored beside the recognised transcript and never change it. Pure and
// independent of Node, as the console uses the same code.

import type { CueEdit } from "../../contract/cues.ts";
import { correctedSpeakers } from "../../contract/transcript/speaker-names.ts";
import type { Transcription } from "../../contract/transcript/transcript.ts";
import { joinedTexts } from "../../speech/text/joined-texts.ts";
import { correctedTurns } from "./corrected-turns.ts";
import type { SpokenPart } from "./spoken-parts.ts";
import { type Change, SpokenUtterances } from "./spoken-utterances.ts";

export interface CorrectedTranscription extends Transcription {
  /** Names of speakers, by number. */
  speaker_names: Record<string, string>;
  /** Indexes of the utterances that differ from the recognised ones. */
  corrected_utterances: number[];
  /** For each utterance, the index of the recognised utterance from which it was made. */
  source_utterances: number[];
  /** Indexes of the utterances at which a person began a paragraph. */
  paragraph_starts: number[];
  /** Cues of the subtitles that people set, in the order in which they were set; missing if there are none. */
  cue_edits?: CueEdit[];
}

interface CorrectedPart extends SpokenPart {
  source: number;
  isChanged: boolean;
}

/** The list of speakers, if the transcript has one. */
const speakersNow = (
  recognised: Transcription,
  now: Pick<Transcription, "utterances" | "speaker_turns">,
  names: Readonly<Record<string, string>>,
) => (recognised.speakers ? { speakers: correctedSpeakers(recognised, now, names) } : {});

/**
 * Corrections are applied in order; undone ones are ignored. @param corrections  in the order in which they were made
 * @returns utterances in order; one is divided where its speaker changes
 */
export function corrected(transcription: Transcription, corrections: readonly Change[]): CorrectedTranscription {
  const utterances = new SpokenUtterances(transcription);
  utterances.applyAll(corrections);
  const current = utterances.current();
  const spoken = current.map(({ one }) => one);
  const { names } = utterances;
  const edits = corrections.flatMap(({ cues = [], undone_at }) => (undone_at === null ? cues : []));
  const cueEdits = edits.length > 0 ? { cue_edits: edits } : {};
  const speakerNames = Object.fromEntries([...names].filter(([, name]) => name !== ""));
  if (!spoken.some(({ differs }) => differs)) {
    return {
      ...transcription,
      ...speakersNow(transcription, transcription, speakerNames),
      speaker_names: speakerNames,
      corrected_utterances: [],
      source_utterances: spoken.map((_, index) => index),
      paragraph_starts: [],
      ...cueEdits,
    };
  }
  const parts = current.flatMap(({ one, index: source }): CorrectedPart[] => {
    const { isChanged, differs } = one;
    return differs
      ? one.parts().map((part) => ({ ...part, source, isChanged }))
      : [{ utterance: one.source, source, isChanged, isBreak: false }];
  });
  // A part may start after the next recognised utterance, where two people talk at once.
  if (parts.length > spoken.length || spoken.length < utterances.count)
    parts.sort((left, right) => left.utterance.start - right.utterance.start);
  const now = {
    utterances: parts.map(({ utterance }) => utterance),
    ...(transcription.speaker_turns ? { speaker_turns: correctedTurns(transcription.speaker_turns, spoken) } : {}),
  };
  return {
    ...transcription,
    ...now,
    ...speakersNow(transcription, now, speakerNames),
    full_transcript: joinedTexts(now.utterances),
    speaker_names: speakerNames,
    corrected_utterances: parts.flatMap(({ isChanged }, at) => (isChanged ? [at] : [])),
    source_utterances: parts.map(({ source }) => source),
    paragraph_starts: parts.flatMap(({ isBreak }, at) => (isBreak ? [at] : [])),
    ...cueEdits,
  };
}
