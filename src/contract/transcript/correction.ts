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

/** Counts the corrections of a transcript, undone ones twice: a number that every change increases. */
export const versionOf = (corrections: readonly Pick<Correction, "undone_at">[]): number =>
  corrections.reduce((count, { undone_at }) => count + (undone_at === null ? 1 : 2), 0);
