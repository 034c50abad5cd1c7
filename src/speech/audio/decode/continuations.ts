// Finds where an MPEG transport stream continues in another format: after a programme change, or where two recordings
// were joined, the same track has another identifier or encoding. FFmpeg's demuxer does not follow.
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { Steps } from "../steps.ts";
import type { FilePart } from "./file-part.ts";

export const SYNC_BYTE = 0x47;
/** Plain, with a leading time code (Blu-ray, AVCHD), and with trailing parity. */
const PACKET_SIZES = [188, 192, 204];
const SYNC_OFFSETS = [0, 4, 0];
/** A programme association table starts in a packet with identifier 0 and this flag. */
const STARTS_UNIT = 0x40;
const IDENTIFIER_BITS = 0x1f;
const READ_PACKETS = 512;
/** Data after the last audio of an ordinary file: video and tables of the stream. */
const ORDINARY_TAIL_BYTES = 32_768;
const ORDINARY_TAIL_SHARE = 0.01;
/** Tables repeat several times a second; outdated ones follow the last audio for at most about a second. */
const MOST_TABLES = 12;

export const isTransportStream = (format: string | null) => format === "mpegts";

/** @param lastBytes  position of the last usable packet of the track */
export function hasLongTail(path: string, lastBytes: number): boolean {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    return size - lastBytes > Math.max(ORDINARY_TAIL_BYTES, size * ORDINARY_TAIL_SHARE);
  } finally {
    closeSync(file);
  }
}

export interface Framing {
  packetBytes: number;
  syncOffset: number;
}

function framing(file: number): Framing | undefined {
  const start = Buffer.alloc(3 * Math.max(...PACKET_SIZES));
  readSync(file, start, 0, start.length, 0);
  for (const [index, packetBytes] of PACKET_SIZES.entries()) {
    const syncOffset = SYNC_OFFSETS[index] as number;
    if ([0, 1, 2].every((packet) => start[packet * packetBytes + syncOffset] === SYNC_BYTE)) {
      return { packetBytes, syncOffset };
    }
  }
  return undefined;
}

/**
 * @returns parts from each of the next tables to the end of the file: positions from which the stream may be read again
 */
export function* transportStreamParts(path: string, lastBytes: number): Steps<FilePart[]> {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    const found = framing(file);
    if (!found) return [];
    const { packetBytes, syncOffset } = found;
    const buffer = Buffer.alloc(READ_PACKETS * packetBytes);
    const parts: FilePart[] = [];
    const first = (Math.floor(lastBytes / packetBytes) + 1) * packetBytes;
    for (let from = first; from < size && parts.length < MOST_TABLES; from += buffer.length) {
      const read = readSync(file, buffer, 0, buffer.length, from);
      for (let at = 0; at + packetBytes <= read && parts.length < MOST_TABLES; at += packetBytes) {
        const [sync, high = 0, low] = buffer.subarray(at + syncOffset, at + syncOffset + 3);
        const isTable = sync === SYNC_BYTE && (high & STARTS_UNIT) !== 0 && (high & IDENTIFIER_BITS) === 0 && low === 0;
        if (isTable) parts.push({ format: "mpegts", startBytes: from + at, endBytes: size });
      }
      yield 0;
    }
    return parts;
  } finally {
    closeSync(file);
  }
}

/** @returns how the packets of a transport stream follow each other; undefined for another file */
export function framingOf(path: string): Framing | undefined {
  const file = openSync(path, "r");
  try {
    return framing(file);
  } finally {
    closeSync(file);
  }
}
