// Finds the parts of a file of joined FLAC recordings. Each part begins with its headers. FFmpeg decodes all frames by the first headers,
// and rejects frames of another sample rate, width or number of channels.
import { firstOf } from "../../../../contract/first-of.ts";
import type { Steps } from "../../steps.ts";
import type { FileParts } from "../file-part.ts";
import { FileBytes } from "./file-bytes.ts";
import { contentEnd } from "./file-end.ts";
import { unusedNote } from "./unused-bytes.ts";

/** The marker, and the head of the first block: the properties of the stream, 34 bytes. It is the last block or not. */
const BEGINNINGS = [Buffer.from("fLaC\0\0\0\x22", "latin1"), Buffer.from("fLaC\x80\0\0\x22", "latin1")];
const BEGINNING_BYTES = 8;
const SEARCH_BYTES = 2 ** 20;
/** Bounds memory and time for a file that consists of headers. */
const MOST_PARTS = 1_000;

function beginningsIn(bytes: Buffer): number[] {
  const found: number[] = [];
  for (let at = bytes.indexOf("fLaC"); at >= 0; at = bytes.indexOf("fLaC", at + 1)) {
    const begin = bytes.subarray(at, at + BEGINNING_BYTES);
    if (BEGINNINGS.some((beginning) => beginning.equals(begin))) found.push(at);
  }
  return found;
}

/** @returns the parts in order, a single one for a file that was not joined; and a note about what they leave out */
export function* flacParts(path: string): Steps<FileParts> {
  const file = new FileBytes(path);
  try {
    const starts: number[] = [];
    for (let from = 0; from < file.sizeBytes && starts.length <= MOST_PARTS; from += SEARCH_BYTES) {
      const bytes = file.read(from, SEARCH_BYTES + BEGINNING_BYTES - 1);
      for (const at of beginningsIn(bytes)) if (starts.length <= MOST_PARTS) starts.push(from + at);
      yield 0;
    }
    // A tag may precede the first marker.
    starts[0] = 0;
    const content = yield* contentEnd(file);
    // FFmpeg would read tags and padding behind the last frame as a damaged one.
    const endBytes = content.endBytes > (starts.at(-1) ?? 0) ? content.endBytes : file.sizeBytes;
    const cut = starts.length === 1 && endBytes < file.sizeBytes ? { patches: [] } : {};
    const unread = starts[MOST_PARTS];
    const notes =
      unread === undefined ? content.notes : [unusedNote(unread, file.sizeBytes, `more than ${MOST_PARTS} recordings`)];
    const parts = firstOf(starts, MOST_PARTS).first.map((startBytes, at) => {
      return { format: "flac" as const, startBytes, endBytes: starts[at + 1] ?? endBytes, ...cut };
    });
    return { parts, notes };
  } finally {
    file.close();
  }
}
