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
const NOT_CONTINUED = "its format does not continue there";
const EBML_HEADER = 0x1a45dfa3;
const SEGMENT = 0x18538067;
/** Also of the first level: padding and a checksum. */
const FILLING = new Set([0xec, 0xbf]);
const MOST_ELEMENTS = 1_000;
const IDENTIFIER_BYTES = 4;
const LENGTH_BYTES = 8;

/** Fewer zeros may be a part of the last frame. */
const LEAST_PADDING_BYTES = 64;
/** Muxers and tag editors leave this much, and more only behind a large file. */
const ORDINARY_PADDING_BYTES = 16_384;
const LARGEST_PADDING_BYTES = 131_072;
const LARGEST_PADDING_SHARE = 0.1;
/** A download that reserves its space at the start leaves zeros where it stopped. */
export const ZEROS = "they are zeros, such as in a download that was interrupted";

const isPadding = (zeros: number, contentBytes: number) =>
  zeros <= ORDINARY_PADDING_BYTES || (zeros <= LARGEST_PADDING_BYTES && zeros <= contentBytes * LARGEST_PADDING_SHARE);

/** @returns where the zeros begin that end at `end`; `end` if there are none */
function* zerosBefore(file: FileBytes, end: number): Steps<number> {
  let from = end;
  while (from > 0) {
    const start = Math.max(0, from - SEARCH_BYTES);
    const last = file.read(start, from - start).findLastIndex((byte) => byte !== 0);
    from = start + last + 1;
    if (last >= 0) break;
    yield 0;
  }
  return from;
}

/** @returns end of a file without the tags and the zeros behind its content, and a note about zeros that are no padding */
export function* contentEnd(file: FileBytes): Steps<{ endBytes: number; notes: string[] }> {
  const tags = tagsBefore(file, file.sizeBytes);
  const end = yield* zerosBefore(file, tags);
  const notes = end === 0 || isPadding(tags - end, end) ? [] : [unusedNote(end, tags, ZEROS)];
  return { endBytes: tags - end >= LEAST_PADDING_BYTES ? end : tags, notes };
}

/**
 * Leaves tags and padding at the end of a file of MP3 frames out: FFmpeg would read them as a damaged frame.
 * @returns nothing for a file without them; FFmpeg leaves a lone ID3v1 tag out itself
 */
export function* framesBeforeTags(path: string): Steps<FileParts> {
  const file = new FileBytes(path);
  try {
    const { endBytes, notes } = yield* contentEnd(file);
    const isPlain = endBytes === file.sizeBytes || endBytes === 0;
    return { parts: isPlain ? [] : [{ format: "mp3", startBytes: 0, endBytes, patches: [] }], notes };
  } finally {
    file.close();
  }
}

export interface UnusedEnd {
  from: number;
  end: number;
  reason: string;
}

/**
 * @param from  end of what a demuxer reads
 * @param ordinaryBytes  of other content than tags and zeros
 * @returns bytes that are neither tags nor padding; undefined if there are none
 */
export function* unusedEnd(file: FileBytes, from: number, ordinaryBytes: number): Steps<UnusedEnd | undefined> {
  const end = tagsBefore(file, file.sizeBytes);
  const at = metadataAfter(file, from, undefined);
  if (at >= end) return undefined;
  const zerosAt = Math.max(at, yield* zerosBefore(file, end));
  if (zerosAt - at > ordinaryBytes) return { from, end, reason: NOT_CONTINUED };
  return isPadding(end - zerosAt, zerosAt) ? undefined : { from: zerosAt, end, reason: ZEROS };
}

/** @param read  end of the last packet @returns a note about zeros at the end that no packet contains, and that are no padding */
export function* zeroNotes(file: FileBytes, read: number): Steps<string[]> {
  const end = tagsBefore(file, file.sizeBytes);
  const from = Math.max(read, yield* zerosBefore(file, end));
  return isPadding(end - from, from) ? [] : [unusedNote(from, end, ZEROS)];
}

/** @returns a note about bytes that are neither tags nor padding. @param ordinaryBytes  as for unusedEnd */
export function* endNotes(file: FileBytes, from: number, ordinaryBytes = LARGEST_END_BYTES): Steps<string[]> {
  const unused = yield* unusedEnd(file, from, ordinaryBytes);
  return unused ? [unusedNote(unused.from, unused.end, unused.reason)] : [];
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
