/** @returns 0 without words */
export const meanConfidence = (words: readonly { confidence: number }[]): number =>
  words.reduce((sum, { confidence }) => sum + confidence, 0) / Math.max(1, words.length);
