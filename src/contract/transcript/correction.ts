// Corrections of a transcript as they are stored and sent.
import type { Correction } from "../transcripts.ts";

export type { CueEdit } from "../cues.ts";
export type {
  Correction,
  SpeakerMerge,
  SpeakerSplit,
  TranscriptChange,
  UtteranceBreak,
  UtteranceChange,
  UtteranceJoin,
} from "../transcripts.ts";

/** Counts the corrections of a transcript, undone ones twice: a number that every change increases. */
export const versionOf = (corrections: readonly Pick<Correction, "undone_at">[]): number =>
  corrections.reduce((count, { undone_at }) => count + (undone_at === null ? 1 : 2), 0);
