// Texts as a full-text search reads them: words of scripts that are written without spaces are set apart.

/** Chinese, Japanese, Thai, Lao, Khmer, Burmese. */
const WITHOUT_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;

let segmenter: Intl.Segmenter | undefined;

/** The same for what is stored and what is looked for, so that they meet. */
export function searchableWords(text: string): string {
  return text.replace(WITHOUT_SPACES, (run) => {
    segmenter ??= new Intl.Segmenter(undefined, { granularity: "word" });
    return ` ${[...segmenter.segment(run)].map(({ segment }) => segment).join(" ")} `;
  });
}
