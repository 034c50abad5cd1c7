// Embeddings of a recording, passed from the speakers stage to the clustering process: one line of JSON per piece of
// audio.
import type { SpeakerEmbeddings, SpeakerSpace } from "./embedder.ts";

/** Embeddings of a piece of audio; numbers are little-endian 32-bit floats in base64. */
export interface EmbeddedPiece {
  space: SpeakerSpace;
  channel: number;
  times: string;
  rows: string;
}

const encodeFloats = (values: Float32Array) =>
  Buffer.from(values.buffer, values.byteOffset, values.byteLength).toString("base64");

function decodeFloats(texts: string[]): Float32Array {
  const bytes = Buffer.concat(texts.map((text) => Buffer.from(text, "base64")));
  return Float32Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4));
}

export function packPiece(channel: number, space: SpeakerSpace, { times, rows }: SpeakerEmbeddings): EmbeddedPiece {
  return { space, channel, times: encodeFloats(times), rows: encodeFloats(rows) };
}

/** Converts the times of all pieces. */
export function movePieces(pieces: EmbeddedPiece[], timeOf: (seconds: number) => number): EmbeddedPiece[] {
  return pieces.map((piece) => ({ ...piece, times: encodeFloats(decodeFloats([piece.times]).map(timeOf)) }));
}

/** Joins the pieces of one channel, in order. */
export function unpackPieces(pieces: readonly EmbeddedPiece[]): SpeakerEmbeddings {
  return { times: decodeFloats(pieces.map(({ times }) => times)), rows: decodeFloats(pieces.map(({ rows }) => rows)) };
}
