// Finds a client's close frame and discards everything before it: for refused connections, whose frames are ignored but
// must be read.

const CLOSE_OPCODE = 0x8;
const LONGEST_HEADER_BYTES = 14;
const TWO_BYTE_LENGTH = 126;
const EIGHT_BYTE_LENGTH = 127;

/** Length of a frame header from its second byte (RFC 6455, 5.2). */
function headerBytes(second: number): number {
  const length = second & 0x7f;
  const extended = length === TWO_BYTE_LENGTH ? 2 : length === EIGHT_BYTE_LENGTH ? 8 : 0;
  return 2 + extended + (second & 0x80 ? 4 : 0);
}

function payloadBytes(header: Buffer): number {
  const length = (header[1] as number) & 0x7f;
  if (length === TWO_BYTE_LENGTH) return header.readUInt16BE(2);
  return length === EIGHT_BYTE_LENGTH ? Number(header.readBigUInt64BE(2)) : length;
}

export class CloseFrameFinder {
  /** Start of an incomplete header; less than LONGEST_HEADER_BYTES. */
  private rest = Buffer.alloc(0);
  /** Payload of the current frame that has not arrived yet. */
  private skipBytes = 0;

  /** @param bytes  next bytes of the stream @returns whether a close frame has begun */
  push(bytes: Buffer): boolean {
    let at = 0;
    while (at < bytes.length) {
      if (this.skipBytes > 0) {
        const skipped = Math.min(this.skipBytes, bytes.length - at);
        this.skipBytes -= skipped;
        at += skipped;
        continue;
      }
      const known = this.rest.length;
      const begin = Buffer.concat([this.rest, bytes.subarray(at, at + LONGEST_HEADER_BYTES)]);
      if (((begin[0] as number) & 0x0f) === CLOSE_OPCODE) return true;
      const length = begin.length < 2 ? LONGEST_HEADER_BYTES : headerBytes(begin[1] as number);
      if (begin.length < length) {
        this.rest = begin;
        return false;
      }
      this.rest = Buffer.alloc(0);
      this.skipBytes = payloadBytes(begin.subarray(0, length));
      at += length - known;
    }
    return false;
  }
}
