// Frames of MP3 (ISO 11172-3, 13818-3) and of AAC with ADTS headers (ISO 13818-7). A stream may begin within a frame, as those of
// broadcasts do.
import {
  aacFrame,
  FRAME_HEADER_BYTES,
  ID3_HEADER_BYTES,
  id3Length,
  mpegFrame,
  type StreamFrame,
  streamKind,
} from "../container-format.ts";
import { type Demuxer, type Part, Pending } from "./demuxer.ts";

/** Frames that must agree before the first one counts, and after damage. */
const AGREEING_FRAMES = 3;
const AGREEING_AFTER_DAMAGE = 2;
/** Bytes at the start in which frames are searched: 2.5 s at 64 kbit/s. */
const MOST_SEARCHED_BYTES = 20_000;
const MOST_TAG_BYTES = 16_777_216;
/** Longer ones are counted as lost. Pictures are shorter. */
const MOST_UNCOUNTED_BYTES = 1_048_576;
const OLD_TAG_BYTES = 128;
const SYNC = 0xff;

type FrameAt = (bytes: Buffer, at: number) => StreamFrame | undefined;

/** A frame with facts about the stream (Xing, LAME), which decodes as silence. */
function isInformation(frame: Buffer): boolean {
  const beginning = frame.toString("latin1", 0, 48);
  return (
    ["Xing", "Info", "VBRI"].some((name) => beginning.includes(name)) &&
    frame.subarray(4, 13).every((byte) => byte === 0)
  );
}

export class MpegFrames implements Demuxer {
  private readonly pending = new Pending();
  private readonly frameAt: FrameAt;
  private traits: number | undefined;
  private isInStep = false;
  private searched = 0;
  private isEnded = false;

  constructor(private readonly codec: "mp3" | "aac") {
    this.frameAt = codec === "mp3" ? mpegFrame : aacFrame;
  }

  push(bytes: Buffer): Part[] {
    this.pending.add(bytes);
    const parts: Part[] = [];
    for (let goesOn = true; goesOn; ) goesOn = this.step(parts);
    return parts;
  }

  end(): Part[] {
    this.isEnded = true;
    const parts = this.push(Buffer.alloc(0));
    return [...parts, ...this.pending.lose(this.pending.length)];
  }

  /** @returns false if more bytes are needed, or the stream is refused */
  private step(parts: Part[]): boolean {
    if (!this.pending.passSkipped(parts)) return false;
    if (this.skipsTag()) return true;
    const input = this.pending.all;
    if (input.length < FRAME_HEADER_BYTES) return false;
    const frame = this.frameAt(input, 0);
    const agrees = frame !== undefined && (this.traits === undefined || frame.traits === this.traits);
    if (!agrees) return this.lose(parts);
    if (!this.isInStep) {
      const needed = this.traits === undefined ? AGREEING_FRAMES : AGREEING_AFTER_DAMAGE;
      const matches = this.agreement(input, frame.traits, needed);
      if (matches === "incomplete") return false;
      if (matches === "no") return this.lose(parts);
      if (this.traits === undefined && !this.begin(frame, parts)) return false;
      this.isInStep = true;
    }
    if (input.length < frame.bytes) return false;
    const from = this.pending.at;
    const bytes = this.pending.take(frame.bytes);
    if (this.codec === "aac" || !isInformation(bytes))
      parts.push({ kind: "packet", bytes, from, end: this.pending.at });
    return true;
  }

  private begin(frame: StreamFrame, parts: Part[]): boolean {
    if (this.codec === "mp3" && frame.name !== "MP3") {
      parts.push({ kind: "refused", reason: `the audio is ${frame.name}, not MP3` });
      return false;
    }
    this.traits = frame.traits;
    parts.push({ kind: "setup", setup: { codec: this.codec } });
    return true;
  }

  /** Whether `needed` frames follow one another. */
  private agreement(input: Buffer, traits: number, needed: number): "yes" | "no" | "incomplete" {
    let at = 0;
    for (let count = 0; count < needed; count++) {
      if (input.length < at + FRAME_HEADER_BYTES) return this.isEnded && count > 0 ? "yes" : "incomplete";
      const frame = this.frameAt(input, at);
      if (frame?.traits !== traits) return "no";
      at += frame.bytes;
    }
    return "yes";
  }

  /** ID3 tags are no audio. @returns true if one was found */
  private skipsTag(): boolean {
    const input = this.pending.all;
    if (input.length < ID3_HEADER_BYTES) return false;
    const name = input.toString("latin1", 0, 3);
    if (name === "ID3" && input.subarray(6, ID3_HEADER_BYTES).every((byte) => byte < 0x80)) {
      const length = id3Length(input);
      const size = length - ID3_HEADER_BYTES;
      if (size > MOST_TAG_BYTES) return false;
      this.pending.skip(length, size > MOST_UNCOUNTED_BYTES);
      return true;
    }
    if (name !== "TAG" || this.traits === undefined) return false;
    this.pending.skip(OLD_TAG_BYTES, false);
    return true;
  }

  /** Moves to the next place where a frame may begin. */
  private lose(parts: Part[]): boolean {
    this.isInStep = false;
    const input = this.pending.all;
    if (this.traits === undefined && this.searched === 0) {
      const kind = streamKind(input);
      if (kind.kind === "known" && kind.name !== "MP3 (ID3 tag)") {
        parts.push({ kind: "refused", reason: `the audio is ${kind.name}, not ${this.name}` });
        return false;
      }
    }
    const next = input.indexOf(SYNC, 1);
    const skipped = next < 0 ? input.length : next;
    this.searched += skipped;
    if (this.traits === undefined && this.searched > MOST_SEARCHED_BYTES) {
      parts.push({
        kind: "refused",
        reason: `the audio is not ${this.name}: its first ${MOST_SEARCHED_BYTES} bytes have no frames`,
      });
      return false;
    }
    parts.push(...this.pending.lose(skipped));
    return this.pending.length > 0;
  }

  private get name(): string {
    return this.codec === "mp3" ? "MP3" : "AAC with ADTS headers";
  }
}
