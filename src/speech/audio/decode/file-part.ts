// Part of a file that is a file of its own, and how FFmpeg's demuxers are to see it.

/** Bytes that replace those of the file, where a header contradicts the file. */
export interface Patch {
  /** Position in the file, not in the part. */
  atBytes: number;
  bytes: Buffer;
}

type ContainerFormat =
  | "ogg"
  | "wav"
  | "w64"
  | "aiff"
  | "caf"
  | "iff"
  | "au"
  | "mov"
  | "mpegts"
  | "mp3"
  | "aac"
  | "flac"
  | "asf";
/** Samples without a header, which `options` describe. */
type RawFormat =
  | `s${16 | 24 | 32}${"le" | "be"}`
  | "u16le"
  | `f32${"le" | "be"}`
  | "f64le"
  | "u8"
  | "s8"
  | "mulaw"
  | "alaw";

export interface FilePart {
  /** FFmpeg's name of its format. */
  format: ContainerFormat | RawFormat;
  startBytes: number;
  endBytes: number;
  patches?: readonly Patch[];
  /** Options of FFmpeg's demuxer. */
  options?: Record<string, string>;
  /** Usual extension of the file if it is not that of `format`. */
  extension?: string;
}

/** The parts of a file in order, and what of the file is in none of them or contradicts its header, as sentences. */
export interface FileParts {
  parts: FilePart[];
  notes: string[];
}
