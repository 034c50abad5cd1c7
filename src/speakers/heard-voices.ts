// Embeddings of a recording on their way from the stage that makes them to the process that clusters them: a line of
// JSON for each piece of audio.
import type { SpeakerEmbeddings, SpeakerSpace } from "./embedder.ts";

/** Numbers are little-endian 32-bit floats in base64. */
export interface HeardPiece {
  space: SpeakerSpace;
  channel: number;
  times: string;
  rows: string;
}

const packed = (values: Float32Array) =>
  Buffer.from(values.buffer, values.byteOffset, values.byteLength).toString("base64");

function unpacked(texts: string[]): Float32Array {
  const bytes = Buffer.concat(texts.map((text) => Buffer.from(text, "base64")));
  return Float32Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4));
}

export function packPiece(channel: number, space: SpeakerSpace, { times, rows }: SpeakerEmbeddings): HeardPiece {
  return { space, channel, times: packed(times), rows: packed(rows) };
}

/** Pieces of one channel in their order as one. */
export function unpackPieces(pieces: readonly HeardPiece[]): SpeakerEmbeddings {
  return { times: unpacked(pieces.map(({ times }) => times)), rows: unpacked(pieces.map(({ rows }) => rows)) };
}
