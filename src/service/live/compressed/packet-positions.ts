// Positions in the bytes of a client that sends raw Opus packets: the stored stream has a length before each packet.
import { LENGTH_BYTES } from "../../../speech/audio/streams/opus-packets.ts";
import { KEPT_PACKETS, packetsUntil } from "./kept-packets.ts";

export class PacketPositions {
  /** Ends of the last packets in the stored stream. */
  private ends: number[] = [];
  /** Packets before those. */
  private earlier = 0;
  /** Stored bytes so far. */
  private end = 0;
  /** Bytes of the current packet that follow, and what there is of the length of the next one. */
  private next = 0;
  private length = Buffer.alloc(0);

  /** @param bytes  the next stored bytes */
  add(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length) {
      if (this.next > 0) {
        const step = Math.min(this.next, bytes.length - at);
        at += step;
        this.next -= step;
        this.end += step;
      } else {
        const part = bytes.subarray(at, at + LENGTH_BYTES - this.length.length);
        at += part.length;
        this.end += part.length;
        this.length = Buffer.concat([this.length, part]);
        if (this.length.length < LENGTH_BYTES) return;
        this.next = this.length.readUInt16LE(0);
        this.length = Buffer.alloc(0);
      }
      if (this.next === 0 && this.length.length === 0) this.note();
    }
  }

  /** @returns the same place in the bytes of the client */
  clientByte(position: number): number {
    const packets = packetsUntil(position, this.ends.length, (index) => this.ends[index] as number);
    return Math.max(0, position - LENGTH_BYTES * (this.earlier + packets));
  }

  private note(): void {
    this.ends.push(this.end);
    if (this.ends.length < 2 * KEPT_PACKETS) return;
    this.earlier += this.ends.length - KEPT_PACKETS;
    this.ends = this.ends.slice(-KEPT_PACKETS);
  }
}
