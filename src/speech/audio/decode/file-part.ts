// Part of a file that is a file of its own, and how FFmpeg's demuxers are to see it.

/** Bytes that replace those of the file, where a header contradicts the file. */
export interface Patch {
  /** Position in the file, not in the part. */
  atBytes: number;
  bytes: Buffer;
}

export interface FilePart {
  /** FFmpeg's name of its format. */
  format: "ogg" | "wav" | "w64" | "aiff" | "caf" | "iff" | "au" | "mov" | "mpegts" | "mp3" | "aac" | "flac";
  startBytes: number;
  endBytes: number;
  patches?: readonly Patch[];
  /** Usual extension of the file if it is not that of `format`. */
  extension?: string;
}

/** The parts of a file in order, and what of the file is in none of them or contradicts its header, as sentences. */
export interface FileParts {
  parts: FilePart[];
  notes: string[];
}
