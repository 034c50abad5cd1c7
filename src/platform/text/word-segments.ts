// Words of a text by the dictionary of its language, in time that is linear in the text. Intl.Segmenter copies the whole text into each of
// its segments: 200,000 characters of Thai in one text exhaust the memory.

/** A segment: a word, or white space and marks between words. */
export interface WordSegment {
  segment: string;
  /** Place of its first character in the text. */
  index: number;
  isWordLike: boolean;
}

/** Characters that are divided at once. */
const PIECE_CHARACTERS = 1_000;
/** The end of a piece is divided again with what follows it, because a word may be cut there. */
const CUT_CHARACTERS = 100;

const segmenters = new Map<string, Intl.Segmenter>();

function segmenterOf(language: string): Intl.Segmenter {
  let segmenter = segmenters.get(language);
  if (!segmenter) {
    segmenter = new Intl.Segmenter(language === "" ? undefined : language, { granularity: "word" });
    segmenters.set(language, segmenter);
  }
  return segmenter;
}

/**
 * The segments of a text in their order; joined, they are the text.
 * @param language  ISO 639 code; "" for a text of any language
 */
export function* wordSegments(text: string, language: string): Generator<WordSegment> {
  const segmenter = segmenterOf(language);
  let size = PIECE_CHARACTERS;
  for (let at = 0; at < text.length; ) {
    const piece = text.slice(at, at + size);
    const isLast = at + size >= text.length;
    let next = at;
    for (const { segment, index, isWordLike = false } of segmenter.segment(piece)) {
      if (!isLast && index + segment.length > piece.length - CUT_CHARACTERS) break;
      yield { segment, index: at + index, isWordLike };
      next = at + index + segment.length;
    }
    // A word that is longer than the piece.
    size = next === at ? size * 2 : PIECE_CHARACTERS;
    at = next;
  }
}
