// Finds the format of a live source, or of a part of one, from its bytes. The bytes may begin within a frame. Parts of HLS without a
// container begin with a tag that states their time.
import {
  aacFrame,
  ID3_HEADER_BYTES,
  id3Length,
  mpegFrame,
  STREAM_ENCODINGS,
  type StreamFrame,
  streamKind,
} from "../container-format.ts";
import type { Demuxer, Part } from "./demuxer.ts";
import { FragmentedMp4 } from "./fragmented-mp4.ts";
import { MpegFrames } from "./mpeg-frames.ts";
import { OggPackets } from "./ogg.ts";
import { TransportStream } from "./transport-stream.ts";
import { WebmPackets } from "./webm.ts";

/** A stream whose format is not found in this many bytes is refused. */
const MOST_BEGINNING_BYTES = 16_384;
const AGREEING_FRAMES = 3;
const MOST_TAG_BYTES = 1_048_576;
/** Owner of the tag with the time of a part of HLS (RFC 8216, 3.4). */
const TIMESTAMP_OWNER = Buffer.from("com.apple.streaming.transportStreamTimestamp\0", "latin1");
const TIMESTAMP_BYTES = 8;
/** Times have 33 bits, and begin again at 0. */
const TICKS = 2n ** 33n;

const DEMUXERS: Readonly<Record<string, () => Demuxer>> = {
  "ogg/opus": () => new OggPackets(),
  "webm/opus": () => new WebmPackets(),
  aac: () => new MpegFrames("aac"),
  mp3: () => new MpegFrames("mp3"),
  "MPEG transport stream": () => new TransportStream(),
  "MP4, M4A or QuickTime": () => new FragmentedMp4(),
};

type FrameAt = (bytes: Buffer, at: number) => StreamFrame | undefined;

function followsFrom(bytes: Buffer, start: number, frameAt: FrameAt): boolean {
  const traits = frameAt(bytes, start)?.traits;
  let at = start;
  for (let count = 0; count < AGREEING_FRAMES; count++) {
    const frame = frameAt(bytes, at);
    if (!frame || frame.traits !== traits) return false;
    at += frame.bytes;
  }
  return true;
}

/** @returns the codec of the first frames that follow one another */
function framedCodec(bytes: Buffer): "mp3" | "aac" | undefined {
  for (let at = bytes.indexOf(0xff); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
    if (followsFrom(bytes, at, mpegFrame)) return mpegFrame(bytes, at)?.name === "MP3" ? "mp3" : undefined;
    if (followsFrom(bytes, at, aacFrame)) return "aac";
  }
  return undefined;
}

/** @returns length of the tag at the beginning; 0 without one */
function tagBytes(bytes: Buffer): number {
  return bytes.length < ID3_HEADER_BYTES || bytes.toString("latin1", 0, 3) !== "ID3" ? 0 : id3Length(bytes);
}

export class Broadcast implements Demuxer {
  private beginning: Buffer = Buffer.alloc(0);
  private inner: Demuxer | undefined;

  push(bytes: Buffer): Part[] {
    if (this.inner) return this.inner.push(bytes);
    this.beginning = this.beginning.length > 0 ? Buffer.concat([this.beginning, bytes]) : bytes;
    const tag = tagBytes(this.beginning);
    if (tag > MOST_TAG_BYTES) return [{ kind: "refused", reason: `its first tag has ${tag} bytes` }];
    const audio = this.beginning.subarray(tag);
    const isWhole = audio.length >= MOST_BEGINNING_BYTES;
    const name = this.nameOf(audio, isWhole);
    if (name === "incomplete") return [];
    const create = DEMUXERS[name];
    if (!create) {
      const reason = `${name}; what can be read is HLS, MP3, AAC (ADTS), Opus in Ogg or WebM, and MPEG transport streams or fragmented MP4 with AAC`;
      return [{ kind: "refused", reason }];
    }
    this.inner = create();
    return [...this.clockOf(this.beginning.subarray(0, tag)), ...this.inner.push(audio)];
  }

  end(): Part[] {
    if (this.inner) return this.inner.end();
    const { length } = this.beginning;
    return length > 0 ? [{ kind: "lost", from: 0, end: length, bytes: length }] : [];
  }

  private nameOf(audio: Buffer, isWhole: boolean): string {
    const kind = streamKind(audio);
    if (kind.kind === "known") {
      const encoding = STREAM_ENCODINGS[kind.name] ?? kind.name;
      return DEMUXERS[encoding] ? encoding : `the audio is ${kind.name}`;
    }
    const framed = framedCodec(audio);
    if (framed) return framed;
    return isWhole ? "the format of the audio is not known" : "incomplete";
  }

  private clockOf(tag: Buffer): Part[] {
    const at = tag.indexOf(TIMESTAMP_OWNER);
    const from = at + TIMESTAMP_OWNER.length;
    if (at < 0 || tag.length < from + TIMESTAMP_BYTES) return [];
    return [{ kind: "clock", ticks: Number(tag.readBigUInt64BE(from) % TICKS) }];
  }
}
