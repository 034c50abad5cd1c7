// Speech probabilities in the file of segments: a byte for each window, 31 per second, in base64. Rounding keeps each
// probability on its side of 0.5, the threshold of speech.

/** @param probabilities  0 to 1 */
export const activityText = (probabilities: Float32Array): string =>
  Buffer.from(Uint8Array.from(probabilities, (probability) => Math.round(probability * 255))).toString("base64");

export const parseActivity = (text: string): Float32Array =>
  Float32Array.from(Buffer.from(text, "base64"), (value) => value / 255);
