// What samples in the wrong format may look like: the names, what a client should do, and how to read the bytes.
import { TEXT_NAME } from "./container-format.ts";
import { ALAW, ULAW } from "./g711.ts";

/** What the bytes look like, and what to do about it. */
export interface LikelyFormat {
  name: string;
  advice: string;
}

const declare = (encoding: string, bitDepth: number) =>
  `open the session with the encoding "${encoding}" and the bit_depth ${bitDepth}`;
const declareChannels = (count: 1 | 2) => `open the session with channels ${count}`;
const BIG_ENDIAN_ADVICE = "send little-endian samples";
const FLOAT_ADVICE = "convert the samples to little-endian 16-bit PCM";
export const MU_LAW: LikelyFormat = { name: "mu-law", advice: declare("wav/ulaw", 8) };
export const A_LAW: LikelyFormat = { name: "A-law", advice: declare("wav/alaw", 8) };
export const TEXT: LikelyFormat = { name: TEXT_NAME, advice: "decode the text before sending its bytes" };
export const TWO_CHANNELS: LikelyFormat = {
  name: "audio of two channels, or of one with every sample twice",
  advice: `${declareChannels(2)} if they are two; send each sample once if it is one`,
};
export const TWO_CHANNELS_OF_16_BITS = "16-bit PCM of two channels";
export const WIDE = "little-endian 32-bit PCM";
/** Both are alike where the low halves of 32-bit samples are zero. */
export const WIDE_OR_TWO_CHANNELS: LikelyFormat = {
  name: `${WIDE}, or two channels of which the first is silent`,
  advice: "open the session with the bit_depth and the channels of the audio",
};
export const ONE_CHANNEL: LikelyFormat = { name: "audio of one channel", advice: declareChannels(1) };

export const RANDOM: LikelyFormat = {
  name: "compressed or encrypted data",
  advice: "decode the audio before sending its samples",
};

/** A candidate format: its name, bytes per sample, and how to read one. */
export interface CandidateFormat extends LikelyFormat {
  sampleBytes: number;
  read: (bytes: Buffer, at: number) => number;
  /** Bytes before the first sample. */
  skippedBytes?: number;
  /** Decimation: only the first of this many frames is read. */
  every?: number;
  /**
   * Only considered if the signal's own correlation is below this: the low bytes of widened 16-bit samples are smooth,
   * too.
   */
  mostCorrelation?: number;
  /** Only considered if the signal is loud: quiet samples followed by zeros are smooth in this format, too. */
  mustBeLoud?: true;
}

const WIDENED_CORRELATION = 0.6;

export const BIG_ENDIAN_WIDE: CandidateFormat = {
  name: "big-endian 32-bit PCM",
  advice: BIG_ENDIAN_ADVICE,
  sampleBytes: 4,
  read: (bytes, at) => bytes.readInt32BE(at) / 2_147_483_648,
  mustBeLoud: true,
  mostCorrelation: WIDENED_CORRELATION,
};

export const SHORT: CandidateFormat = {
  name: "little-endian 16-bit PCM",
  advice: declare("wav/pcm", 16),
  sampleBytes: 2,
  read: (bytes, at) => bytes.readInt16LE(at) / 32_768,
};

export const LITTLE_ENDIAN_FLOAT: CandidateFormat = {
  name: "little-endian 32-bit floating-point samples",
  advice: FLOAT_ADVICE,
  sampleBytes: 4,
  read: (bytes, at) => bytes.readFloatLE(at),
};

export const CANDIDATE_FORMATS: readonly CandidateFormat[] = [
  SHORT,
  {
    name: "big-endian 16-bit PCM",
    advice: BIG_ENDIAN_ADVICE,
    sampleBytes: 2,
    read: (bytes, at) => bytes.readInt16BE(at) / 32_768,
  },
  {
    name: "unsigned 16-bit PCM",
    advice: "send signed samples",
    sampleBytes: 2,
    read: (bytes, at) => bytes.readUInt16LE(at) / 32_768 - 1,
  },
  {
    name: "16-bit PCM that is one byte out of step",
    advice: "send whole samples from the start on",
    sampleBytes: 2,
    read: (bytes, at) => bytes.readInt16LE(at) / 32_768,
    skippedBytes: 1,
  },
  {
    name: TWO_CHANNELS_OF_16_BITS,
    advice: `${declare("wav/pcm", 16)}, and channels 2`,
    sampleBytes: 2,
    read: (bytes, at) => bytes.readInt16LE(at) / 32_768,
    every: 2,
  },
  {
    name: "little-endian 24-bit PCM",
    advice: declare("wav/pcm", 24),
    sampleBytes: 3,
    read: (bytes, at) => bytes.readIntLE(at, 3) / 8_388_608,
    mostCorrelation: WIDENED_CORRELATION,
  },
  {
    name: "big-endian 24-bit PCM",
    advice: BIG_ENDIAN_ADVICE,
    sampleBytes: 3,
    read: (bytes, at) => bytes.readIntBE(at, 3) / 8_388_608,
    mostCorrelation: WIDENED_CORRELATION,
  },
  {
    name: WIDE,
    advice: declare("wav/pcm", 32),
    sampleBytes: 4,
    read: (bytes, at) => bytes.readInt32LE(at) / 2_147_483_648,
    mostCorrelation: WIDENED_CORRELATION,
  },
  BIG_ENDIAN_WIDE,
  LITTLE_ENDIAN_FLOAT,
  {
    name: "big-endian 32-bit floating-point samples",
    advice: FLOAT_ADVICE,
    sampleBytes: 4,
    read: (bytes, at) => bytes.readFloatBE(at),
  },
  {
    name: "little-endian 64-bit floating-point samples",
    advice: FLOAT_ADVICE,
    sampleBytes: 8,
    read: (bytes, at) => bytes.readDoubleLE(at),
  },
  {
    name: "unsigned 8-bit PCM",
    advice: declare("wav/pcm", 8),
    sampleBytes: 1,
    read: (bytes, at) => ((bytes[at] as number) - 128) / 128,
  },
  {
    name: "signed 8-bit PCM",
    advice: "send unsigned 8-bit samples",
    sampleBytes: 1,
    read: (bytes, at) => bytes.readInt8(at) / 128,
  },
  { ...MU_LAW, sampleBytes: 1, read: (bytes, at) => ULAW[bytes[at] as number] as number },
  { ...A_LAW, sampleBytes: 1, read: (bytes, at) => ALAW[bytes[at] as number] as number },
];
