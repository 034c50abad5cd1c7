// Streams of frames behind an ID3 tag whose size is out of date. FFmpeg leaves out as many bytes as the tag states, and with them the
// audio that stands there.
import { FRAME_HEADER_BYTES, ID3_HEADER_BYTES, id3Length, id3Number, streamKind } from "../../container-format.ts";
import type { Steps } from "../../steps.ts";
import type { FilePart, FileParts } from "../file-part.ts";
import { FileBytes } from "./file-bytes.ts";

const HAS_EXTENDED_HEADER = 0x40;
const MOST_FIELDS = 10_000;
const FIELDS_A_STEP = 100;
const SEARCH_BYTES = 2 ** 20;
/** Frames of MPEG audio have 2,881 bytes at most; several in a row show that it is audio. */
const EXAMINED_BYTES = 16_384;
const NAME = /^[A-Z][A-Z0-9]{2,3}$/;

/** FFmpeg's names of the formats. */
const FORMATS: readonly [name: RegExp, format: FilePart["format"]][] = [
  [/^(?:MP3|MPEG audio layer \d)$/, "mp3"],
  [/^AAC \(ADTS\)$/, "aac"],
  [/^FLAC$/, "flac"],
];

/** Big-endian. A file may end before the bytes; then the number is 0. */
const wholeNumber = (bytes: Buffer) => bytes.reduce((sum, byte) => sum * 256 + byte, 0);

/** @returns where the fields of the tag end. @param tagEnd  as the tag states it */
function* endOfFields(file: FileBytes, tagEnd: number): Steps<number> {
  const start = file.read(0, ID3_HEADER_BYTES + 4);
  const [version, flags] = [start[3] ?? 0, start[5] ?? 0];
  const nameBytes = version === 2 ? 3 : 4;
  const headerBytes = version === 2 ? 6 : 10;
  // Some writers of version 2.4 use eight bits a byte; both agree below 128.
  const lengthOf = version === 4 ? id3Number : wholeNumber;
  let at = ID3_HEADER_BYTES;
  if ((flags & HAS_EXTENDED_HEADER) !== 0 && version > 2) {
    at += lengthOf(start.subarray(ID3_HEADER_BYTES)) + (version === 3 ? 4 : 0);
  }
  for (let count = 0; count < MOST_FIELDS && at < tagEnd; count++) {
    const header = file.read(at, headerBytes);
    if (header.length < headerBytes || !NAME.test(header.toString("latin1", 0, nameBytes))) break;
    const next: number = at + headerBytes + lengthOf(header.subarray(nameBytes, 2 * nameBytes));
    if (next > tagEnd) break;
    at = next;
    if (count % FIELDS_A_STEP === 0) yield 0;
  }
  return at;
}

/** @returns position of the first byte that is not 0; `end` if there is none */
function* endOfZeros(file: FileBytes, from: number, end: number): Steps<number> {
  for (let start = from; start < end; start += SEARCH_BYTES) {
    const at = file.read(start, Math.min(SEARCH_BYTES, end - start)).findIndex((byte) => byte !== 0);
    if (at >= 0) return start + at;
    yield 0;
  }
  return end;
}

function formatAt(file: FileBytes, at: number): FilePart["format"] | undefined {
  const kind = streamKind(file.read(at, EXAMINED_BYTES));
  if (kind.kind !== "known") return undefined;
  return FORMATS.find(([name]) => name.test(kind.name))?.[1];
}

export const tagNote = (stated: number, begin: number) =>
  `The file's ID3 tag states ${stated} bytes, but its audio begins at byte ${begin}; all of it was read`;

/** @returns the audio that stands within the declared length of the tag; no part if there is none, or no tag */
export function* taggedParts(path: string): Steps<FileParts> {
  const file = new FileBytes(path);
  try {
    const header = file.read(0, ID3_HEADER_BYTES);
    if (header.length < ID3_HEADER_BYTES || header.toString("latin1", 0, 3) !== "ID3") return { parts: [], notes: [] };
    const tagEnd = Math.min(id3Length(header), file.sizeBytes);
    const startBytes = yield* endOfZeros(file, yield* endOfFields(file, tagEnd), tagEnd);
    const format = tagEnd - startBytes > FRAME_HEADER_BYTES ? formatAt(file, startBytes) : undefined;
    if (format === undefined) return { parts: [], notes: [] };
    const part = { format, startBytes, endBytes: file.sizeBytes, patches: [] };
    return { parts: [part], notes: [tagNote(id3Length(header), startBytes)] };
  } finally {
    file.close();
  }
}
