/** Samples a second of all audio after decoding. Every engine takes audio at this rate. */
export const SAMPLE_RATE = 16_000;
