// Finds the recordings of joined MP4 files, repairs lengths that are out of date, and notes bytes that no track uses. FFmpeg
// reads only the first recording, and of its media data only what the index lists. A recorder that stops before it updates
// the index does not list the rest.

import { firstOf } from "../../../../contract/first-of.ts";
import { errors } from "../../../../platform/errors.ts";
import type { Steps } from "../../steps.ts";
import type { FilePart, FileParts, Patch } from "../file-part.ts";
import { FileBytes } from "./file-bytes.ts";
import { unusedEnd, ZEROS } from "./file-end.ts";
import { type Box, boxesIn, descendant, isAudio, MOST_BOXES, tracksOf } from "./mp4-boxes.ts";
import { fragmentsOf, recordingsOf, timePatches } from "./mp4-fragments.ts";
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
  return unlistedNote(unused, held);
}

export const unlistedNote = (unused: number, held: number) =>
  `${unused} of the ${held} bytes of media data were not used: the file's index does not list them`;

/** Header of a movie or a track: units a second, and duration in units. */
function timesOf(file: FileBytes, box: Box | undefined): { unitsASecond: number; seconds: number } | undefined {
  const fields = box ? file.read(box.contentBytes, 32) : Buffer.alloc(0);
  if (fields.length < 32) return undefined;
  const isLong = fields[0] === 1;
  const unitsASecond = fields.readUInt32BE(isLong ? 20 : 12);
  const units = isLong ? Number(fields.readBigUInt64BE(24)) : fields.readUInt32BE(16);
  return unitsASecond > 0 ? { unitsASecond, seconds: units / unitsASecond } : undefined;
}

/** Seconds that the edit list of a track plays; undefined without one. */
function editedSeconds(file: FileBytes, track: Box, unitsASecond: number): number | undefined {
  const list = descendant(file, track, ["edts", "elst"]);
  const bytes = list
    ? file.read(list.contentBytes, Math.min(list.endBytes - list.contentBytes, READ_BYTES))
    : undefined;
  if (!bytes || bytes.length < 8) return undefined;
  const isLong = bytes[0] === 1;
  const entryBytes = isLong ? 20 : 12;
  let units = 0;
  for (let at = 8; at + entryBytes <= bytes.length; at += entryBytes) {
    const isEmpty = isLong ? bytes.readBigInt64BE(at + 8) < 0n : bytes.readInt32BE(at + 4) < 0;
    if (!isEmpty) units += isLong ? Number(bytes.readBigUInt64BE(at)) : bytes.readUInt32BE(at);
  }
  return units / unitsASecond;
}

/** Encoder delay and padding are shorter. */
const LEAST_EDITED_SECONDS = 0.5;

/** A note about audio that an edit list leaves out, as players do. */
function editedOut(file: FileBytes, boxes: readonly Box[]): string | undefined {
  const index = boxes.find(({ type }) => type === "moov");
  const movie = index && timesOf(file, descendant(file, index, ["mvhd"]));
  if (!index || !movie || boxes.some(({ type }) => type === "moof")) return undefined;
  for (const track of tracksOf(file, index).filter((one) => isAudio(file, one))) {
    const whole = timesOf(file, descendant(file, track, ["mdia", "mdhd"]))?.seconds ?? 0;
    const left = whole - (editedSeconds(file, track, movie.unitsASecond) ?? whole);
    if (left > LEAST_EDITED_SECONDS) return editedOutNote(left, whole);
  }
  return undefined;
}

export const editedOutNote = (left: number, whole: number) =>
  `The edit list of the file leaves out ${left.toFixed(1)} s of the ${whole.toFixed(1)} s of its audio`;

export const stepsBackNote = (count: number) =>
  `The times of the file's fragments step back ${count === 1 ? "1 time" : `${count} times`}; times after that count on from the audio before`;

/** A box that FFmpeg skips. */
const hidden = ({ startBytes }: Box): Patch => ({ atBytes: startBytes + SIZE_BYTES, bytes: Buffer.from("free") });

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

export const IN_NO_BOX = "they are in no box of MP4 that holds audio";

/** @param before  boxes from there on are not named */
const unknownNotes = (boxes: readonly Box[], before: number) =>
  boxes
    .filter(({ type, startBytes }) => !KNOWN_BOXES.has(type) && startBytes < before)
    .map(({ startBytes, endBytes }) => unusedNote(startBytes, endBytes, IN_NO_BOX));

function* unknownBoxes(file: FileBytes, boxes: readonly Box[]): Steps<string[]> {
  const knownEnd = boxes.findLast(({ type }) => KNOWN_BOXES.has(type))?.endBytes ?? 0;
  const unused = yield* unusedEnd(file, knownEnd, 0);
  if (unused?.reason === ZEROS) return [...unknownNotes(boxes, knownEnd), unusedNote(unused.from, unused.end, ZEROS)];
  if (!unused) return unknownNotes(boxes, knownEnd);
  const notes = unknownNotes(boxes, file.sizeBytes);
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
    const all = yield* recordingsOf(file, boxes);
    const { first } = firstOf(all, MOST_PARTS);
    const parts: FilePart[] = [];
    const notes: string[] = [];
    for (const [index, own] of first.entries()) {
      const startBytes = index === 0 ? 0 : (own[0]?.startBytes ?? 0);
      const part: FilePart = { format: "mov", startBytes, endBytes: all[index + 1]?.[0]?.startBytes ?? file.sizeBytes };
      const note = unusedMedia(file, own) ?? editedOut(file, own);
      if (note !== undefined) notes.push(note);
      const fragments = yield* fragmentsOf(file, own, startBytes);
      const { patches, stepsBack } = timePatches(fragments.tracks);
      if (stepsBack > 0) notes.push(stepsBackNote(stepsBack));
      const changes = [...patches, ...fragments.patches];
      // FFmpeg would prefer the times of this index to those of the fragments.
      if (patches.length > 0) changes.push(...own.filter(({ type }) => type === "sidx").map(hidden));
      parts.push(changes.length > 0 ? { ...part, patches: changes, extension: "mp4" } : part);
    }
    const unread = all[first.length]?.[0];
    if (unread) notes.unshift(unusedNote(unread.startBytes, file.sizeBytes, `more than ${MOST_PARTS} recordings`));
    const isOrdinary = parts.length === 1 && parts[0]?.patches === undefined;
    return { parts: isOrdinary ? [] : parts, notes: [...notes, ...(yield* unknownBoxes(file, boxes))] };
  } finally {
    file.close();
  }
}
