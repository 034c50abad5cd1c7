// Opus packets of an Ogg stream (RFC 3533 and 7845). Streams of other codecs beside it are left out; streams joined one after another
// begin a new decoder each.
import { streamKind } from "../container-format.ts";
import { type Demuxer, type Part, Pending } from "./demuxer.ts";

const MAGIC = Buffer.from("OggS");
const HEADER_BYTES = 27;
const CHECKSUM_AT = 22;
const MOST_FLAGS = 7;
const CONTINUES = 1;
const BEGINS = 2;
/** Longest packet: comments may have pictures, and longer ones are damage. */
const MOST_PACKET_BYTES = 1_048_576;

/**
 * Limits the bytes of pages with a wrong checksum that are examined: MOST_CREDIT at first, and CREDIT_PER_BYTE for each byte of the stream.
 * Beyond the limit, the whole page is lost, so that the work is proportional to the bytes. It depends on positions, not on how the bytes arrive.
 */
const MOST_CREDIT = 1_048_576;
const CREDIT_PER_BYTE = 4;

const OTHER_CODECS: readonly (readonly [beginning: string, name: string])[] = [
  ["\x01vorbis", "Vorbis"],
  ["\x7fFLAC", "FLAC"],
  ["fLaC", "FLAC"],
  ["Speex   ", "Speex"],
  ["\x80theora", "Theora"],
];

interface Page {
  flags: number;
  serial: number;
  sequence: number;
  lengths: Buffer;
  body: Buffer;
  from: number;
  end: number;
}

const beginsWith = (bytes: Buffer, text: string) => bytes.toString("latin1", 0, text.length) === text;

export class OggPackets implements Demuxer {
  private readonly pending = new Pending();
  private serial: number | undefined;
  private sequence = -1;
  /** Pieces of a packet that continues on the next page, and the range of the stream that contains them. */
  private pieces: Buffer[] = [];
  private pieceBytes = 0;
  private piecesFrom = 0;
  private piecesEnd = 0;
  private others: string[] = [];
  private hasBegun = false;
  private credit = MOST_CREDIT;
  private creditedAt = 0;
  /** Bytes whose checksum was computed. */
  checkedBytes = 0;

  push(bytes: Buffer): Part[] {
    this.pending.add(bytes);
    const parts: Part[] = [];
    if (!this.hasBegun) {
      if (this.pending.length < MAGIC.length) return parts;
      if (!this.pending.all.subarray(0, MAGIC.length).equals(MAGIC)) {
        const kind = streamKind(this.pending.all);
        if (kind.kind === "incomplete" && this.pending.length < HEADER_BYTES) return parts;
        const found = kind.kind === "known" ? kind.name : "something else";
        return [{ kind: "refused", reason: `the audio is ${found}, not an Ogg stream` }];
      }
      this.hasBegun = true;
    }
    for (;;) {
      const page = this.nextPage(parts);
      if (!page) return parts;
      parts.push(...this.partsOf(page));
      if (parts.at(-1)?.kind === "refused") return parts;
    }
  }

  end(): Part[] {
    return this.lose(this.pending.length);
  }

  private nextPage(parts: Part[]): Page | undefined {
    for (;;) {
      const at = this.pending.all.indexOf(MAGIC);
      // The beginning of a page may have arrived in part.
      const skipped = at < 0 ? Math.max(0, this.pending.length - MAGIC.length + 1) : at;
      if (skipped > 0) parts.push(...this.lose(skipped));
      const input = this.pending.all;
      if (at < 0 || input.length < HEADER_BYTES) return undefined;
      if (input[4] !== 0 || (input[5] as number) > MOST_FLAGS) {
        parts.push(...this.lose(MAGIC.length));
        continue;
      }
      const segments = input[26] as number;
      if (input.length < HEADER_BYTES + segments) return undefined;
      let size = HEADER_BYTES + segments;
      for (let index = 0; index < segments; index++) size += input[HEADER_BYTES + index] as number;
      if (input.length < size) return undefined;
      if (!this.isWhole(input.subarray(0, size))) {
        parts.push(...this.lose(this.spend(size) ? MAGIC.length : size));
        continue;
      }
      const from = this.pending.at;
      const page = Buffer.from(this.pending.take(size));
      return {
        ...{ flags: page[5] as number, serial: page.readUInt32LE(14), sequence: page.readUInt32LE(18) },
        lengths: page.subarray(HEADER_BYTES, HEADER_BYTES + segments),
        ...{ body: page.subarray(HEADER_BYTES + segments), from, end: this.pending.at },
      };
    }
  }

  private isWhole(page: Buffer): boolean {
    this.checkedBytes += page.length;
    return pageChecksum(page, CHECKSUM_AT) === page.readUInt32LE(CHECKSUM_AT);
  }

  /** @returns false if too much was spent on pages with a wrong checksum */
  private spend(bytes: number): boolean {
    const { at } = this.pending;
    this.credit = Math.min(MOST_CREDIT, this.credit + CREDIT_PER_BYTE * (at - this.creditedAt)) - bytes;
    this.creditedAt = at;
    return this.credit >= 0;
  }

  private partsOf(page: Page): Part[] {
    const parts: Part[] = [];
    if ((page.flags & BEGINS) !== 0) {
      if (!beginsWith(page.body, "OpusHead")) {
        const known = OTHER_CODECS.find(([beginning]) => beginsWith(page.body, beginning));
        this.others.push(known?.[1] ?? "an unknown codec");
        return parts;
      }
      parts.push(...this.losePieces());
      this.serial = page.serial;
      this.sequence = page.sequence;
      const head = Buffer.from(page.body);
      const channels = head[9] ?? 0;
      if (head.length < 19 || channels === 0) {
        const { from, end } = page;
        return [...parts, { kind: "lost", from, end, bytes: end - from }];
      }
      return [...parts, { kind: "setup", setup: { codec: "opus", head, channels } }];
    }
    if (this.serial === undefined) {
      const names = [...new Set(this.others)].join(" and ");
      const reason =
        names === "" ? "the Ogg stream has no beginning (OpusHead)" : `the Ogg stream contains ${names}, not Opus`;
      return [{ kind: "refused", reason }];
    }
    if (page.serial !== this.serial) return parts;
    const isNext = page.sequence === this.sequence + 1;
    this.sequence = page.sequence;
    const continues = (page.flags & CONTINUES) !== 0;
    // The rest of the packet did not arrive.
    if (!isNext || !continues) parts.push(...this.losePieces());
    const bodyFrom = page.end - page.body.length;
    let skipsFirst = continues && this.pieces.length === 0;
    let at = 0;
    let start = 0;
    let empty = 0;
    for (const length of page.lengths) {
      at += length;
      if (length === 255) continue;
      if (at === start && this.pieces.length === 0 && !skipsFirst) {
        empty++;
        continue;
      }
      const piece = page.body.subarray(start, at);
      start = at;
      if (skipsFirst) {
        skipsFirst = false;
        if (piece.length > 0) parts.push({ kind: "lost", from: page.from, end: bodyFrom + at, bytes: piece.length });
        continue;
      }
      const from = this.pieces.length > 0 ? this.piecesFrom : page.from;
      const packet = this.pieces.length > 0 ? Buffer.concat([...this.pieces, piece]) : piece;
      this.pieces = [];
      this.pieceBytes = 0;
      if (!beginsWith(packet, "OpusTags")) parts.push({ kind: "packet", bytes: packet, from, end: page.end });
    }
    // Packets without bytes are not valid: of each, the page has the length alone.
    if (empty > 0) parts.push({ kind: "lost", from: page.from, end: page.end, bytes: empty });
    if (start < page.body.length) {
      this.keep(page.body.subarray(start), page);
      // The packet has no beginning, or is too long: the next page continues it without these pieces.
      if (skipsFirst || this.pieceBytes > MOST_PACKET_BYTES) parts.push(...this.losePieces());
    }
    return parts;
  }

  private keep(piece: Buffer, { from, end }: Page): void {
    if (this.pieces.length === 0) this.piecesFrom = from;
    this.pieces.push(piece);
    this.pieceBytes += piece.length;
    this.piecesEnd = end;
  }

  /** Damage ends the packet that is not complete: lost bytes are reported in order. */
  private lose(count: number): Part[] {
    return [...this.losePieces(), ...this.pending.lose(count)];
  }

  /** The packet that these pieces begin is never complete. */
  private losePieces(): Part[] {
    const { piecesFrom: from, piecesEnd: end, pieceBytes: bytes } = this;
    this.pieces = [];
    this.pieceBytes = 0;
    return bytes > 0 ? [{ kind: "lost", from, end, bytes }] : [];
  }
}

/** Of the checksum of pages (RFC 3533): a CRC of 32 bits, not reflected. */
const POLYNOMIAL = 0x04c11db7;

const TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index << 24;
  for (let bit = 0; bit < 8; bit++) value = value < 0 ? (value << 1) ^ POLYNOMIAL : value << 1;
  return value >>> 0;
});

/** @param before  checksum of the bytes before these */
export function crc32(bytes: Uint8Array, before = 0): number {
  let value = before;
  for (const byte of bytes) value = (value << 8) ^ (TABLE[((value >>> 24) ^ byte) & 0xff] as number);
  return value >>> 0;
}

const NO_CHECKSUM = new Uint8Array(4);

/** Of a page whose own checksum, which counts as zero, is at `at`. */
function pageChecksum(page: Uint8Array, at: number): number {
  const end = at + NO_CHECKSUM.length;
  return crc32(page.subarray(end), crc32(NO_CHECKSUM, crc32(page.subarray(0, at))));
}
