// Embeddings of a recording, passed from the speakers stage to the clustering process: one line of JSON per piece of
// audio.
import type { SpeakerEmbeddings, SpeakerSpace } from "./embedder.ts";
import { packFloats, unpackFloats } from "./packed-floats.ts";

/** Embeddings of a piece of audio; numbers are packed floats. */
export interface EmbeddedPiece {
  space: SpeakerSpace;
  channel: number;
  times: string;
  rows: string;
}

export function packPiece(channel: number, space: SpeakerSpace, { times, rows }: SpeakerEmbeddings): EmbeddedPiece {
  return { space, channel, times: packFloats(times), rows: packFloats(rows) };
}

/** Converts the times of all pieces. */
export function movePieces(pieces: EmbeddedPiece[], timeOf: (seconds: number) => number): EmbeddedPiece[] {
  return pieces.map((piece) => ({ ...piece, times: packFloats(unpackFloats([piece.times]).map(timeOf)) }));
}

/** Joins the pieces of one channel, in order. */
export function unpackPieces(pieces: readonly EmbeddedPiece[]): SpeakerEmbeddings {
  return { times: unpackFloats(pieces.map(({ times }) => times)), rows: unpackFloats(pieces.map(({ rows }) => rows)) };
}
