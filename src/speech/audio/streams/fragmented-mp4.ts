// The first audio track of a fragmented MP4 (ISO 14496-12), as HLS and DASH send it: AAC, whose frames get ADTS headers here.
import { type Demuxer, type Part, Pending } from "./demuxer.ts";

/** Longest box that is read as a whole: those that describe samples. */
const MOST_DESCRIPTION_BYTES = 1_048_576;
const MOST_FRAME_BYTES = 8_184;
const MOST_FRAMES = 100_000;
const TICKS_PER_SECOND = 90_000;
/** Object types of AAC. */
const [LOW_COMPLEXITY, SPECTRAL_BAND, PARAMETRIC_STEREO] = [2, 5, 29];
const MOST_ADTS_TYPE = 4;
const EXPLICIT_RATE = 15;

interface Box {
  type: string;
  body: Buffer;
}

/** @returns the boxes; what is damaged ends them */
function boxesIn(bytes: Buffer): Box[] {
  const found: Box[] = [];
  for (let at = 0; at + 8 <= bytes.length; ) {
    const size = bytes.readUInt32BE(at);
    if (size < 8 || at + size > bytes.length) break;
    found.push({ type: bytes.toString("latin1", at + 4, at + 8), body: bytes.subarray(at + 8, at + size) });
    at += size;
  }
  return found;
}

function inside(bytes: Buffer | undefined, ...path: string[]): Buffer | undefined {
  return path.reduce<Buffer | undefined>(
    (body, name) => body && boxesIn(body).find(({ type }) => type === name)?.body,
    bytes,
  );
}

/** @returns the body of a descriptor with this tag, within the first ones of each level */
function descriptor(bytes: Buffer, tag: number, at = 0): Buffer | undefined {
  let [from, length] = [at + 1, 0];
  for (let count = 0; count < 4 && from < bytes.length; count++) {
    const byte = bytes[from++] as number;
    length = length * 128 + (byte & 0x7f);
    if (byte < 0x80) break;
  }
  return bytes[at] === tag ? bytes.subarray(from, from + length) : undefined;
}

/** AudioSpecificConfig (ISO 14496-3). */
function specificConfig(esds: Buffer): Buffer | undefined {
  const stream = descriptor(esds, 3, 4);
  const config = stream && descriptor(stream, 4, 3);
  return config && config.length > 13 ? descriptor(config, 5, 13) : undefined;
}

interface AudioTrack {
  id: number;
  timescale: number;
  /** Header of a frame without its length. */
  adts: Buffer;
}

/** @returns undefined for what ADTS headers cannot state */
function adtsHeader(config: Buffer): Buffer | undefined {
  if (config.length < 2) return undefined;
  const bits = config.subarray(0, 8).reduce((text, byte) => text + byte.toString(2).padStart(8, "0"), "");
  const read = (from: number, count: number) => Number.parseInt(bits.slice(from, from + count) || "0", 2);
  let type = read(0, 5);
  const rate = read(5, 4);
  const channels = read(9, 4);
  // The frames are those of the core; the decoder finds the extension in them.
  if (type === SPECTRAL_BAND || type === PARAMETRIC_STEREO) type = LOW_COMPLEXITY;
  if (type < 1 || type > MOST_ADTS_TYPE || rate === EXPLICIT_RATE || channels === 0 || channels > 7) return undefined;
  return Buffer.of(0xff, 0xf1, ((type - 1) << 6) | (rate << 2) | (channels >> 2), (channels & 3) << 6, 0, 0x1f, 0xfc);
}

function withHeader(header: Buffer, frame: Buffer): Buffer {
  const whole = Buffer.concat([header, frame]);
  const { length } = whole;
  whole[3] = (whole[3] as number) | (length >> 11);
  whole[4] = (length >> 3) & 0xff;
  whole[5] = ((length & 7) << 5) | 0x1f;
  return whole;
}

type TrackOutcome = AudioTrack | { refused: string };

function trackOf(trak: Buffer): TrackOutcome | undefined {
  if (inside(trak, "mdia", "hdlr")?.toString("latin1", 8, 12) !== "soun") return undefined;
  const tkhd = inside(trak, "tkhd");
  const mdhd = inside(trak, "mdia", "mdhd");
  const stsd = inside(trak, "mdia", "minf", "stbl", "stsd");
  const [entry] = stsd && stsd.length > 8 ? boxesIn(stsd.subarray(8)) : [];
  if (!tkhd || tkhd.length < 24 || !mdhd || mdhd.length < 24 || !entry)
    return { refused: "its audio track is damaged" };
  if (entry.type !== "mp4a") {
    const what = entry.type === "enca" ? "encrypted" : entry.type.replace(/[^\x20-\x7e]/g, "?");
    return { refused: `a fragmented MP4 must have AAC; the audio is ${what}` };
  }
  const esds = boxesIn(entry.body.subarray(28)).find(({ type }) => type === "esds")?.body;
  const config = esds && specificConfig(esds);
  const adts = config && adtsHeader(config);
  if (!adts) return { refused: "a fragmented MP4 must have AAC of up to 7 channels; the audio is of another kind" };
  const id = tkhd.readUInt32BE(tkhd[0] === 1 ? 20 : 12);
  const timescale = mdhd.readUInt32BE(mdhd[0] === 1 ? 20 : 12);
  return { id, timescale, adts };
}

interface Frame {
  /** Position in the stream. */
  at: number;
  bytes: number;
}

export class FragmentedMp4 implements Demuxer {
  private readonly pending = new Pending();
  private track: AudioTrack | undefined;
  private isRefused = false;
  private defaultBytes = 0;
  private frames: Frame[] = [];
  private nextFrame = 0;
  /** End of the current box of samples. */
  private samplesEnd: number | undefined;
  private hasClock = false;

  push(bytes: Buffer): Part[] {
    this.pending.add(bytes);
    const parts: Part[] = [];
    while (!this.isRefused && this.step(parts));
    return parts;
  }

  end(): Part[] {
    return this.pending.lose(this.pending.length);
  }

  /** @returns false if more bytes are needed */
  private step(parts: Part[]): boolean {
    if (!this.pending.passSkipped([])) return false;
    if (this.samplesEnd !== undefined) return this.takeFrame(this.samplesEnd, parts);
    const input = this.pending.all;
    if (input.length < 16) return false;
    const short = input.readUInt32BE(0);
    const type = input.toString("latin1", 4, 8);
    const isLong = short === 1;
    const size = isLong ? Number(input.readBigUInt64BE(8)) : short;
    if (size < 8 || !Number.isSafeInteger(size)) return this.refuse(parts, "its boxes are damaged");
    if (type === "mdat") {
      this.samplesEnd = this.pending.at + size;
      this.pending.take(isLong ? 16 : 8);
      return true;
    }
    if (type !== "moov" && type !== "moof") {
      this.pending.skip(size, false);
      return true;
    }
    if (size > MOST_DESCRIPTION_BYTES) return this.refuse(parts, `its box ${type} has ${size} bytes`);
    if (input.length < size) return false;
    const at = this.pending.at;
    const body = this.pending.take(size).subarray(isLong ? 16 : 8);
    return type === "moov" ? this.readTracks(body, parts) : this.readFragment(body, at, parts);
  }

  private refuse(parts: Part[], reason: string): false {
    parts.push({ kind: "refused", reason: `the fragmented MP4 cannot be read: ${reason}` });
    this.isRefused = true;
    return false;
  }

  private readTracks(moov: Buffer, parts: Part[]): boolean {
    const found = boxesIn(moov).flatMap(({ type, body }) => (type === "trak" ? [trackOf(body)] : []));
    const outcomes = found.filter((one): one is TrackOutcome => one !== undefined);
    const track = outcomes.find((one): one is AudioTrack => "adts" in one);
    if (!track) {
      const [first] = outcomes;
      return this.refuse(parts, first && "refused" in first ? first.refused : "it has no audio");
    }
    this.track = track;
    this.defaultBytes = 0;
    for (const { type, body } of boxesIn(inside(moov, "mvex") ?? Buffer.alloc(0))) {
      if (type === "trex" && body.length >= 24 && body.readUInt32BE(4) === track.id)
        this.defaultBytes = body.readUInt32BE(16);
    }
    parts.push({ kind: "setup", setup: { codec: "aac" } });
    return true;
  }

  private readFragment(moof: Buffer, at: number, parts: Part[]): boolean {
    const { track } = this;
    if (!track) return this.refuse(parts, "it begins without a description of its tracks");
    this.frames = [];
    this.nextFrame = 0;
    for (const { type, body } of boxesIn(moof)) {
      if (type !== "traf") continue;
      const tfhd = inside(body, "tfhd");
      if (!tfhd || tfhd.length < 8 || tfhd.readUInt32BE(4) !== track.id) continue;
      this.readClock(inside(body, "tfdt"), track, parts);
      const flags = tfhd.readUIntBE(1, 3);
      let field = 8;
      const has = (flag: number, bytes: number) => {
        const place = (flags & flag) !== 0 && field + bytes <= tfhd.length ? field : undefined;
        if (place !== undefined) field += bytes;
        return place;
      };
      // Of the file that the server cut; HLS requires positions from the fragment on, and FFmpeg writes those of the fragment here.
      has(0x1, 8);
      has(0x2, 4);
      has(0x8, 4);
      const size = has(0x10, 4);
      const standard = size === undefined ? this.defaultBytes : tfhd.readUInt32BE(size);
      let next = at + moof.length + 16;
      for (const run of boxesIn(body)) if (run.type === "trun") next = this.readRun(run.body, at, next, standard);
    }
    return true;
  }

  private readClock(tfdt: Buffer | undefined, { timescale }: AudioTrack, parts: Part[]): void {
    if (this.hasClock || !tfdt || tfdt.length < (tfdt[0] === 1 ? 12 : 8) || timescale === 0) return;
    this.hasClock = true;
    const time = tfdt[0] === 1 ? Number(tfdt.readBigUInt64BE(4)) : tfdt.readUInt32BE(4);
    const ticks = Math.round((time / timescale) * TICKS_PER_SECOND);
    if (Number.isSafeInteger(ticks)) parts.push({ kind: "clock", ticks });
  }

  /** @param next  position after the previous run @returns position after this one */
  private readRun(trun: Buffer, start: number, next: number, standard: number): number {
    if (trun.length < 8) return next;
    const flags = trun.readUIntBE(1, 3);
    const count = Math.min(trun.readUInt32BE(4), MOST_FRAMES - this.frames.length);
    let field = 8;
    let at = next;
    if ((flags & 0x1) !== 0 && field + 4 <= trun.length) {
      at = start + trun.readInt32BE(field);
      field += 4;
    }
    if ((flags & 0x4) !== 0) field += 4;
    const before = (flags & 0x100) !== 0 ? 4 : 0;
    const hasSize = (flags & 0x200) !== 0;
    const after = ((flags & 0x400) !== 0 ? 4 : 0) + ((flags & 0x800) !== 0 ? 4 : 0);
    for (let index = 0; index < count; index++) {
      field += before;
      if (hasSize && field + 4 > trun.length) break;
      const bytes = hasSize ? trun.readUInt32BE(field) : standard;
      field += (hasSize ? 4 : 0) + after;
      this.frames.push({ at, bytes });
      at += bytes;
    }
    return at;
  }

  /** @param end  of the box */
  private takeFrame(end: number, parts: Part[]): boolean {
    const frame = this.frames[this.nextFrame];
    const { at } = this.pending;
    if (!frame || !this.track || frame.at + frame.bytes > end) {
      this.samplesEnd = undefined;
      this.pending.skip(Math.max(0, end - at), false);
      return true;
    }
    if (frame.at < at || frame.bytes > MOST_FRAME_BYTES || frame.bytes === 0) {
      this.nextFrame++;
      parts.push({ kind: "lost", from: frame.at, end: frame.at + frame.bytes, bytes: frame.bytes });
      return true;
    }
    if (frame.at > at) {
      this.pending.skip(frame.at - at, false);
      return true;
    }
    if (this.pending.length < frame.bytes) return false;
    this.nextFrame++;
    const bytes = withHeader(this.track.adts, this.pending.take(frame.bytes));
    parts.push({ kind: "packet", bytes, from: at, end: this.pending.at });
    return true;
  }
}
