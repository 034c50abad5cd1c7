// How languages are written, as far as words, sentences and lines depend on it.

/** Written without spaces between words. */
const UNSPACED = new Set(["zh", "yue", "ja", "th", "lo", "my", "km", "bo"]);
/** Whose characters fill two columns. */
const WIDE = new Set(["zh", "yue", "ja", "ko"]);
/** Written from right to left. */
const RIGHT_TO_LEFT = new Set(["ar", "fa", "he", "ps", "sd", "ur", "yi"]);

export const isUnspaced = (language: string): boolean => UNSPACED.has(language);
export const isWide = (language: string): boolean => WIDE.has(language);
export const isRightToLeft = (language: string): boolean => RIGHT_TO_LEFT.has(language);

/** Whether there is anything in it that is spoken: a letter, a digit, or a sign that stands for a word. */
export const isSpoken = (text: string): boolean => /[\p{L}\p{N}\p{Sc}%&@+=°]/u.test(text);

/** Marks that end a sentence, of all scripts, and what may close behind them. */
export const SENTENCE_END = /[.!?…。！？｡؟۔।॥።፧။។៕།]["'”’»)\]」』）】]*$/u;
/** Marks that end a phrase. */
export const PHRASE_END = /[,;:–—、，；：،؛၊]["'”’»)\]」』）】]*$/u;

const segmenters = new Map<string, Intl.Segmenter>();

/** Words of a text as the language's own dictionary divides it, white space and marks included, in order. */
export function wordSegments(text: string, language: string): Intl.SegmentData[] {
  let segmenter = segmenters.get(language);
  if (!segmenter) {
    segmenter = new Intl.Segmenter(language, { granularity: "word" });
    segmenters.set(language, segmenter);
  }
  return [...segmenter.segment(text)];
}
