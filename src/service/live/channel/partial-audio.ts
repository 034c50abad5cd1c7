// Audio of a partial: a short utterance as a whole; the last seconds of a long one, with the earlier words as known.
import { LEAD_SECONDS, type PlacedWord } from "./speech-context.ts";

/** Longest audio of a partial: more audio or more words would increase latency. */
const LONGEST_PARTIAL_SECONDS = 6;
/**
 * Shortest audio of a partial in a long utterance, and the part of it whose words may change. With less context,
 * accuracy drops.
 */
const SHORTEST_PARTIAL_SECONDS = 4.5;
const UNSTABLE_SECONDS = 2;
/** Silence appended to audio that ends within speech: without it the model hallucinates a word for a partial sound. */
export const PADDING_SECONDS = 0.1;

export interface PartialAudio {
  /** Start of the audio, seconds. */
  startSeconds: number;
  /** Words before the audio and at its start that no longer change. */
  known: PlacedWord[];
  /** The known words that are within the audio. */
  prefix: PlacedWord[];
}

/**
 * Keeps the start of the audio as long as possible, so that cached encoder output can be reused.
 * @param words        the newest result
 * @param edgeSeconds  end of the audio
 * @param since        start of the audio of the previous partial, seconds; of the first one, the whole utterance
 * @returns undefined while the whole utterance is recognised
 */
export function partialAudio(
  words: readonly PlacedWord[],
  edgeSeconds: number,
  since: { seconds: number; isWhole: boolean },
): PartialAudio | undefined {
  const known = words.filter((word) => word.endSeconds < edgeSeconds - UNSTABLE_SECONDS);
  const isLong = edgeSeconds - since.seconds > LONGEST_PARTIAL_SECONDS;
  const startSeconds = (isLong ? laterStart(known, edgeSeconds) : undefined) ?? since.seconds;
  if (since.isWhole && startSeconds === since.seconds) return undefined;
  return { startSeconds, known, prefix: known.filter((word) => word.startSeconds >= startSeconds) };
}

/** The latest boundary between two words that leaves enough audio. */
function laterStart(known: PlacedWord[], edgeSeconds: number): number | undefined {
  const first = known.findIndex((word) => word.startSeconds >= edgeSeconds - SHORTEST_PARTIAL_SECONDS);
  const [before, inside] = [known[first - 1], known[first]];
  return before && inside ? Math.max(before.endSeconds, inside.startSeconds - LEAD_SECONDS) : undefined;
}
