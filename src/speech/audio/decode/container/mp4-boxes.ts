// Boxes of MP4 and QuickTime files, as far as FFmpeg does not report on them (ISO 14496-12, 23001-7).
import type { FileBytes } from "./file-bytes.ts";

export interface Box {
  type: string;
  startBytes: number;
  contentBytes: number;
  endBytes: number;
}

const HEADER_BYTES = 8;
const LONG_HEADER_BYTES = 16;
/** Bounds the time for a file that consists of boxes: a long fragmented file has a few for each second. */
export const MOST_BOXES = 100_000;
const MOST_CHILDREN = 256;
const MOST_TRACKS = 64;
const MOST_ENTRIES = 16;
/** A description of samples: version, flags, and the number of entries. */
const DESCRIPTION_BYTES = 8;
/** Fields of an audio entry before its boxes, by the version of the entry (QuickTime). */
const AUDIO_ENTRY_BYTES: readonly number[] = [28, 44, 64];
const VERSION_AT = 8;
/** Entries of encrypted samples by their type. */
const ENCRYPTED: Readonly<Record<string, string>> = {
  enca: "Common Encryption",
  encv: "Common Encryption",
  drms: "FairPlay",
  drmi: "FairPlay",
  aavd: "Audible",
  aabd: "Audible",
};

/** The boxes in a range of the file, as far as their lengths are right. */
export function* boxesIn(file: FileBytes, from: number, end: number, most = MOST_BOXES): Generator<Box> {
  for (let at = from, count = 0; at + HEADER_BYTES <= end && count < most; count++) {
    const header = file.read(at, LONG_HEADER_BYTES);
    if (header.length < HEADER_BYTES) return;
    const short = header.readUInt32BE(0);
    const isLong = short === 1 && header.length === LONG_HEADER_BYTES;
    const length = short === 0 ? end - at : isLong ? Number(header.readBigUInt64BE(8)) : short;
    const headerBytes = isLong ? LONG_HEADER_BYTES : HEADER_BYTES;
    if (length < headerBytes) return;
    // The last box of a file that is cut off.
    const endBytes = Math.min(end, at + length);
    yield { type: header.toString("latin1", 4, 8), startBytes: at, contentBytes: at + headerBytes, endBytes };
    at += length;
  }
}

export const childrenOf = (file: FileBytes, { contentBytes, endBytes }: Box) =>
  boxesIn(file, contentBytes, endBytes, MOST_CHILDREN);

export function descendant(file: FileBytes, box: Box, types: readonly string[]): Box | undefined {
  let found: Box | undefined = box;
  for (const type of types) {
    const parent: Box | undefined = found;
    found = parent && [...childrenOf(file, parent)].find((child) => child.type === type);
  }
  return found;
}

/** @param index  the box "moov" */
export const tracksOf = (file: FileBytes, index: Box): Box[] =>
  [...childrenOf(file, index)].filter(({ type }) => type === "trak").slice(0, MOST_TRACKS);

export function isAudio(file: FileBytes, track: Box): boolean {
  const handler = descendant(file, track, ["mdia", "hdlr"]);
  return handler !== undefined && file.read(handler.contentBytes + 8, 4).toString("latin1") === "soun";
}

/** Four characters, such as "cenc" or "cbcs". */
function schemeOf(file: FileBytes, entry: Box): string | undefined {
  const version = file.read(entry.contentBytes + VERSION_AT, 2);
  const fields =
    AUDIO_ENTRY_BYTES[version.length === 2 ? version.readUInt16BE() : 0] ?? (AUDIO_ENTRY_BYTES[0] as number);
  const boxes = { ...entry, contentBytes: entry.contentBytes + fields };
  const scheme = descendant(file, boxes, ["sinf", "schm"]);
  const name = scheme && file.read(scheme.contentBytes + 4, 4).toString("latin1");
  return name !== undefined && /^[\w-]{4}$/.test(name) ? name : undefined;
}

function trackEncryption(file: FileBytes, track: Box): string | undefined {
  const description = descendant(file, track, ["mdia", "minf", "stbl", "stsd"]);
  if (!description) return undefined;
  let count = 0;
  for (const entry of boxesIn(file, description.contentBytes + DESCRIPTION_BYTES, description.endBytes)) {
    const kind = ENCRYPTED[entry.type];
    const scheme = kind === undefined ? undefined : schemeOf(file, entry);
    if (kind !== undefined) return scheme === undefined ? kind : `${kind}, ${scheme}`;
    if (++count >= MOST_ENTRIES) return undefined;
  }
  return undefined;
}

/** @param track  number among the audio tracks @returns the scheme of an encrypted track */
export function mp4Encryption(file: FileBytes, track: number): string | undefined {
  for (const box of boxesIn(file, 0, file.sizeBytes)) {
    if (box.type !== "moov") continue;
    const audio = tracksOf(file, box).filter((one) => isAudio(file, one))[track];
    return audio && trackEncryption(file, audio);
  }
  return undefined;
}
