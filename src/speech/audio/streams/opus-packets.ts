// Raw Opus packets (RFC 6716), each preceded by its length in the stored stream: a packet does not state where it ends.

import { streamKind } from "../container-format.ts";
import type { Demuxer, Part } from "./demuxer.ts";
import { Pending } from "./demuxer.ts";

/** Of the length before a packet. */
export const LENGTH_BYTES = 2;
/** 48 frames of 1,275 bytes, with their lengths. */
export const MOST_PACKET_BYTES = 61_298;
const MOST_PACKET_MILLISECONDS = 120;

/** A packet as it is stored. */
export function withLength(packet: Buffer): Buffer {
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt16LE(packet.length);
  return Buffer.concat([length, packet]);
}

/** RFC 6716, 3.1: milliseconds of a frame by the upper five bits of a packet. */
function frameMilliseconds(configuration: number): number {
  if (configuration < 12) return [10, 20, 40, 60][configuration % 4] as number;
  if (configuration < 16) return [10, 20][configuration % 2] as number;
  return [2.5, 5, 10, 20][configuration % 4] as number;
}

/** @returns duration of a packet; undefined if it is not valid */
function packetMilliseconds(packet: Buffer): number | undefined {
  const [first, second] = packet;
  if (first === undefined || packet.length > MOST_PACKET_BYTES) return undefined;
  const code = first & 3;
  const frames = code === 0 ? 1 : code < 3 ? 2 : second === undefined ? 0 : second & 63;
  const duration = frames * frameMilliseconds(first >> 3);
  return duration > 0 && duration <= MOST_PACKET_MILLISECONDS ? duration : undefined;
}

const isHeader = (packet: Buffer) => ["OpusHead", "OpusTags"].includes(packet.toString("latin1", 0, 8));

/** Packets at the start of a stream that are compared. The next two constants are the counts from which on they are not Opus. */
const COMPARED_PACKETS = 8;
const TOO_MANY_DURATIONS = 3;
const TOO_MANY_INVALID = 3;
/** Only the first packets must have the declared duration. */
const CHECKED_PACKETS = 3;

export class OpusPackets implements Demuxer {
  private readonly pending = new Pending();
  private packets = 0;
  private invalid = 0;
  private readonly durations = new Set<number>();

  /** @param milliseconds  declared duration of a packet; undefined for any */
  constructor(
    private readonly channels: number,
    private readonly milliseconds: number | undefined,
  ) {}

  push(bytes: Buffer): Part[] {
    this.pending.add(bytes);
    const parts: Part[] = [];
    for (;;) {
      if (this.pending.length < LENGTH_BYTES) return parts;
      const length = this.pending.all.readUInt16LE(0);
      if (this.pending.length < LENGTH_BYTES + length) return parts;
      const from = this.pending.at;
      const packet = this.pending.take(LENGTH_BYTES + length).subarray(LENGTH_BYTES);
      parts.push(...this.partsOf(packet, from));
      if (parts.at(-1)?.kind === "refused") return parts;
    }
  }

  end(): Part[] {
    return this.pending.lose(this.pending.length);
  }

  private partsOf(packet: Buffer, from: number): Part[] {
    if (isHeader(packet)) return [];
    const reason = this.packets < COMPARED_PACKETS ? this.refusalOf(packet) : undefined;
    if (reason !== undefined) return [{ kind: "refused", reason }];
    const begins: Part[] = [{ kind: "setup", setup: { codec: "opus", channels: this.channels } }];
    const isFirst = this.packets++ === 0;
    return [...(isFirst ? begins : []), { kind: "packet", bytes: packet, from, end: this.pending.at }];
  }

  private refusalOf(packet: Buffer): string | undefined {
    const kind = this.packets === 0 ? streamKind(packet) : undefined;
    if (kind?.kind === "known") return `the audio is ${kind.name}, not raw Opus packets`;
    const duration = packetMilliseconds(packet);
    if (duration === undefined) {
      if (++this.invalid < TOO_MANY_INVALID) return undefined;
      return "the messages are not Opus packets: send one packet in each message";
    }
    this.durations.add(duration);
    const { milliseconds } = this;
    if (milliseconds !== undefined && duration !== milliseconds && this.packets < CHECKED_PACKETS) {
      return `a packet has ${duration} ms, and opus_frame_duration declares ${milliseconds} ms`;
    }
    if (this.durations.size < TOO_MANY_DURATIONS) return undefined;
    return "the messages are not Opus packets: their first bytes state a different duration each; send one packet in each message";
  }
}
