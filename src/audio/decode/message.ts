// What passes between the service and a decoder process. Files only: a decoder never sees an address.

export type DecoderRequest =
  | { kind: "probe"; path: string }
  | {
      kind: "decode";
      path: string;
      /** Files to write, one per channel: 16 kHz, 16-bit signed little-endian samples. */
      outputs: string[];
      maximumSeconds: number;
    };

export interface ProbeAnswer {
  kind: "probe";
  /** Usual file extension of the container, without a dot. */
  extension: string;
  /** Seconds; from the container where it says, else counted by decoding. */
  durationSeconds: number;
  channels: number;
  sampleRate: number;
}

export interface DecodeAnswer {
  kind: "decode";
  durationSeconds: number;
  /** Channels in the file. */
  channels: number;
  /**
   * For each channel of the file, the first channel that sounds the same (itself if none does).
   * Only outputs of channels that stand for themselves were kept.
   */
  sameAs: number[];
}

export type DecoderResponse = ProbeAnswer | DecodeAnswer;

export const MAXIMUM_CHANNELS = 8;
export const DECODED_SAMPLE_RATE = 16_000;
