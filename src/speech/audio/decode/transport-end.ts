// Bytes behind the last packets of a transport stream, which FFmpeg skips.
import type { Steps } from "../steps.ts";
import { FileBytes } from "./container/file-bytes.ts";
import { endNotes } from "./container/file-end.ts";
import { type Framing, framingOf, SYNC_BYTE } from "./continuations.ts";

const SEARCH_BYTES = 2 ** 20;
/** Random bytes have this many sync bytes at the distance of packets once in 2 ** 48 places. */
const SYNCS = 6;

/** @param framing  of the packets @returns end of the last packets of a transport stream that stand in a row */
function* transportEnd(file: FileBytes, { packetBytes, syncOffset }: Framing): Steps<number | undefined> {
  const row = (SYNCS - 1) * packetBytes;
  for (let end = file.sizeBytes; end > row; end -= SEARCH_BYTES) {
    const start = Math.max(0, end - SEARCH_BYTES - row);
    const bytes = file.read(start, end - start);
    for (let at = bytes.length - packetBytes + syncOffset; at >= row; at--) {
      if (bytes[at] !== SYNC_BYTE) continue;
      let count = 1;
      while (count < SYNCS && bytes[at - count * packetBytes] === SYNC_BYTE) count++;
      if (count === SYNCS) return start + at - syncOffset + packetBytes;
    }
    yield 0;
  }
  return undefined;
}

/** @returns a note about bytes that are neither packets nor tags nor padding */
export function* notesOnEnd(path: string): Steps<string[]> {
  const framing = framingOf(path);
  if (!framing) return [];
  const file = new FileBytes(path);
  try {
    const end = yield* transportEnd(file, framing);
    return end === undefined ? [] : yield* endNotes(file, end);
  } finally {
    file.close();
  }
}
