// Labels of speakers and channels in AssemblyAI's interfaces.

const FIRST_LABEL = 65;
const LETTERS = 26;
/** A, B, … Z, A1, … */
export const speakerLabel = (speaker: number) =>
  `${String.fromCharCode(FIRST_LABEL + (speaker % LETTERS))}${speaker < LETTERS ? "" : Math.floor(speaker / LETTERS)}`;

/** Channels are counted from 1 there. */
export const channelLabel = (channel: number) => String(channel + 1);
