// Fragments of MP4 files (ISO 14496-12, 8.8) whose times or positions contradict the file: joined recordings, and recorders that
// begin each fragment at 0. FFmpeg keeps one fragment for each time, so that the others would be lost.
import { createHash } from "node:crypto";
import type { Steps } from "../../steps.ts";
import type { Patch } from "../file-part.ts";
import type { FileBytes } from "./file-bytes.ts";
import { type Box, childrenOf, descendant, tracksOf } from "./mp4-boxes.ts";

/** The fragment of a track. */
export interface TrackFragment {
  track: number;
  /** In ticks of the track. */
  start: number;
  length: number;
  /** Position of `start` in the file, and its bytes. */
  startAt: number;
  startBytes: 4 | 8;
  /** Number and sizes of the fragment: the same in a copy of it. */
  identity: string;
}

export interface Fragments {
  tracks: TrackFragment[];
  /** Corrects positions of samples that are outside of the media data behind a fragment. */
  patches: Patch[];
}

const LARGEST_BYTES = 4 * 2 ** 20;
const FRAGMENTS_A_STEP = 200;
/** Fragments of tracks that are kept. A box can claim a hundred thousand, and a file of the most boxes that are read has fewer. */
const MOST_TRACK_FRAGMENTS = 400_000;
const HAS_BASE = 0x1;
const HAS_DESCRIPTION = 0x2;
const HAS_LENGTH = 0x8;
const RUN_HAS_OFFSET = 0x1;
const RUN_HAS_FLAGS = 0x4;
const RUN_HAS_LENGTHS = 0x100;
/** Other fields of a sample: size, flags, and the difference of the time at which it is shown. */
const RUN_OTHER_FIELDS = [0x200, 0x400, 0x800];

interface Part {
  type: string;
  from: number;
  end: number;
}

function* partsOf(bytes: Buffer, from: number, end: number): Generator<Part> {
  for (let at = from; at + 8 <= end; ) {
    const length = bytes.readUInt32BE(at);
    if (length < 8 || at + length > end) return;
    yield { type: bytes.toString("latin1", at + 4, at + 8), from: at + 8, end: at + length };
    at += length;
  }
}

const flagsAt = (bytes: Buffer, at: number) => bytes.readUInt32BE(at) & 0xff_ffff;

/** Length of a run of samples, and the position of its data from the base. */
function runOf(bytes: Buffer, { from, end }: Part, ordinary: number): { length: number; offset: number | undefined } {
  const flags = flagsAt(bytes, from);
  const count = bytes.readUInt32BE(from + 4);
  const hasOffset = (flags & RUN_HAS_OFFSET) !== 0;
  const offset = hasOffset ? bytes.readInt32BE(from + 8) : undefined;
  if ((flags & RUN_HAS_LENGTHS) === 0) return { length: count * ordinary, offset };
  const sampleBytes = 4 + 4 * RUN_OTHER_FIELDS.filter((field) => (flags & field) !== 0).length;
  let length = 0;
  let at = from + 8 + (hasOffset ? 4 : 0) + ((flags & RUN_HAS_FLAGS) !== 0 ? 4 : 0);
  for (; at + sampleBytes <= end; at += sampleBytes) length += bytes.readUInt32BE(at);
  return { length, offset };
}

/**
 * @param partStart  positions count from here
 * @param lengths    of a sample of each track, as the index states it
 */
function trackFragment(
  bytes: Buffer,
  fragment: Part,
  box: Box,
  media: Box | undefined,
  { partStart, lengths, identity }: { partStart: number; lengths: ReadonlyMap<number, number>; identity: string },
): { found?: TrackFragment; patch?: Patch } {
  const parts = [...partsOf(bytes, fragment.from, fragment.end)];
  const head = parts.find(({ type }) => type === "tfhd");
  const time = parts.find(({ type }) => type === "tfdt");
  if (!head) return {};
  const flags = flagsAt(bytes, head.from);
  const track = bytes.readUInt32BE(head.from + 4);
  const baseAt = head.from + 8;
  const lengthAt = baseAt + ((flags & HAS_BASE) !== 0 ? 8 : 0) + ((flags & HAS_DESCRIPTION) !== 0 ? 4 : 0);
  const ordinary = (flags & HAS_LENGTH) !== 0 ? bytes.readUInt32BE(lengthAt) : (lengths.get(track) ?? 0);
  const runs = parts.filter(({ type }) => type === "trun").map((run) => runOf(bytes, run, ordinary));
  const base = (flags & HAS_BASE) !== 0 ? Number(bytes.readBigUInt64BE(baseAt)) : undefined;
  const holds = (at: number) => media !== undefined && at >= media.contentBytes && at < media.endBytes;
  const offset = runs[0]?.offset ?? 0;
  let patch: Patch | undefined;
  if (base !== undefined && !holds(partStart + base + offset) && holds(box.startBytes + offset)) {
    const position = Buffer.alloc(8);
    position.writeBigUInt64BE(BigInt(box.startBytes - partStart));
    patch = { atBytes: box.startBytes + baseAt, bytes: position };
  }
  if (!time) return patch ? { patch } : {};
  const isLong = bytes[time.from] === 1;
  const start = isLong ? Number(bytes.readBigUInt64BE(time.from + 4)) : bytes.readUInt32BE(time.from + 4);
  const length = runs.reduce((sum, run) => sum + run.length, 0);
  const startAt = box.startBytes + time.from + 4;
  const found = {
    track,
    start,
    length,
    startAt,
    startBytes: isLong ? 8 : 4,
    identity,
  } as const;
  return patch ? { found, patch } : { found };
}

function identityOf(bytes: Buffer, media: Box | undefined): string {
  let sequence: number | "" = "";
  for (const { type, from, end } of partsOf(bytes, 8, bytes.length)) {
    if (type !== "mfhd") continue;
    if (end - from >= 8) sequence = bytes.readUInt32BE(from + 4);
    break;
  }
  return `${sequence} ${bytes.length} ${media ? media.endBytes - media.startBytes : ""}`;
}

function sampleLengths(file: FileBytes, index: Box | undefined): Map<number, number> {
  const extends_ = index && descendant(file, index, ["mvex"]);
  const lengths = new Map<number, number>();
  for (const { type, contentBytes } of extends_ ? childrenOf(file, extends_) : []) {
    const fields = type === "trex" ? file.read(contentBytes, 16) : Buffer.alloc(0);
    if (fields.length === 16) lengths.set(fields.readUInt32BE(4), fields.readUInt32BE(12));
  }
  return lengths;
}

/** @param boxes  of the first level of a recording, in order @param partStart  where the recording begins */
export function* fragmentsOf(file: FileBytes, boxes: readonly Box[], partStart: number): Steps<Fragments> {
  const lengths = sampleLengths(
    file,
    boxes.find(({ type }) => type === "moov"),
  );
  const found: Fragments = { tracks: [], patches: [] };
  let [read, readBytes] = [0, 0];
  for (const [at, box] of boxes.entries()) {
    const size = box.endBytes - box.startBytes;
    if (box.type !== "moof" || size > LARGEST_BYTES) continue;
    if (found.tracks.length >= MOST_TRACK_FRAGMENTS || found.patches.length >= MOST_TRACK_FRAGMENTS) break;
    readBytes += size;
    if (++read >= FRAGMENTS_A_STEP || readBytes >= LARGEST_BYTES) {
      yield 0;
      [read, readBytes] = [0, 0];
    }
    const media = boxes.slice(at + 1, at + 4).find(({ type }) => type === "mdat");
    const bytes = file.read(box.startBytes, size);
    const identity = identityOf(bytes, media);
    try {
      for (const part of partsOf(bytes, box.contentBytes - box.startBytes, bytes.length)) {
        if (part.type !== "traf") continue;
        const { found: one, patch } = trackFragment(bytes, part, box, media, { partStart, lengths, identity });
        if (one) found.tracks.push(one);
        if (patch) found.patches.push(patch);
      }
    } catch (thrown) {
      // A box that ends before its fields: FFmpeg refuses or skips it.
      if (!(thrown instanceof RangeError)) throw thrown;
    }
  }
  return found;
}

/** Patches that let the times of each track increase where a fragment does not begin behind the one before it. */
export function timePatches(fragments: readonly TrackFragment[]): { patches: Patch[]; stepsBack: number } {
  const tracks = new Map<number, { last: number; end: number; shift: number; identity: string }>();
  const patches: Patch[] = [];
  let stepsBack = 0;
  for (const { track, start, length, startAt, startBytes, identity } of fragments) {
    const before = tracks.get(track);
    // A segment that was stored twice: FFmpeg uses one of them.
    if (before?.last === start && before.identity === identity) continue;
    const goesBack = before !== undefined && start <= before.last && length > 0;
    if (goesBack) stepsBack++;
    const shift = goesBack ? before.end - start : (before?.shift ?? 0);
    const time = start + shift;
    tracks.set(track, { last: start, end: Math.max(before?.end ?? 0, time + length), shift, identity });
    // A time that its field cannot hold stays.
    if (shift === 0 || time >= 2 ** (8 * startBytes)) continue;
    const bytes = Buffer.alloc(startBytes);
    if (startBytes === 8) bytes.writeBigUInt64BE(BigInt(time));
    else bytes.writeUInt32BE(time);
    patches.push({ atBytes: startAt, bytes });
  }
  return { patches, stepsBack };
}

/** A hash of what FFmpeg needs to decode the samples; fragments with another description are a recording of their own. */
function descriptionsOf(file: FileBytes, boxes: readonly Box[]): string | undefined {
  const index = boxes.find(({ type }) => type === "moov");
  if (!index) return undefined;
  const hash = createHash("sha256");
  for (const track of tracksOf(file, index)) {
    const box = descendant(file, track, ["mdia", "minf", "stbl", "stsd"]);
    if (box) hash.update(file.read(box.contentBytes, Math.min(box.endBytes - box.contentBytes, LARGEST_BYTES)));
  }
  return hash.digest("hex");
}

function goesOn(before: readonly TrackFragment[], after: readonly TrackFragment[]): boolean {
  const [last, next] = [before.at(-1), after[0]];
  const same = before.findLast(({ track }) => track === next?.track) ?? last;
  return same !== undefined && next !== undefined && next.start > same.start;
}

/** The boxes of each recording of a file: joined files, but not segments of one stream that repeat its index. */
export function* recordingsOf(file: FileBytes, boxes: readonly Box[]): Steps<Box[][]> {
  const files: Box[][] = [];
  for (const box of boxes) {
    const own = files.at(-1);
    if (!own || box.type === "ftyp") files.push([box]);
    else own.push(box);
  }
  if (files.length === 1 || !boxes.some(({ type }) => type === "moof")) return files;
  const recordings: Box[][] = [];
  let before: { descriptions: string | undefined; tracks: TrackFragment[] } | undefined;
  for (const own of files) {
    const descriptions = descriptionsOf(file, own);
    const { tracks } = yield* fragmentsOf(file, own, own[0]?.startBytes ?? 0);
    const last = recordings.at(-1);
    const isSegment =
      descriptions === undefined ||
      (before !== undefined && before.descriptions === descriptions && goesOn(before.tracks, tracks));
    if (last && isSegment) for (const box of own) last.push(box);
    else recordings.push(own);
    before = { descriptions: descriptions ?? before?.descriptions, tracks };
  }
  return recordings;
}
