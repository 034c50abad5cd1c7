// Texts as a full-text search reads them: words of scripts that are written without spaces are set apart.

/** Chinese, Japanese, Thai, Lao, Khmer, Burmese. */
const WITHOUT_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;

let segmenter: Intl.Segmenter | undefined;

const WITH_MARKS = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u;

/**
 * Removes accents from letters, and replaces the dotless ı of Turkish by i, as PostgreSQL does with its capital. Marks stay in scripts in
 * which they are letters (Hindi, Thai).
 * @returns as many characters as the text has, so that places in one are places in the other
 */
export const withoutAccents = (text: string): string =>
  text.replace(/[^\p{ASCII}]/gu, (character) => {
    if (!WITH_MARKS.test(character)) return character;
    const [base = character] = character.normalize("NFD");
    return base === "ı" ? "i" : base;
  });

/**
 * Names of files and people as the search reads them: each as it is, so that it is found as a whole, and its words apart, since
 * PostgreSQL reads "council_3.mp3" as the name of a host.
 */
export function searchableNames(names: readonly string[]): string {
  const apart = names.map((name) => name.replace(/(\p{Ll})(?=\p{Lu})/gu, "$1 ").replace(/[^\p{L}\p{M}\p{N}]+/gu, " "));
  return searchableWords([...names, ...apart].join(" \n"));
}

/** The same for what is stored and what is looked for, so that they meet; composed, an e-mail address as its name and its host. */
export function searchableWords(text: string): string {
  return text
    .normalize("NFC")
    .replaceAll("@", " ")
    .replace(WITHOUT_SPACES, (run) => {
      segmenter ??= new Intl.Segmenter(undefined, { granularity: "word" });
      return ` ${[...segmenter.segment(run)].map(({ segment }) => segment).join(" ")} `;
    });
}
