// Decodes one compressed stream in steps of bounded work and output.
import { aacFrame, mpegFrame, STREAM_ENCODINGS, streamKind } from "../container-format.ts";
import { Broadcast } from "./broadcast.ts";
import type { CodecSetup, Demuxer, Part } from "./demuxer.ts";
import { FramedPackets } from "./framed-packets.ts";
import type { Compression, DecodedPart, LostBytes } from "./message.ts";
import { MpegFrames } from "./mpeg-frames.ts";
import { OggPackets } from "./ogg.ts";
import { OpusPackets } from "./opus-packets.ts";
import { Output } from "./output.ts";
import { PacketDecoder } from "./packet-decoder.ts";
import { WebmPackets } from "./webm.ts";

/** Of samples in one step, beyond which a packet adds at most another 2 MB: ten seconds of one channel. */
const MOST_STEP_BYTES = 1_000_000;
/** Work of one step. */
const MOST_STEP_PACKETS = 2_000;

const DEMUXERS: Readonly<Record<string, (compression: Compression) => Demuxer>> = {
  opus: ({ channels, packetMilliseconds }) => new OpusPackets(channels, packetMilliseconds),
  "ogg/opus": () => new OggPackets(),
  "webm/opus": () => new WebmPackets(),
  aac: () => new MpegFrames("aac"),
  mp3: () => new MpegFrames("mp3"),
  broadcast: () => new Broadcast(),
  packets: () => new FramedPackets(),
};

/** Streams of several channels that may become one channel. */
const MIXED = new Set<Compression["encoding"]>(["container", "broadcast", "packets"]);

/** Bytes after which the kind of a stream is decided. */
const MOST_BEGINNING_BYTES = 8_192;

/** Finds the container in the first bytes. */
class AnyContainer implements Demuxer {
  private beginning = Buffer.alloc(0);
  private inner: Demuxer | undefined;

  constructor(private readonly compression: Compression) {}

  push(bytes: Buffer): Part[] {
    if (this.inner) return this.inner.push(bytes);
    this.beginning = Buffer.concat([this.beginning, bytes]);
    const kind = streamKind(this.beginning);
    if (kind.kind === "incomplete" && this.beginning.length < MOST_BEGINNING_BYTES) return [];
    const name = kind.kind === "known" ? kind.name : undefined;
    const encoding = name === undefined ? this.framed() : STREAM_ENCODINGS[name];
    const create = encoding === undefined ? undefined : DEMUXERS[encoding];
    if (!create) {
      const found = name === undefined ? "" : ` (the audio is ${name})`;
      const reason = `without an encoding, a WAV header, Ogg or WebM with Opus, AAC (ADTS) or MP3 is expected${found}; declare the encoding of raw samples and of raw Opus packets`;
      return [{ kind: "refused", reason }];
    }
    this.inner = create(this.compression);
    return this.inner.push(this.beginning);
  }

  end(): Part[] {
    if (this.inner) return this.inner.end();
    // The stream was too short to decide what it is.
    const { length } = this.beginning;
    return length > 0 ? [{ kind: "lost", from: 0, end: length, bytes: length }] : [];
  }

  private framed(): string | undefined {
    if (mpegFrame(this.beginning, 0)) return "mp3";
    return aacFrame(this.beginning, 0) ? "aac" : undefined;
  }
}

export class StreamDecoder {
  private readonly demuxer: Demuxer;
  private readonly output: Output;
  private waiting: Part[] = [];
  /** Of the parts that wait, those that were processed. */
  private processed = 0;
  private decoder: PacketDecoder | undefined;
  private samples = 0;
  private notesSent = 0;
  private refused: string | undefined;
  /** Bytes of the stream so far. */
  position = 0;

  constructor(compression: Compression) {
    const { encoding, channels, sampleRate } = compression;
    this.demuxer = DEMUXERS[encoding]?.(compression) ?? new AnyContainer(compression);
    const mixes = MIXED.has(encoding) && channels === 1;
    this.output = new Output(channels, mixes, sampleRate);
  }

  push(bytes: Buffer): DecodedPart {
    this.position += bytes.length;
    if (this.refused === undefined) this.add(this.demuxer.push(bytes));
    return this.step();
  }

  finish(): DecodedPart {
    if (this.refused === undefined) this.add(this.demuxer.end());
    return this.step(true);
  }

  step(isLast = false): DecodedPart {
    const pieces: Buffer[] = [];
    const marks: number[] = [];
    const lost: LostBytes[] = [];
    let bytes = 0;
    let packets = 0;
    let clock: number | undefined;
    const add = (piece: Buffer) => {
      pieces.push(piece);
      bytes += piece.length;
    };
    while (this.refused === undefined && bytes < MOST_STEP_BYTES && packets++ < MOST_STEP_PACKETS) {
      const part = this.waiting[this.processed];
      if (!part) break;
      this.processed++;
      if (part.kind === "refused") this.refused = part.reason;
      else if (part.kind === "clock") clock ??= part.ticks;
      else if (part.kind === "lost") lost.push({ from: part.from, end: part.end, bytes: part.bytes });
      else if (part.kind === "setup") add(this.begin(part.setup));
      else this.decode(part, add, marks, lost);
    }
    const hasMore = this.refused === undefined && this.processed < this.waiting.length;
    if (isLast && !hasMore) add(this.output.flush());
    const { known } = this.output;
    return {
      kind: "decoded",
      samples: Buffer.concat(pieces),
      ...(known ? { format: known } : {}),
      ...{ marks, lost, notes: this.newNotes() },
      ...(clock === undefined ? {} : { clock }),
      ...(this.refused === undefined ? {} : { refused: this.refused }),
      hasMore,
    };
  }

  close(): void {
    this.decoder?.close();
    this.decoder = undefined;
  }

  private add(parts: readonly Part[]): void {
    this.waiting = [...this.waiting.slice(this.processed), ...parts];
    this.processed = 0;
  }

  private begin(setup: CodecSetup): Buffer {
    const rest = this.output.flush();
    this.close();
    this.decoder = PacketDecoder.open(setup);
    if (!this.decoder) this.refused = "the stream states parameters that cannot be decoded";
    return rest;
  }

  private decode(
    { bytes, from, end }: Part & { kind: "packet" },
    add: (piece: Buffer) => void,
    marks: number[],
    lost: LostBytes[],
  ): void {
    const decoded = bytes.length > 0 ? this.decoder?.decode(bytes) : undefined;
    if (!decoded) {
      lost.push({ from, end, bytes: bytes.length });
      return;
    }
    for (const one of decoded) {
      const piece = this.output.add(one);
      if (!Buffer.isBuffer(piece)) {
        this.refused = piece.refused;
        return;
      }
      this.samples += piece.length / 2 / (this.output.known?.channels ?? 1);
      add(piece);
    }
    marks.push(end, this.samples);
  }

  private newNotes(): string[] {
    const notes = this.output.notes.slice(this.notesSent);
    this.notesSent += notes.length;
    return notes;
  }
}
