// What a partial hears: all of a short utterance; of a long one its end, with the words before taken as said.
import { LEAD_SECONDS, type PlacedWord, unitsOf } from "./speech-context.ts";

/** Less of a long utterance, or less of it open to doubt, reads worse: the model needs to know what went before. */
const HEARD_SECONDS = 5;
const OPEN_SECONDS = 2;
/** Silence behind audio that breaks off while somebody speaks: without it a word is made up for the rest of a sound. */
export const PADDING_SECONDS = 0.1;

export interface PartialAudio {
  /** Where the audio begins, seconds. */
  startSeconds: number;
  /** Words before the audio and those at its beginning, none of them in doubt. */
  known: PlacedWord[];
  /** Units of the known words that are in the audio. */
  prefix: number[];
}

/**
 * @param words        the newest answer
 * @param edgeSeconds  where the audio ends
 * @returns undefined when the utterance is short enough to be heard as a whole
 */
export function partialAudio(words: readonly PlacedWord[], edgeSeconds: number): PartialAudio | undefined {
  const known = words.filter((word) => word.endSeconds < edgeSeconds - OPEN_SECONDS);
  const first = known.findIndex((word) => word.startSeconds >= edgeSeconds - HEARD_SECONDS);
  const before = known[first - 1];
  const inside = known[first];
  if (!before || !inside) return undefined;
  return {
    startSeconds: Math.max(before.endSeconds, inside.startSeconds - LEAD_SECONDS),
    known,
    prefix: unitsOf(known.slice(first)),
  };
}
