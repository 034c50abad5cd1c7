// Embeddings of a whole recording on their way from the stage that makes them to the process that clusters them.
import type { SpeakerEmbeddings, SpeakerSpace } from "./embedder.ts";

export interface HeardVoices {
  space: SpeakerSpace;
  channels: {
    channel: number;
    /** Embeddings of each piece of audio in turn, little-endian 32-bit floats in base64. */
    pieces: { times: string; rows: string }[];
  }[];
}

const packed = (values: Float32Array) =>
  Buffer.from(values.buffer, values.byteOffset, values.byteLength).toString("base64");

function unpacked(texts: string[]): Float32Array {
  const bytes = Buffer.concat(texts.map((text) => Buffer.from(text, "base64")));
  return Float32Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4));
}

export const packPiece = ({ times, rows }: SpeakerEmbeddings) => ({ times: packed(times), rows: packed(rows) });

export function unpackPieces(pieces: HeardVoices["channels"][number]["pieces"]): SpeakerEmbeddings {
  return { times: unpacked(pieces.map(({ times }) => times)), rows: unpacked(pieces.map(({ rows }) => rows)) };
}
