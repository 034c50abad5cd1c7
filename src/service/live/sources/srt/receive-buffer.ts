// Puts the packets of a stream in order. A packet that is missing for longer than the latency is given up: those after it are delivered.
import { distance, following } from "./packets.ts";

/** Packets between the next one to deliver and the last one that has arrived. Some 8 s at 10 Mbit/s. */
export const WINDOW_PACKETS = 8_192;

interface MissingRange {
  first: number;
  last: number;
  /** When a packet after it arrived, and when its packets were last requested: milliseconds. */
  since: number;
  requestedAt: number;
}

export interface Delivered {
  payload: Buffer;
  sequence: number;
  timestamp: number;
  /** Of its encryption. */
  key: number;
  /** Packets before it are missing. */
  isAfterLoss: boolean;
}

type Arrived = Omit<Delivered, "isAfterLoss">;

export class ReceiveBuffer {
  private readonly arrived = new Map<number, Arrived>();
  /** In order. */
  private missing: MissingRange[] = [];
  /** The sequence number after the last one that has arrived or is missing. */
  private end: number;
  private isAfterLoss = false;

  /** @param next  sequence number of the first packet */
  constructor(
    private next: number,
    private readonly latencyMilliseconds: number,
    private readonly onDelivered: (delivered: Delivered) => void,
  ) {
    this.end = next;
  }

  /** The first sequence number that is neither delivered nor given up. */
  get awaited(): number {
    return this.next;
  }

  /** Number of packets that the buffer has room for. */
  get room(): number {
    return Math.max(0, WINDOW_PACKETS - distance(this.next, this.end));
  }

  /** Packets that have arrived twice, or were given up, are left out. */
  add(packet: Arrived, now: number): void {
    const { sequence } = packet;
    if (distance(this.next, sequence) < 0) return;
    if (distance(this.next, sequence) >= WINDOW_PACKETS) this.skipTo(sequence);
    const ahead = distance(this.end, sequence);
    if (ahead >= 0) {
      if (ahead > 0) this.miss(this.end, following(sequence, -1), now);
      this.end = following(sequence);
    } else if (!this.takeMissing(sequence)) return;
    this.arrived.set(sequence, packet);
    this.deliver(now);
  }

  /** The sender will not repeat these packets. */
  giveUp(first: number, last: number, now: number): void {
    if (distance(first, last) < 0 || distance(this.next, last) < 0) return;
    if (distance(this.next, last) >= WINDOW_PACKETS) {
      this.skipTo(following(last));
      return;
    }
    if (distance(this.end, last) >= 0) {
      this.miss(this.end, last, now);
      this.end = following(last);
    }
    // Ranges that lie within these packets. A range that lies within them in part is given up later, after the latency.
    for (const range of this.missing)
      if (distance(first, range.first) >= 0 && distance(range.last, last) >= 0) range.since = Number.NEGATIVE_INFINITY;
    this.deliver(now);
  }

  /** Delivers what has arrived, as far as nothing before it is missing that may still arrive. */
  deliver(now: number): void {
    while (this.next !== this.end) {
      const [range] = this.missing;
      if (range?.first === this.next) {
        if (now - range.since < this.latencyMilliseconds) return;
        this.missing.shift();
        this.next = following(range.last);
        this.isAfterLoss = true;
      } else this.deliverNext();
    }
  }

  /**
   * Ranges of packets to request again, and counts them as requested.
   * @param interval  milliseconds after which a packet is requested again @param most  ranges
   */
  toRequest(now: number, interval: number, most: number): [first: number, last: number][] {
    const ranges: [number, number][] = [];
    for (const range of this.missing) {
      if (now - range.requestedAt < interval || range.since === Number.NEGATIVE_INFINITY) continue;
      range.requestedAt = now;
      ranges.push([range.first, range.last]);
      if (ranges.length === most) break;
    }
    return ranges;
  }

  private deliverNext(): void {
    const packet = this.arrived.get(this.next);
    this.arrived.delete(this.next);
    this.next = following(this.next);
    if (!packet) return;
    this.onDelivered({ ...packet, isAfterLoss: this.isAfterLoss });
    this.isAfterLoss = false;
  }

  /** Packets so far ahead leave no room for those before them: what has arrived is delivered, the rest is given up. */
  private skipTo(sequence: number): void {
    for (const range of this.missing) range.since = Number.NEGATIVE_INFINITY;
    this.deliver(0);
    this.next = sequence;
    this.end = sequence;
    this.isAfterLoss = true;
  }

  private miss(first: number, last: number, now: number): void {
    this.missing.push({ first, last, since: now, requestedAt: Number.NEGATIVE_INFINITY });
  }

  /** Takes a packet out of the missing ones. @returns whether it was one of them */
  private takeMissing(sequence: number): boolean {
    const place = distance(this.next, sequence);
    let [low, high] = [0, this.missing.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (distance(this.next, (this.missing[middle] as MissingRange).last) < place) low = middle + 1;
      else high = middle;
    }
    const range = this.missing[low];
    if (!range || distance(range.first, sequence) < 0) return false;
    const before = { ...range, last: following(sequence, -1) };
    const after = { ...range, first: following(sequence) };
    this.missing.splice(low, 1, ...[before, after].filter(({ first, last }) => distance(first, last) >= 0));
    return true;
  }
}
