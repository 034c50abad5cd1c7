// What a partial hears: all of a short utterance; of a long one its end, with the words before taken as said.
import { LEAD_SECONDS, type PlacedWord } from "./speech-context.ts";

/** More audio than this, or more words, makes an answer slow. */
const MOST_HEARD_SECONDS = 6;
/** With less of a long utterance, or less of it open to doubt, it reads worse: it must know what went before. */
const LEAST_HEARD_SECONDS = 4.5;
const OPEN_SECONDS = 2;
/** Silence behind audio that breaks off while somebody speaks: without it a word is made up for the rest of a sound. */
export const PADDING_SECONDS = 0.1;

export interface PartialAudio {
  /** Where the audio begins, seconds. */
  startSeconds: number;
  /** Words before the audio and those at its beginning, none of them in doubt. */
  known: PlacedWord[];
  /** The known words that are in the audio. */
  prefix: PlacedWord[];
}

/**
 * It begins at the same place as long as it may: what is known of its beginning then saves work.
 * @param words        the newest answer
 * @param edgeSeconds  where the audio ends
 * @param since        where the audio of the partial before began, seconds; of the first one, all of the utterance
 * @returns undefined as long as all of the utterance is heard
 */
export function partialAudio(
  words: readonly PlacedWord[],
  edgeSeconds: number,
  since: { seconds: number; isWhole: boolean },
): PartialAudio | undefined {
  const known = words.filter((word) => word.endSeconds < edgeSeconds - OPEN_SECONDS);
  const isLong = edgeSeconds - since.seconds > MOST_HEARD_SECONDS;
  const startSeconds = (isLong ? laterStart(known, edgeSeconds) : undefined) ?? since.seconds;
  if (since.isWhole && startSeconds === since.seconds) return undefined;
  return { startSeconds, known, prefix: known.filter((word) => word.startSeconds >= startSeconds) };
}

/** A place between two words that leaves enough to hear. */
function laterStart(known: PlacedWord[], edgeSeconds: number): number | undefined {
  const first = known.findIndex((word) => word.startSeconds >= edgeSeconds - LEAST_HEARD_SECONDS);
  const [before, inside] = [known[first - 1], known[first]];
  return before && inside ? Math.max(before.endSeconds, inside.startSeconds - LEAD_SECONDS) : undefined;
}
