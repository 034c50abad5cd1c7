// Warnings about speakers that were found without the speaker model, of recordings and live sessions.

/** The reason if the model is there. */
export const MODEL_FAILED = "the speaker model failed";

/** @param reason  why the model could not be used */
export const byEncoderInstead = (reason: string): string =>
  `diarization by the recogniser's encoder, which is less accurate: ${reason}`;

export const withoutNames = (reason: string): string => `speakers have no names: ${reason}`;
