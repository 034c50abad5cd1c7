// The end of a file that FFmpeg's demuxer left unread, as far as it cannot be an index or a tag.
import type { AsyncSteps, Steps } from "../../steps.ts";
import type { FilePart } from "../file-part.ts";
import { FileBytes } from "./file-bytes.ts";
import { endNotes, LARGEST_END_BYTES, matroskaEnd, zeroNotes } from "./file-end.ts";

/** Formats whose unread bytes are found otherwise. */
const ACCOUNTED = /^(wav|w64|aiff|iff|au|mov|ogg|mpegts)$/;
/** FFmpeg reads this format to the end of the file, also behind its audio. */
const PROGRAM_STREAM = "mpeg";
/** Formats with an index behind the samples. */
const INDEXED = /^(avi|asf|matroska|wtv|nut|mxf|gxf|rm|flv|caf)/;
const LARGEST_INDEX_BYTES = 65_536;
const LARGEST_INDEX_SHARE = 0.02;
const AVI_INDEX = "idx1";
const CHUNK_HEADER_BYTES = 8;
/** Of the beginning of a file: an index does not contain them, but another recording of the format does. */
const BEGINNING_BYTES = 8;

function* unreadNotes(file: FileBytes, format: string, read: number): Steps<string[]> {
  const chunk = file.read(read + (read % 2), CHUNK_HEADER_BYTES);
  const hasIndex = chunk.length === CHUNK_HEADER_BYTES && chunk.toString("latin1", 0, 4) === AVI_INDEX;
  const from = read + (hasIndex ? chunk.readUInt32LE(4) + CHUNK_HEADER_BYTES : 0);
  const ordinary = INDEXED.test(format)
    ? Math.max(LARGEST_INDEX_BYTES, file.sizeBytes * LARGEST_INDEX_SHARE)
    : LARGEST_END_BYTES;
  const isJoined = file.read(from, LARGEST_INDEX_BYTES).includes(file.read(0, BEGINNING_BYTES));
  return yield* endNotes(file, from, isJoined ? 0 : ordinary);
}

/**
 * @param part       what FFmpeg reads of the file; undefined for all
 * @param readBytes  end of the last packet in it; 0 if the format does not state it
 */
export async function* unreadEnd(
  path: string,
  format: string,
  readBytes: number,
  part?: FilePart,
): AsyncSteps<string | undefined> {
  const name = format.split(",")[0] ?? "";
  // Parts of raw samples, and those of a CAF file with plain ones, account for the bytes of the file; compressed ones are no parts.
  if (readBytes <= 0 || part?.options || ACCOUNTED.test(name) || (name === "caf" && part)) return undefined;
  const file = new FileBytes(path);
  try {
    // The part of FLAC or MP3 that leaves out what follows the frames accounts for it.
    if (part && part.endBytes < file.sizeBytes) return undefined;
    const read = (part?.startBytes ?? 0) + readBytes;
    const segmentEnd = name === "matroska" ? matroskaEnd(file) : undefined;
    const unread =
      name === PROGRAM_STREAM
        ? []
        : yield* segmentEnd === undefined
            ? unreadNotes(file, format, read)
            : endNotes(file, Math.max(segmentEnd, read));
    // Zeros within a segment that states the size of the whole file, or behind an index.
    return unread[0] ?? (yield* zeroNotes(file, read))[0];
  } finally {
    file.close();
  }
}
