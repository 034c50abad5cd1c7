// Finds the parts of a chained Ogg file: concatenated recordings, each with its own headers, channels and timestamps
// from 0. FFmpeg's demuxer only continues into a part of the same format.
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { firstOf } from "../../../contract/first-of.ts";
import type { Steps } from "../steps.ts";
import { FileBytes } from "./container/file-bytes.ts";
import { endNotes } from "./container/file-end.ts";
import { unusedNote } from "./container/unused-bytes.ts";
import type { FileParts } from "./file-part.ts";

/** RFC 3533, section 6: capture pattern, flags at byte 5, segment count at 26, followed by their sizes. */
const CAPTURE_PATTERN = Buffer.from("OggS");
const FLAGS_BYTE = 5;
const BEGINS_STREAM = 0x02;
const SEGMENTS_BYTE = 26;
const HEADER_BYTES = 27;
const LARGEST_HEADER_BYTES = HEADER_BYTES + 255;
const SEARCH_BYTES = 65_536;
/** Pages per step. */
const PAGES_A_STEP = 1_000;
/** Bounds memory and time for a file that consists of headers. */
const MOST_PARTS = 1_000;

class PageReader {
  private readonly buffer = Buffer.alloc(SEARCH_BYTES);

  constructor(
    private readonly file: number,
    private readonly sizeBytes: number,
  ) {}

  /** @returns flags and length of the page at `position`; undefined if there is none */
  pageAt(position: number): { flags: number; lengthBytes: number } | undefined {
    const read = readSync(this.file, this.buffer, 0, LARGEST_HEADER_BYTES, position);
    if (read < HEADER_BYTES || !this.buffer.subarray(0, 4).equals(CAPTURE_PATTERN)) return undefined;
    const segments = this.buffer[SEGMENTS_BYTE] as number;
    if (read < HEADER_BYTES + segments) return undefined;
    let lengthBytes = HEADER_BYTES + segments;
    for (let at = 0; at < segments; at++) lengthBytes += this.buffer[HEADER_BYTES + at] as number;
    return { flags: this.buffer[FLAGS_BYTE] as number, lengthBytes };
  }

  /** @returns position of the next capture pattern after `position`; the file's size if there is none */
  *nextPattern(position: number): Steps<number> {
    for (let from = position + 1; from < this.sizeBytes; from += SEARCH_BYTES - CAPTURE_PATTERN.length + 1) {
      const read = readSync(this.file, this.buffer, 0, SEARCH_BYTES, from);
      const at = this.buffer.subarray(0, read).indexOf(CAPTURE_PATTERN);
      if (at >= 0) return from + at;
      yield 0;
    }
    return this.sizeBytes;
  }
}

export const CUT_PAGE = "the file is cut off inside a page of Ogg";

function* notesBehind(path: string, endBytes: number): Steps<string[]> {
  const file = new FileBytes(path);
  try {
    return yield* endNotes(file, endBytes);
  } finally {
    file.close();
  }
}

/** @returns the parts in order, a single one for a file that is not chained; and a note about what they leave out */
export function* oggParts(path: string): Steps<FileParts> {
  const file = openSync(path, "r");
  try {
    const { size } = fstatSync(file);
    const pages = new PageReader(file, size);
    const starts: number[] = [0];
    let isInHeaders = true;
    let cutAt: number | undefined;
    let endBytes = 0;
    for (let position = 0, read = 1; position < size; read++) {
      if (read % PAGES_A_STEP === 0) yield 0;
      const page = pages.pageAt(position);
      if (!page) {
        position = yield* pages.nextPattern(position);
        continue;
      }
      const begins = (page.flags & BEGINS_STREAM) !== 0;
      if (begins && !isInHeaders) starts.push(position);
      if (starts.length > MOST_PARTS) break;
      isInHeaders = begins;
      if (position + page.lengthBytes > size) cutAt = position;
      position += page.lengthBytes;
      endBytes = position;
    }
    const { first } = firstOf(starts, MOST_PARTS);
    const unread = starts[MOST_PARTS];
    const notes = unread === undefined ? [] : [unusedNote(unread, size, `more than ${MOST_PARTS} recordings`)];
    if (cutAt !== undefined) notes.push(unusedNote(cutAt, size, CUT_PAGE));
    else if (unread === undefined && endBytes > 0) notes.push(...(yield* notesBehind(path, endBytes)));
    return {
      parts: first.map((startBytes, index) => ({ format: "ogg", startBytes, endBytes: starts[index + 1] ?? size })),
      notes,
    };
  } finally {
    closeSync(file);
  }
}
