const EDGES = /^[^\p{L}\p{N}]+|(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/gu;

/** A word without the marks and spaces at its ends. */
export const bareWord = (word: string): string => word.replace(EDGES, "");
