// What follows the last audio of a file. Tags and padding with zeros are ordinary; anything else is named, such as a second file that was
// appended.
import type { Steps } from "../../steps.ts";
import type { FileParts } from "../file-part.ts";
import { FileBytes } from "./file-bytes.ts";
import { metadataAfter, tagsBefore } from "./trailing-metadata.ts";
import { unusedNote } from "./unused-bytes.ts";

const SEARCH_BYTES = 2 ** 20;
/** Formats end with a few bytes of a checksum or of text. */
export const LARGEST_END_BYTES = 4_096;
export const NOT_CONTINUED = "its format does not continue there";
const EBML_HEADER = 0x1a45dfa3;
const SEGMENT = 0x18538067;
/** Also of the first level: padding and a checksum. */
const FILLING = new Set([0xec, 0xbf]);
const MOST_ELEMENTS = 1_000;
const IDENTIFIER_BYTES = 4;
const LENGTH_BYTES = 8;

function* isZero(file: FileBytes, from: number, end: number): Steps<boolean> {
  for (let start = from; start < end; start += SEARCH_BYTES) {
    if (file.read(start, Math.min(SEARCH_BYTES, end - start)).some((byte) => byte !== 0)) return false;
    yield 0;
  }
  return true;
}

/** Fewer zeros may be a part of the last frame. */
const LEAST_PADDING_BYTES = 64;

/** @returns end of a file without the tags and the padding with zeros behind its content */
export function* contentEnd(file: FileBytes): Steps<number> {
  const tags = tagsBefore(file, file.sizeBytes);
  let end = tags;
  while (end > 0) {
    const start = Math.max(0, end - SEARCH_BYTES);
    const last = file.read(start, end - start).findLastIndex((byte) => byte !== 0);
    end = start + last + 1;
    if (last >= 0) break;
    yield 0;
  }
  return tags - end >= LEAST_PADDING_BYTES ? end : tags;
}

/**
 * Leaves tags and padding at the end of a file of MP3 frames out: FFmpeg would read them as a damaged frame.
 * @returns nothing for a file without them; FFmpeg leaves a lone ID3v1 tag out itself
 */
export function* framesBeforeTags(path: string): Steps<FileParts> {
  const file = new FileBytes(path);
  try {
    const endBytes = yield* contentEnd(file);
    const isPlain = endBytes === file.sizeBytes || endBytes === 0;
    return { parts: isPlain ? [] : [{ format: "mp3", startBytes: 0, endBytes, patches: [] }], notes: [] };
  } finally {
    file.close();
  }
}

/** Whether the rest of a file is tags or padding. */
export function* isOrdinaryEnd(file: FileBytes, from: number): Steps<boolean> {
  const end = tagsBefore(file, file.sizeBytes);
  return metadataAfter(file, from, undefined) >= end || (yield* isZero(file, from, end));
}

/** @param from  end of what a demuxer reads @returns a note about bytes that are neither tags nor padding */
export function* endNotes(file: FileBytes, from: number): Steps<string[]> {
  const end = tagsBefore(file, file.sizeBytes);
  if (end - from <= LARGEST_END_BYTES || (yield* isOrdinaryEnd(file, from))) return [];
  return [unusedNote(from, end, NOT_CONTINUED)];
}

/** Identifier and length of an element of EBML (RFC 8794); the length is undefined if it is not stated. */
function elementAt(file: FileBytes, at: number): { id: number; endBytes: number | undefined } | undefined {
  const bytes = file.read(at, IDENTIFIER_BYTES + LENGTH_BYTES);
  const idBytes = Math.clz32(bytes[0] ?? 0) - 23;
  const first = bytes[idBytes] ?? 0;
  const lengthBytes = Math.clz32(first) - 23;
  if (idBytes > IDENTIFIER_BYTES || lengthBytes > LENGTH_BYTES || bytes.length < idBytes + lengthBytes)
    return undefined;
  let length = first & (0xff >> lengthBytes);
  let isUnknown = length === 0xff >> lengthBytes;
  for (const byte of bytes.subarray(idBytes + 1, idBytes + lengthBytes)) {
    length = length * 256 + byte;
    isUnknown &&= byte === 0xff;
  }
  const id = bytes.readUIntBE(0, idBytes);
  return { id, endBytes: isUnknown ? undefined : at + idBytes + lengthBytes + length };
}

/** @returns end of the last segment of a Matroska file; undefined if it is not stated, as in a live recording */
export function matroskaEnd(file: FileBytes): number | undefined {
  let at = 0;
  for (let count = 0; count < MOST_ELEMENTS && at < file.sizeBytes; count++) {
    const element = elementAt(file, at);
    if (!element || !(element.id === EBML_HEADER || element.id === SEGMENT || FILLING.has(element.id))) break;
    if (element.endBytes === undefined) return undefined;
    at = element.endBytes;
  }
  return at > 0 ? at : undefined;
}
