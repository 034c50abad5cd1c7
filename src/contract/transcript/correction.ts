// Corrections of a transcript as they are stored and sent.
import type { Correction, TranscriptChange } from "../transcripts.ts";

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

/** A correction whose change is still JSON: those of one transcript have up to 20 million characters. */
export interface PrintedCorrection
  extends Pick<Correction, "id" | "created_at" | "made_by" | "undone_at" | "undone_by"> {
  change: string;
}

export const parsedCorrection = ({ id, created_at, made_by, change, ...undoing }: PrintedCorrection): Correction => ({
  ...{ id, created_at, made_by },
  ...(JSON.parse(change) as TranscriptChange),
  ...undoing,
});

/** Whether a correction changes who says what, or the name of a speaker. */
export const changesSpeakers = ({ merges, splits, speakers, utterances }: Correction): boolean =>
  [merges, splits, speakers].some((changes) => (changes?.length ?? 0) > 0) ||
  (utterances ?? []).some(({ speaker }) => speaker !== undefined);

/**
 * Whether people have changed who says what, or the name of a speaker.
 * @param requests  ids of the requests for add-ons: a correction of such an id has the speakers that were found
 */
export const hasSpeakersOfPeople = (corrections: readonly Correction[], requests: ReadonlySet<string>): boolean =>
  corrections.some(
    (correction) => correction.undone_at === null && !requests.has(correction.id) && changesSpeakers(correction),
  );

/**
 * Counts the corrections of a transcript, undone ones twice: a number that every change increases. The version of the transcript is this,
 * and how often the utterances of its result were divided again.
 */
export const versionOf = (corrections: readonly Pick<Correction, "undone_at">[]): number =>
  corrections.reduce((count, { undone_at }) => count + (undone_at === null ? 1 : 2), 0);
