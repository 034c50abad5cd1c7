// Finds the recordings of joined MP4 files, repairs lengths that are out of date, and notes bytes that no track uses. FFmpeg
// reads only the first recording, and of its media data only what the index lists. A recorder that stops before it updates
// the index does not list the rest.

import { firstOf } from "../../../../contract/first-of.ts";
import { errors } from "../../../../platform/errors.ts";
import type { Steps } from "../../steps.ts";
import type { FilePart, FileParts, Patch } from "../file-part.ts";
import { FileBytes } from "./file-bytes.ts";
import { type Box, boxesIn, descendant, MOST_BOXES, tracksOf } from "./mp4-boxes.ts";
import { unusedNote } from "./unused-bytes.ts";

/** Bytes of media data that muxers leave between samples: padding of the whole, alignment of each track. */
const ORDINARY_BYTES = 65_536;
const ORDINARY_SHARE = 0.02;
const MOST_PARTS = 100;
const READ_BYTES = 65_536;
const SIZE_BYTES = 4;
const LARGEST_32_BITS = 0xffff_ffff;
const SEARCH_BYTES = 2 ** 20;
/** Bounds the time for media data that look like an index. */
const MOST_CANDIDATES = 1_000;
const INDEX_NAME = Buffer.from("moov");
/** Boxes of the first level that hold no samples, or samples that the index lists. */
const KNOWN_BOXES: ReadonlySet<string> = new Set(
  "ftyp styp moov moof mdat free skip wide uuid sidx ssix mfra pdin meta udta pnot PICT emsg prft mdra jp2h JUNK".split(
    " ",
  ),
);
/** First boxes of files of this format. */
const FIRST_BOX = /^(ftyp|moov|mdat|wide|free|skip|pnot)$/;
/** Version, flags, the size of all samples, and their number. */
const SIZES_AT = 12;

/** Sum of the sizes of a track's samples; undefined if the file does not list them. */
function sampleBytes(file: FileBytes, track: Box): number | undefined {
  const sizes = descendant(file, track, ["mdia", "minf", "stbl", "stsz"]);
  if (!sizes) return undefined;
  const head = file.read(sizes.contentBytes, SIZES_AT);
  if (head.length < SIZES_AT) return undefined;
  const [common, count] = [head.readUInt32BE(4), head.readUInt32BE(8)];
  if (common > 0) return common * count;
  const end = Math.min(sizes.endBytes, sizes.contentBytes + SIZES_AT + count * SIZE_BYTES);
  let total = 0;
  for (let at = sizes.contentBytes + SIZES_AT; at < end; at += READ_BYTES) {
    const bytes = file.read(at, Math.min(READ_BYTES, end - at));
    for (let index = 0; index + SIZE_BYTES <= bytes.length; index += SIZE_BYTES) total += bytes.readUInt32BE(index);
  }
  return total;
}

function unusedMedia(file: FileBytes, boxes: readonly Box[]): string | undefined {
  const index = boxes.find(({ type }) => type === "moov");
  if (!index || boxes.some(({ type }) => type === "moof")) return undefined;
  const listed = tracksOf(file, index).map((track) => sampleBytes(file, track));
  if (listed.some((bytes) => bytes === undefined)) return undefined;
  const used = listed.reduce<number>((sum, bytes = 0) => sum + bytes, 0);
  const media = boxes.filter(({ type }) => type === "mdat");
  const held = media.reduce((sum, { contentBytes, endBytes }) => sum + endBytes - contentBytes, 0);
  const unused = held - used;
  if (unused <= Math.max(ORDINARY_BYTES, held * ORDINARY_SHARE)) return undefined;
  return `${unused} of the ${held} bytes of media data were not used: the file's index does not list them`;
}

/** @returns the index behind media data whose length is out of date; undefined if there is none */
function* indexBehind(file: FileBytes, from: number): Steps<number | undefined> {
  let candidates = 0;
  for (let start = from; start < file.sizeBytes; start += SEARCH_BYTES) {
    const bytes = file.read(start, SEARCH_BYTES + INDEX_NAME.length - 1);
    for (let at = bytes.indexOf(INDEX_NAME); at >= 0; at = bytes.indexOf(INDEX_NAME, at + 1)) {
      if (++candidates > MOST_CANDIDATES) return undefined;
      const startBytes = start + at - SIZE_BYTES;
      const [box] = boxesIn(file, startBytes, file.sizeBytes, 1);
      const [child] = box ? boxesIn(file, box.contentBytes, box.endBytes, 1) : [];
      if (child?.type === "mvhd") return startBytes;
    }
    yield 0;
  }
  return undefined;
}

/**
 * @returns a part in which the length of the media data leads to the index; undefined if the index is where it should be
 * @throws media.not_decodable if there is no index
 */
function* repaired(file: FileBytes, boxes: readonly Box[]): Steps<FilePart | undefined> {
  const media = boxes.find(({ type }) => type === "mdat");
  if (!media || boxes.some(({ type }) => type === "moov" || type === "moof")) return undefined;
  const index = yield* indexBehind(file, media.contentBytes);
  if (index === undefined) {
    throw errors.notDecodable(
      'its index (the box "moov") is missing: the recorder did not finish the file, or it is cut off',
    );
  }
  const isLong = media.contentBytes - media.startBytes > 2 * SIZE_BYTES;
  const length = index - media.startBytes;
  const bytes = Buffer.alloc(isLong ? 2 * SIZE_BYTES : SIZE_BYTES);
  if (isLong) bytes.writeBigUInt64BE(BigInt(length));
  else if (length <= LARGEST_32_BITS) bytes.writeUInt32BE(length);
  else return undefined;
  const patch: Patch = { atBytes: media.startBytes + (isLong ? 2 * SIZE_BYTES : 0), bytes };
  return { format: "mov", startBytes: 0, endBytes: file.sizeBytes, patches: [patch], extension: "mp4" };
}

const IN_NO_BOX = "they are in no box of MP4 that holds audio";

function unknownBoxes(file: FileBytes, boxes: readonly Box[]): string[] {
  const notes = boxes
    .filter(({ type }) => !KNOWN_BOXES.has(type))
    .map(({ startBytes, endBytes }) => unusedNote(startBytes, endBytes, IN_NO_BOX));
  const end = boxes.at(-1)?.endBytes ?? 0;
  // Of a file with more boxes, the end is not known.
  return end < file.sizeBytes && boxes.length < MOST_BOXES
    ? [...notes, unusedNote(end, file.sizeBytes, IN_NO_BOX)]
    : notes;
}

/**
 * @returns the recordings of the file in order, if there are several or its lengths are wrong, and what is in no track;
 *   nothing for another format
 * @throws media.not_decodable if the file has no index
 */
export function* mp4Parts(path: string): Steps<FileParts> {
  const file = new FileBytes(path);
  try {
    const boxes = [...boxesIn(file, 0, file.sizeBytes)];
    if (!FIRST_BOX.test(boxes[0]?.type ?? "")) return { parts: [], notes: [] };
    const whole = yield* repaired(file, boxes);
    if (whole) return { parts: [whole], notes: [] };
    const isFragmented = boxes.some(({ type }) => type === "moof");
    const all = isFragmented ? [] : boxes.filter(({ type }) => type === "ftyp");
    const { first: starts } = firstOf(all, MOST_PARTS);
    const parts: FilePart[] = [];
    const notes: string[] = [];
    for (const [index, { startBytes }] of starts.entries()) {
      const endBytes = all[index + 1]?.startBytes ?? file.sizeBytes;
      const own = boxes.filter((box) => box.startBytes >= startBytes && box.endBytes <= endBytes);
      const note = unusedMedia(file, own);
      if (note !== undefined) notes.push(note);
      parts.push({ format: "mov", startBytes: index === 0 ? 0 : startBytes, endBytes });
    }
    const unread = all[starts.length];
    if (unread) notes.unshift(unusedNote(unread.startBytes, file.sizeBytes, `more than ${MOST_PARTS} recordings`));
    return { parts: parts.length > 1 ? parts : [], notes: [...notes, ...unknownBoxes(file, boxes)] };
  } finally {
    file.close();
  }
}
