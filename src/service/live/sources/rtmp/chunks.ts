// Messages of RTMP, which are sent in chunks (Adobe, RTMP 1.0, 5.3). What a server announces is bounded, and messages of no use are passed
// over without keeping them.
import { errors } from "../../../../platform/errors.ts";
import { MESSAGE_BYTES, type SocketReader } from "../packets/socket-reader.ts";

export const MESSAGE = {
  ...{ setChunkSize: 1, abort: 2, acknowledgement: 3, userControl: 4, windowSize: 5, peerBandwidth: 6 },
  ...{ audio: 8, extendedData: 15, extendedCommand: 17, data: 18, command: 20, aggregate: 22 },
} as const;

/** Longest messages that are kept, by type. Others, such as video, are passed over. */
const KEPT: Readonly<Record<number, number>> = {
  ...{ 1: 16, 2: 16, 3: 16, 4: 64, 5: 16, 6: 16 },
  ...{ 8: 65_536, 15: 65_536, 17: 65_536, 18: 65_536, 20: 65_536, 22: 1_048_576 },
};
/** Of all messages that have arrived in part. */
const MOST_PENDING_BYTES = 4_194_304;
const MOST_CHUNK_STREAMS = 64;
const DEFAULT_CHUNK_BYTES = 128;
/** Servers use 128 to some megabytes; a message has at most 16 MiB. */
const MOST_CHUNK_BYTES = 16_777_215;
const EXTENDED = 0xffffff;
const HEADER_BYTES = [11, 7, 3, 0];

export interface Message {
  type: number;
  stream: number;
  /** Milliseconds, 32 bits. */
  timestamp: number;
  /** Empty for messages that were passed over. */
  bytes: Buffer;
}

interface ChunkStream {
  timestamp: number;
  /** Field of the last header, which chunks without a header repeat. */
  field: number;
  /** Whether the field follows the header in 32 bits. */
  isExtended: boolean;
  length: number;
  type: number;
  stream: number;
  pieces: Buffer[];
  /** Bytes of the current message that have arrived. */
  arrived: number;
}

const damaged = (what: string) => errors.liveSourceRefused(`its server sent damaged data: ${what}`);

export class Chunks {
  private readonly streams = new Map<number, ChunkStream>();
  private chunkBytes = DEFAULT_CHUNK_BYTES;
  private pendingBytes = 0;

  constructor(private readonly reader: SocketReader) {}

  /** The next complete message. @throws live.source_failed, live.source_refused: it is no RTMP */
  async next(): Promise<Message> {
    for (;;) {
      const message = await this.chunk();
      if (!message) continue;
      const { type, bytes } = message;
      if (type === MESSAGE.setChunkSize && bytes.length >= 4) {
        const size = bytes.readUInt32BE(0) & 0x7fffffff;
        if (size === 0) throw damaged("a chunk of no bytes");
        this.chunkBytes = Math.min(size, MOST_CHUNK_BYTES);
      } else if (type === MESSAGE.abort && bytes.length >= 4) {
        const stream = this.streams.get(bytes.readUInt32BE(0));
        if (stream) this.drop(stream);
      } else return message;
    }
  }

  private async chunk(): Promise<Message | undefined> {
    this.reader.owe(MESSAGE_BYTES);
    const first = (await this.reader.take(1))[0] as number;
    const format = first >> 6;
    const stream = this.streamOf(await this.streamId(first & 63), format);
    const header = await this.reader.take(HEADER_BYTES[format] as number);
    // A header begins a message; it ends one that the server left incomplete.
    if (format < 3) this.drop(stream);
    const isFirst = stream.arrived === 0;
    if (format < 3) stream.field = header.readUIntBE(0, 3);
    if (format < 2) {
      stream.length = header.readUIntBE(3, 3);
      stream.type = header[6] as number;
    }
    if (format === 0) stream.stream = header.readUInt32LE(7);
    await this.readExtended(stream, format);
    if (isFirst) stream.timestamp = (format === 0 ? stream.field : stream.timestamp + stream.field) >>> 0;
    return this.body(stream);
  }

  private async streamId(short: number): Promise<number> {
    if (short > 1) return short;
    const bytes = await this.reader.take(short + 1);
    return 64 + (bytes[0] as number) + 256 * (bytes[1] ?? 0);
  }

  private streamOf(id: number, format: number): ChunkStream {
    const known = this.streams.get(id);
    if (known) return known;
    if (format > 1) throw damaged("a chunk continues nothing");
    if (this.streams.size === MOST_CHUNK_STREAMS) throw damaged(`more than ${MOST_CHUNK_STREAMS} streams of chunks`);
    const created: ChunkStream = {
      ...{ timestamp: 0, field: 0, isExtended: false, length: 0, type: 0, stream: 0, pieces: [], arrived: 0 },
    };
    this.streams.set(id, created);
    return created;
  }

  private async readExtended(stream: ChunkStream, format: number): Promise<void> {
    if (format < 3) {
      stream.isExtended = stream.field === EXTENDED;
      if (stream.isExtended) stream.field = (await this.reader.take(4)).readUInt32BE(0);
    } else if (stream.isExtended) {
      // Most servers repeat the field in each chunk, and some do not.
      const next = await this.reader.peek(Math.min(4, this.chunkBytes));
      if (next.length === 4 && next.readUInt32BE(0) === stream.field) await this.reader.skip(4);
    }
  }

  private async body(stream: ChunkStream): Promise<Message | undefined> {
    const count = Math.min(stream.length - stream.arrived, this.chunkBytes);
    const isKept = stream.length <= (KEPT[stream.type] ?? 0);
    if (isKept) {
      this.pendingBytes += count;
      if (this.pendingBytes > MOST_PENDING_BYTES) throw damaged("too many messages at once");
      stream.pieces.push(Buffer.from(await this.reader.take(count)));
    } else await this.reader.skip(count);
    stream.arrived += count;
    if (stream.arrived < stream.length) return undefined;
    const bytes = Buffer.concat(stream.pieces);
    this.drop(stream);
    const { type, stream: id, timestamp } = stream;
    return { type, stream: id, timestamp, bytes };
  }

  private drop(stream: ChunkStream): void {
    for (const { length } of stream.pieces) this.pendingBytes -= length;
    stream.pieces = [];
    stream.arrived = 0;
  }
}

/** A message as a client sends it, in chunks of the standard size. */
export function messageBytes(chunkStream: number, { type, stream, bytes }: Omit<Message, "timestamp">): Buffer {
  const header = Buffer.alloc(12);
  header.writeUInt8(chunkStream, 0);
  header.writeUIntBE(bytes.length, 4, 3);
  header.writeUInt8(type, 7);
  header.writeUInt32LE(stream, 8);
  const pieces = [header, bytes.subarray(0, DEFAULT_CHUNK_BYTES)];
  for (let at = DEFAULT_CHUNK_BYTES; at < bytes.length; at += DEFAULT_CHUNK_BYTES)
    pieces.push(Buffer.of(0xc0 | chunkStream), bytes.subarray(at, at + DEFAULT_CHUNK_BYTES));
  return Buffer.concat(pieces);
}
