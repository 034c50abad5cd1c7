// The end of a file that FFmpeg's demuxer left unread, as far as it cannot be an index or a tag.
import type { AsyncSteps } from "../../steps.ts";
import type { FilePart } from "../file-part.ts";
import { FileBytes } from "./file-bytes.ts";
import { endNotes, isOrdinaryEnd, LARGEST_END_BYTES, matroskaEnd, NOT_CONTINUED } from "./file-end.ts";
import { tagsBefore } from "./trailing-metadata.ts";
import { unusedNote } from "./unused-bytes.ts";

/** Formats whose unread bytes are found otherwise, or that are read to the end whatever they hold. */
const ACCOUNTED = /^(wav|w64|aiff|iff|au|mov|ogg|mpegts|mpeg)$/;
/** Formats with an index behind the samples. */
const INDEXED = /^(avi|asf|matroska|wtv|nut|mxf|gxf|rm|flv|caf)/;
const LARGEST_INDEX_BYTES = 65_536;
const LARGEST_INDEX_SHARE = 0.02;
const AVI_INDEX = "idx1";
const CHUNK_HEADER_BYTES = 8;
/** Of the beginning of a file: an index does not contain them, but another recording of the format does. */
const BEGINNING_BYTES = 8;

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
    const read = (part?.startBytes ?? 0) + readBytes;
    const segmentEnd = name === "matroska" ? matroskaEnd(file) : undefined;
    if (segmentEnd !== undefined) return (yield* endNotes(file, Math.max(segmentEnd, read)))[0];
    const chunk = file.read(read + (read % 2), CHUNK_HEADER_BYTES);
    const hasIndex = chunk.length === CHUNK_HEADER_BYTES && chunk.toString("latin1", 0, 4) === AVI_INDEX;
    const from = read + (hasIndex ? chunk.readUInt32LE(4) + CHUNK_HEADER_BYTES : 0);
    const end = tagsBefore(file, file.sizeBytes);
    const ordinary = INDEXED.test(format)
      ? Math.max(LARGEST_INDEX_BYTES, file.sizeBytes * LARGEST_INDEX_SHARE)
      : LARGEST_END_BYTES;
    const isJoined = file.read(from, LARGEST_INDEX_BYTES).includes(file.read(0, BEGINNING_BYTES));
    const isUnread = (isJoined || end - from > ordinary) && !(yield* isOrdinaryEnd(file, from));
    return isUnread ? unusedNote(from, end, NOT_CONTINUED) : undefined;
  } finally {
    file.close();
  }
}
