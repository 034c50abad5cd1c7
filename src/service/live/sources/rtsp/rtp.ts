// Packets of RTP (RFC 3550) in their order, and reports about their reception.

const VERSION = 2;
const HEADER_BYTES = 12;
/** Packets that may be missing; a greater step of the numbers begins them again. */
const MOST_LOST_PACKETS = 3_000;
/** A packet is late, or was sent twice, if its number is lower than that of the newest packet by less than this. */
const MOST_LATE_PACKETS = 100;
const [SENDER_REPORT, RECEIVER_REPORT, GOODBYE] = [200, 201, 203];

export interface RtpPacket {
  payloadType: number;
  /** The last packet of a frame. */
  isMarked: boolean;
  sequence: number;
  timestamp: number;
  source: number;
  payload: Buffer;
}

/** @returns undefined for what is no packet of RTP */
export function parseRtp(bytes: Buffer): RtpPacket | undefined {
  if (bytes.length < HEADER_BYTES) return undefined;
  const [first, second] = [bytes[0] as number, bytes[1] as number];
  if (first >> 6 !== VERSION) return undefined;
  let start = HEADER_BYTES + 4 * (first & 15);
  if ((first & 0x10) !== 0) {
    if (bytes.length < start + 4) return undefined;
    start += 4 + 4 * bytes.readUInt16BE(start + 2);
  }
  const padding = (first & 0x20) !== 0 ? (bytes.at(-1) as number) : 0;
  if (start + padding > bytes.length) return undefined;
  return {
    payloadType: second & 127,
    isMarked: second > 127,
    sequence: bytes.readUInt16BE(2),
    timestamp: bytes.readUInt32BE(4),
    source: bytes.readUInt32BE(8),
    payload: bytes.subarray(start, bytes.length - padding),
  };
}

export interface Arrival {
  /** Time on the clock of the sender. */
  seconds: number;
  /** Packets before it are missing. */
  isAfterLoss: boolean;
  /** The sender began again. */
  isBreak: boolean;
}

/** Orders the packets of one sender, and counts its clock on beyond 32 bits. */
export class RtpOrder {
  private last: { source: number; sequence: number; timestamp: number } | undefined;
  private seconds = 0;
  /** Packets before the next one of audio are missing. */
  private hasLost = false;
  /** Packets that were received in their order, packets that were missing among them, and the highest number, counted on beyond 16 bits. */
  private readonly counted = { received: 0, lost: 0, highest: 0 };
  private reported = { received: 0, lost: 0 };

  /** @param rate  ticks of its clock in a second */
  constructor(private readonly rate: number) {}

  /**
   * @param isAudio  false for another payload type, whose clock may have another rate: its number alone counts
   * @returns undefined for a packet that is late, was sent twice, or is not audio
   */
  accept({ source, sequence, timestamp }: RtpPacket, isAudio = true): Arrival | undefined {
    const { last } = this;
    const step = last?.source === source ? ((sequence - last.sequence) << 16) >> 16 : undefined;
    if (step !== undefined && step <= 0 && step > -MOST_LATE_PACKETS) return undefined;
    if (!isAudio && (step === undefined || step <= 0 || step > MOST_LOST_PACKETS)) return undefined;
    const isBreak = last !== undefined && (step === undefined || step <= 0 || step > MOST_LOST_PACKETS);
    const lost = isBreak || step === undefined ? 0 : step - 1;
    if (isAudio && last && !isBreak) this.seconds += ((timestamp - last.timestamp) | 0) / this.rate;
    this.last = { source, sequence, timestamp: isAudio || !last ? timestamp : last.timestamp };
    this.counted.received++;
    this.counted.lost += lost;
    this.counted.highest = step === undefined || isBreak ? sequence : this.counted.highest + step;
    const isAfterLoss = !isBreak && (lost > 0 || this.hasLost);
    this.hasLost = isAfterLoss && !isAudio;
    return isAudio ? { seconds: this.seconds, isAfterLoss, isBreak } : undefined;
  }

  /** A report of the reception since the last one (6.4.2). @param own  number of this receiver @returns undefined before the first packet */
  report(own: number): Buffer | undefined {
    if (!this.last) return undefined;
    const { received, lost, highest } = this.counted;
    const lately = { received: received - this.reported.received, lost: lost - this.reported.lost };
    this.reported = { received, lost };
    const report = Buffer.alloc(32);
    report.writeUInt8((VERSION << 6) | 1, 0);
    report.writeUInt8(RECEIVER_REPORT, 1);
    report.writeUInt16BE(report.length / 4 - 1, 2);
    report.writeUInt32BE(own, 4);
    report.writeUInt32BE(this.last.source, 8);
    report.writeUInt8(Math.floor((255 * lately.lost) / Math.max(1, lately.received + lately.lost)), 12);
    report.writeUIntBE(Math.min(lost, 0x7fffff), 13, 3);
    report.writeUInt32BE(highest >>> 0, 16);
    return report;
  }
}

/** Whether a packet of RTCP, which may have several parts, ends the stream of its sender (6.6). */
export function isGoodbye(bytes: Buffer): boolean {
  for (let at = 0; at + 4 <= bytes.length; at += 4 + 4 * bytes.readUInt16BE(at + 2)) {
    if ((bytes[at] as number) >> 6 !== VERSION || (bytes[at + 1] as number) < SENDER_REPORT) return false;
    if (bytes[at + 1] === GOODBYE) return true;
  }
  return false;
}
