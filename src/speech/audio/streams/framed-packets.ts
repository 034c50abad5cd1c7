// Packets of a protocol that frames them, such as RTP and RTMP: the service passes each packet, and the format of those that follow, to
// the decoder process as a frame. The service makes the frames; their contents are those of a foreign server.
import type { CodecSetup, Demuxer, Part } from "./demuxer.ts";
import { Pending } from "./demuxer.ts";

const [SETUP, PACKET] = [0, 1];
/** Kind and length. */
const HEADER_BYTES = 5;

function framed(kind: number, body: Buffer): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header[0] = kind;
  header.writeUInt32BE(body.length, 1);
  return Buffer.concat([header, body]);
}

export const framedPacket = (bytes: Buffer): Buffer => framed(PACKET, bytes);

export const framedSetup = ({ head, ...setup }: CodecSetup): Buffer =>
  framed(SETUP, Buffer.from(JSON.stringify({ ...setup, ...(head ? { head: head.toString("base64") } : {}) })));

function setupOf(body: Buffer): CodecSetup {
  const { head, ...setup } = JSON.parse(body.toString()) as Omit<CodecSetup, "head"> & { head?: string };
  return { ...setup, ...(head === undefined ? {} : { head: Buffer.from(head, "base64") }) };
}

export class FramedPackets implements Demuxer {
  private readonly pending = new Pending();

  push(bytes: Buffer): Part[] {
    this.pending.add(bytes);
    const parts: Part[] = [];
    for (;;) {
      if (this.pending.length < HEADER_BYTES) return parts;
      const length = HEADER_BYTES + this.pending.all.readUInt32BE(1);
      if (this.pending.length < length) return parts;
      const from = this.pending.at;
      const frame = this.pending.take(length);
      const body = frame.subarray(HEADER_BYTES);
      if (frame[0] === SETUP) parts.push({ kind: "setup", setup: setupOf(body) });
      else parts.push({ kind: "packet", bytes: body, from, end: this.pending.at });
    }
  }

  end(): Part[] {
    return this.pending.lose(this.pending.length);
  }
}
