// Packets of Asterisk's AudioSocket: a type of one byte, a length of two bytes (big-endian), and the payload.

export const TYPE = { hangup: 0x00, id: 0x01, dtmf: 0x03, error: 0xff } as const;

/** Sampling rates of audio by the type of its packet, Hz: 16-bit samples, little-endian, one channel. */
const RATES: Readonly<Record<number, number>> = {
  16: 8_000,
  17: 12_000,
  18: 16_000,
  19: 24_000,
  20: 32_000,
  21: 44_100,
  22: 48_000,
  23: 96_000,
  24: 192_000,
};

/** @returns Hz; undefined for packets without audio */
export const rateOf = (type: number): number | undefined => RATES[type];

export interface Packet {
  type: number;
  payload: Buffer;
}

const HEADER_BYTES = 3;

export function packetBytes(type: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt8(type);
  header.writeUInt16BE(payload.length, 1);
  return Buffer.concat([header, payload]);
}

/** Any split of the bytes gives the same packets. At most a packet is held, 64 kB. */
export class PacketReader {
  private rest = Buffer.alloc(0);

  /** @returns the packets that are complete */
  push(bytes: Buffer): Packet[] {
    const all = this.rest.length === 0 ? bytes : Buffer.concat([this.rest, bytes]);
    const packets: Packet[] = [];
    let at = 0;
    while (all.length - at >= HEADER_BYTES) {
      const end = at + HEADER_BYTES + all.readUInt16BE(at + 1);
      if (end > all.length) break;
      packets.push({ type: all.readUInt8(at), payload: all.subarray(at + HEADER_BYTES, end) });
      at = end;
    }
    this.rest = Buffer.from(all.subarray(at));
    return packets;
  }
}

const ID_BYTES = 16;

/** @returns the id of a call as text; undefined for a payload of another length */
export function idIn(payload: Buffer): string | undefined {
  if (payload.length !== ID_BYTES) return undefined;
  const digits = payload.toString("hex");
  return [digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)].join(
    "-",
  );
}
