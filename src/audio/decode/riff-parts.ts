// Finds concatenated WAV files. FFmpeg's demuxer stops at the end of the first.
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { FilePart } from "./ogg-parts.ts";

const HEADER_BYTES = 12;
const SIZE_BYTE = 4;
const FORM_BYTE = 8;
/** Bounds the time for a file that consists of headers. */
const MOST_PARTS = 1_000;

/** @returns the parts in order; a single one for a file that was not joined */
export function riffParts(path: string): FilePart[] {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    const header = Buffer.alloc(HEADER_BYTES);
    const starts: number[] = [];
    for (let position = 0; position < size && starts.length < MOST_PARTS; ) {
      const read = readSync(file, header, 0, HEADER_BYTES, position);
      const isWave =
        read === HEADER_BYTES &&
        header.toString("latin1", 0, SIZE_BYTE) === "RIFF" &&
        header.toString("latin1", FORM_BYTE, HEADER_BYTES) === "WAVE";
      if (!isWave) break;
      starts.push(position);
      position += FORM_BYTE + header.readUInt32LE(SIZE_BYTE);
    }
    return starts.map((startBytes, index) => ({ format: "wav", startBytes, endBytes: starts[index + 1] ?? size }));
  } finally {
    closeSync(file);
  }
}
