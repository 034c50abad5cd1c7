// Messages between the service and the process that decodes live streams.
import type { OutputFormat } from "./output.ts";

export const COMPRESSED_ENCODINGS = ["opus", "ogg/opus", "webm/opus", "aac", "mp3"] as const;
export type CompressedEncoding = (typeof COMPRESSED_ENCODINGS)[number];

/** How a stream is compressed, as its session declares it. */
export interface Compression {
  /** `container`: found in the first bytes. `broadcast`: likewise, of a live source. `packets`: frames of framed-packets.ts. */
  encoding: CompressedEncoding | "container" | "broadcast" | "packets";
  channels: number;
  /** Of raw Opus packets: their declared duration. */
  packetMilliseconds?: number;
  /** Sampling rate to which all samples are converted; by default, the rate of the first ones. */
  sampleRate?: number;
}

export type StreamRequest =
  /** The next bytes of a stream, which begin at a position; the first ones begin the decoder. */
  | { kind: "push"; stream: string; compression: Compression; at: number; bytes: Uint8Array }
  /** More of the answer to the last `push`. */
  | { kind: "more"; stream: string }
  /** No more bytes follow. */
  | { kind: "finish"; stream: string }
  | { kind: "close"; stream: string };

/** Lost bytes, and the range of the stream in which they lie. The range may also contain other bytes. */
export interface LostBytes {
  from: number;
  end: number;
  bytes: number;
}

export interface DecodedPart {
  kind: "decoded";
  /** 16-bit samples, channels interleaved. */
  samples: Uint8Array;
  format?: OutputFormat;
  /** For each packet: the position of its end, and the samples of a channel up to there. */
  marks: number[];
  /** Bytes that could not be decoded, in order; neighbours may belong together. */
  lost: LostBytes[];
  notes: string[];
  /** Time of the first sample in the clock of the sender, 90 kHz. Sent once in a stream that states it. */
  clock?: number;
  /** Why the stream cannot be read. */
  refused?: string;
  hasMore: boolean;
}

export type StreamResponse =
  | DecodedPart
  /** The process does not have the bytes before this position. */
  | { kind: "unknown" }
  | { kind: "closed" };
