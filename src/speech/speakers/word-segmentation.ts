// Basic segmentation: words are assumed to have a single speaker. Does not detect overlapping speech.
import type { SpeakerSegmentation } from "./embedder.ts";

/** Word times are tight; a margin around them belongs to the voice. */
const PADDING_SECONDS = 0.1;

export const wordSegmentation: SpeakerSegmentation = {
  speech: async ({ words }) =>
    words.map(({ start, end }) => ({ start: start - PADDING_SECONDS, end: end + PADDING_SECONDS })),
};
