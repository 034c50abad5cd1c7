const EDGES = /^[^\p{L}\p{N}]+|(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/gu;

/** A word without the marks and spaces at its ends. */
export const bareWord = (word: string): string => word.replace(EDGES, "");

const bareWords = (text: string) =>
  text
    .trim()
    .split(/\s+/u)
    .map((word) => bareWord(word).toLowerCase())
    .filter((word) => word !== "")
    .join(" ");

/** Whether two texts differ only in marks, spaces and capitals. */
export const sameWords = (left: string, right: string): boolean => bareWords(left) === bareWords(right);
