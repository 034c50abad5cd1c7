// Texts that a grammar cuts at their maximum length, in the middle of a word.

/** @param most  maximum length, characters. A longer text is from a server, which does not truncate */
export const isTruncated = (text: string, most: number): boolean => text.length >= most - 1 && text.length <= most;

export const withoutLastWord = (text: string): string => text.slice(0, Math.max(1, text.lastIndexOf(" ")));
