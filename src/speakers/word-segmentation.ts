// The plain segmentation: wherever words are, somebody speaks alone. Overlaps are not known to it.
import type { SpeakerSegmentation } from "./embedder.ts";

/** Word times are tight; a little of what is around belongs to the voice. */
const PADDING_SECONDS = 0.1;

export const wordSegmentation: SpeakerSegmentation = {
  speech: async ({ words }) =>
    words.map(({ start, end }) => ({ start: start - PADDING_SECONDS, end: end + PADDING_SECONDS })),
};
