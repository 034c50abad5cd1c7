// Packets of SRT (draft-sharabayko-srt-01, section 3): parts of the header, and numbers that wrap.

export const HEADER_BYTES = 16;
/** Of the parts of a connection over Ethernet: less is sent, so that nothing is fragmented. */
export const MOST_PAYLOAD_BYTES = 1_456;
export const CONTROL = {
  handshake: 0,
  keepAlive: 1,
  acknowledgment: 2,
  lossReport: 3,
  shutdown: 5,
  acknowledged: 6,
  dropRequest: 7,
  extension: 0x7fff,
} as const;

interface Header {
  /** Microseconds since the connection began, by the clock of the sender. */
  timestamp: number;
  /** Socket id of the receiver. */
  destination: number;
  /** Part of the bytes that were parsed. */
  payload: Buffer;
}

export interface DataPacket extends Header {
  kind: "data";
  sequence: number;
  /** 0: not encrypted; 1: by the even key; 2: by the odd key. */
  key: number;
}

export interface ControlPacket extends Header {
  kind: "control";
  type: number;
  subtype: number;
  specific: number;
}

/** @returns undefined for what is no packet */
export function parsePacket(bytes: Buffer): DataPacket | ControlPacket | undefined {
  if (bytes.length < HEADER_BYTES) return undefined;
  const [first, second] = [bytes.readUInt32BE(0), bytes.readUInt32BE(4)];
  const header = {
    timestamp: bytes.readUInt32BE(8),
    destination: bytes.readUInt32BE(12),
    payload: bytes.subarray(HEADER_BYTES),
  };
  if (first < 0x8000_0000) return { kind: "data", sequence: first, key: (second >>> 27) & 3, ...header };
  return { kind: "control", type: (first >>> 16) & 0x7fff, subtype: first & 0xffff, specific: second, ...header };
}

export interface ControlHeader {
  type: number;
  subtype?: number;
  specific?: number;
  timestamp: number;
  destination: number;
}

export function controlPacket(
  { type, subtype = 0, specific = 0, timestamp, destination }: ControlHeader,
  payload: Buffer,
): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16BE(0x8000 | type, 0);
  header.writeUInt16BE(subtype, 2);
  header.writeUInt32BE(specific, 4);
  header.writeUInt32BE(timestamp, 8);
  header.writeUInt32BE(destination, 12);
  return Buffer.concat([header, payload]);
}

/** Sequence numbers have 31 bits. */
export const SEQUENCE_MASK = 0x7fff_ffff;

export const following = (sequence: number, by = 1): number => (sequence + by) & SEQUENCE_MASK;

/** How far `to` is after `from`; negative if it is before. */
export const distance = (from: number, to: number): number => ((to - from) << 1) >> 1;

/** The list of a report of lost packets (appendix A). @param ranges  first and last sequence number */
export function lossList(ranges: readonly (readonly [first: number, last: number])[]): Buffer {
  const words = ranges.flatMap(([first, last]) => (first === last ? [first] : [first + 0x8000_0000, last]));
  const list = Buffer.alloc(4 * words.length);
  words.forEach((word, at) => {
    list.writeUInt32BE(word, 4 * at);
  });
  return list;
}

/** Times of packets, which wrap after 71 minutes, as seconds that do not. */
export class Timestamps {
  private last: number | undefined;
  private microseconds = 0;

  seconds(timestamp: number): number {
    this.microseconds += this.last === undefined ? timestamp : (timestamp - this.last) | 0;
    this.last = timestamp;
    return this.microseconds / 1e6;
  }
}
