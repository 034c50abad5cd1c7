const EDGES = /^[^\p{L}\p{N}]+|(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/gu;

/** A word without the marks and spaces at its ends. */
export const bareWord = (word: string): string => word.replace(EDGES, "");

const MASK = /^\*+/;

/** A bare word with the asterisks of a masked one, such as s***. Asterisks on both sides are marks: *laughs*. */
export function bareMaskedWord(word: string): string {
  const bare = bareWord(word);
  const start = word.indexOf(bare);
  const isMarked = word.slice(0, start).includes("*");
  return bare === "" || isMarked ? bare : bare + (MASK.exec(word.slice(start + bare.length))?.[0] ?? "");
}

const bareWords = (text: string) =>
  text
    .trim()
    .split(/\s+/u)
    .map((word) => bareWord(word).toLowerCase())
    .filter((word) => word !== "")
    .join(" ");

/** Whether two texts differ only in marks, spaces and capitals. */
export const sameWords = (left: string, right: string): boolean => bareWords(left) === bareWords(right);
