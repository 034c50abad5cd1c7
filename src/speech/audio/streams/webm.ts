// Opus packets of a WebM or Matroska stream, as browsers record it: clusters of unknown length, whose blocks follow as they are
// recorded. A recording that begins again within the stream begins a new decoder. Source: RFC 8794 (EBML) and RFC 9559 (Matroska).
import { streamKind } from "../container-format.ts";
import { type CodecSetup, type Demuxer, type Part, Pending } from "./demuxer.ts";
import { childrenOf, laceLengths, readElement, readNumber } from "./ebml.ts";

const EBML = 0x1a45dfa3;
const SEGMENT = 0x18538067;
const CLUSTER = 0x1f43b675;
const BLOCK_GROUP = 0xa0;
const TRACKS = 0x1654ae6b;
const TRACK_ENTRY = 0xae;
const SIMPLE_BLOCK = 0xa3;
const BLOCK = 0xa1;
const TRACK_NUMBER = 0xd7;
const TRACK_TYPE = 0x83;
const CODEC_ID = 0x86;
const CODEC_PRIVATE = 0x63a2;
const AUDIO = 0xe1;
const CHANNELS = 0x9f;
/** Elements whose children are read in their place. */
const ENTERED = new Set([SEGMENT, CLUSTER, BLOCK_GROUP]);
/** Where reading continues after damage. */
const RESUMES = new Set([CLUSTER, EBML]);
/** The header of EBML itself, and elements without audio. */
const SKIPPED_ELEMENTS = {
  ebml: EBML,
  void: 0xec,
  crc32: 0xbf,
  seekHead: 0x114d9b74,
  info: 0x1549a966,
  cues: 0x1c53bb6b,
  tags: 0x1254c367,
  chapters: 0x1043a770,
  attachments: 0x1941a469,
  timestamp: 0xe7,
  previousSize: 0xab,
  position: 0xa7,
  blockDuration: 0x9b,
  referenceBlock: 0xfb,
  discardPadding: 0x75a2,
  blockAdditions: 0x75a1,
  codecState: 0xa4,
};
const SKIPPED = new Set(Object.values(SKIPPED_ELEMENTS));
const CLUSTER_MAGIC = Buffer.from("1f43b675", "hex");
const EBML_MAGIC = Buffer.from("1a45dfa3", "hex");
const MAGIC_BYTES = 4;
/** Longest header of an element. */
const ELEMENT_BYTES = 12;
/** Longer elements are treated as damage. */
const MOST_SKIPPED_BYTES = 16_777_216;
/** Longer ones are counted as lost: they have no audio. */
const MOST_UNCOUNTED_BYTES = 65_536;
const MOST_TRACKS_BYTES = 1_048_576;
const MOST_BLOCK_BYTES = 1_048_576;
const AUDIO_TRACK = 2;

const unsigned = (body: Buffer) => (body.length === 0 || body.length > 6 ? 0 : body.readUIntBE(0, body.length));

interface Track {
  number: number;
  type: number;
  codec: string;
  head: Buffer | undefined;
  channels: number;
}

function readTrack(entry: Buffer): Track {
  const track: Track = { number: 0, type: 0, codec: "", head: undefined, channels: 1 };
  for (const { id, body } of childrenOf(entry)) {
    if (id === TRACK_NUMBER) track.number = unsigned(body);
    else if (id === TRACK_TYPE) track.type = unsigned(body);
    else if (id === CODEC_ID) track.codec = body.toString("latin1").split("\0", 1)[0] ?? "";
    else if (id === CODEC_PRIVATE) track.head = Buffer.from(body);
    else if (id === AUDIO) {
      for (const child of childrenOf(body)) if (child.id === CHANNELS) track.channels = unsigned(child.body);
    }
  }
  return track;
}

export class WebmPackets implements Demuxer {
  private readonly pending = new Pending();
  private track: number | undefined;
  private hasBegun = false;

  push(bytes: Buffer): Part[] {
    this.pending.add(bytes);
    const parts: Part[] = [];
    if (!this.hasBegun) {
      if (this.pending.length < MAGIC_BYTES) return parts;
      const reason = this.beginningProblem();
      if (reason !== undefined) return [{ kind: "refused", reason }];
      this.hasBegun = true;
    }
    for (let goesOn = true; goesOn; ) {
      goesOn = this.step(parts);
      if (parts.at(-1)?.kind === "refused") return parts;
    }
    return parts;
  }

  end(): Part[] {
    return this.pending.lose(this.pending.length);
  }

  private beginningProblem(): string | undefined {
    const start = this.pending.all.subarray(0, MAGIC_BYTES);
    if (start.equals(EBML_MAGIC)) return undefined;
    if (start.equals(CLUSTER_MAGIC))
      return "the WebM stream has no beginning: send it from the first byte of the recording on";
    const kind = streamKind(this.pending.all);
    return `the audio is ${kind.kind === "known" ? kind.name : "something else"}, not a WebM stream`;
  }

  /** @returns false if more bytes are needed */
  private step(parts: Part[]): boolean {
    if (!this.pending.passSkipped(parts)) return false;
    const element = readElement(this.pending.all);
    if (element === undefined) return this.pending.length >= ELEMENT_BYTES && this.resume(parts);
    if (element === "damaged") return this.resume(parts);
    const { id, headerBytes, size } = element;
    if (ENTERED.has(id)) {
      this.pending.take(headerBytes);
      return this.pending.length > 0;
    }
    if (size === undefined || size > MOST_SKIPPED_BYTES) return this.resume(parts);
    if (SKIPPED.has(id)) {
      this.pending.take(headerBytes);
      this.pending.skip(size, size > MOST_UNCOUNTED_BYTES);
      return this.pending.length > 0;
    }
    if (id === TRACKS && size <= MOST_TRACKS_BYTES) {
      if (this.pending.length < headerBytes + size) return false;
      parts.push(...this.setupOf(this.pending.take(headerBytes + size).subarray(headerBytes)));
      return this.pending.length > 0;
    }
    if (id === SIMPLE_BLOCK || id === BLOCK) return this.block(parts, headerBytes, size);
    return this.resume(parts);
  }

  private block(parts: Part[], headerBytes: number, size: number): boolean {
    const number = readNumber(this.pending.all, headerBytes, false, 8);
    if (number === undefined) return false;
    if (number !== "damaged" && this.track !== undefined && number.value !== this.track) {
      this.pending.take(headerBytes);
      this.pending.skip(size, false);
      return this.pending.length > 0;
    }
    if (number === "damaged" || size > MOST_BLOCK_BYTES || size < number.length + 3) return this.resume(parts);
    if (this.track === undefined) {
      parts.push({ kind: "refused", reason: "the WebM stream has no description of its tracks before its audio" });
      return false;
    }
    if (this.pending.length < headerBytes + size) return false;
    const from = this.pending.at;
    const block = this.pending.take(headerBytes + size).subarray(headerBytes);
    const end = this.pending.at;
    const flagsAt = number.length + 2;
    const lacing = ((block[flagsAt] as number) >> 1) & 3;
    const lone = { lengths: [block.length - flagsAt - 1], at: flagsAt + 1 };
    const frames = lacing === 0 ? lone : laceLengths(block, flagsAt + 1, lacing);
    let at = frames?.at ?? 0;
    let packets = 0;
    for (const length of frames?.lengths ?? []) {
      if (length === 0) continue;
      packets++;
      parts.push({ kind: "packet", bytes: block.subarray(at, at + length), from, end });
      at += length;
    }
    // Frames without bytes are not valid. A block may have 256 of them in 5 bytes.
    const empty = (frames?.lengths.length ?? 0) - packets;
    if (packets === 0) parts.push({ kind: "lost", from, end, bytes: end - from });
    else if (empty > 0) parts.push({ kind: "lost", from, end, bytes: Math.min(empty, end - from) });
    return this.pending.length > 0;
  }

  private setupOf(tracks: Buffer): Part[] {
    const found: Track[] = [];
    for (const { id, body } of childrenOf(tracks)) if (id === TRACK_ENTRY) found.push(readTrack(body));
    const audio = found.filter(({ type }) => type === AUDIO_TRACK);
    const opus = audio.find(({ codec }) => codec === "A_OPUS");
    if (!opus) {
      const names = [...new Set(audio.map(({ codec }) => codec.slice(0, 40)))].join(", ");
      const reason =
        names === "" ? "the WebM stream has no audio track" : `the WebM stream contains ${names}, not Opus (A_OPUS)`;
      return [{ kind: "refused", reason }];
    }
    this.track = opus.number;
    const isHead = opus.head?.toString("latin1", 0, 8) === "OpusHead" && opus.head.length >= 19;
    const channels = isHead ? (opus.head?.[9] as number) : opus.channels;
    const setup: CodecSetup = { codec: "opus", ...(isHead && opus.head ? { head: opus.head } : {}), channels };
    return [{ kind: "setup", setup }];
  }

  /** After damage: continues at the next cluster or recording. Reads the bytes up to there alone. */
  private resume(parts: Part[]): boolean {
    const rest = this.pending.all;
    const last = rest.length - MAGIC_BYTES;
    let at = 1;
    while (at <= last && !RESUMES.has(rest.readUInt32BE(at))) at++;
    parts.push(...this.pending.lose(Math.min(at, Math.max(0, last + 1))));
    return at <= last;
  }
}
