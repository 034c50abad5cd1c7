// Messages between this process and a child over a socket pair. Node's own channel between processes throws outside of any handler
// when it cannot read what the other side wrote, which ends the process that reads; here that closes the channel alone.
import type { Duplex } from "node:stream";
import v8 from "node:v8";

/** A frame is the length of its message, as an unsigned 32-bit number, and the message as V8 serialises it. */
const LENGTH_BYTES = 4;
/** The largest messages are 30 s of samples, 2 MB; a larger length means that the stream is corrupt. */
const MOST_MESSAGE_BYTES = 64 * 1024 * 1024;

/** Descriptor of the socket in a child. */
export const CHANNEL_DESCRIPTOR = 3;

export interface ChannelOptions {
  onMessage(message: unknown): void;
  /** The stream contained bytes that are no message. Nothing more is read. */
  onUnreadable(reason: string): void;
  /** A message could not be written: the other process is ending. */
  onBroken?(): void;
}

const LENGTH_PLACE = Buffer.alloc(LENGTH_BYTES);

/** @throws Error when the message cannot be serialised or is too long */
function frameOf(message: unknown): Buffer {
  const serializer = new v8.DefaultSerializer();
  serializer.writeRawBytes(LENGTH_PLACE);
  serializer.writeHeader();
  serializer.writeValue(message);
  const frame = serializer.releaseBuffer();
  const length = frame.length - LENGTH_BYTES;
  if (length > MOST_MESSAGE_BYTES) throw new Error(`the message has ${length} bytes`);
  frame.writeUInt32LE(length);
  return frame;
}

/** Extracts messages from frames whose bytes arrive in pieces of any size. */
class FrameReader {
  private chunks: Buffer[] = [];
  private bytes = 0;

  /** @returns the messages that are now complete @throws Error if the bytes are no frames */
  push(chunk: Buffer): unknown[] {
    this.chunks.push(chunk);
    this.bytes += chunk.length;
    const messages: unknown[] = [];
    for (let length = this.nextLength(); length !== undefined; length = this.nextLength()) {
      messages.push(v8.deserialize(this.take(LENGTH_BYTES + length).subarray(LENGTH_BYTES)));
    }
    return messages;
  }

  /** Length of the next message; undefined until all of it is there. */
  private nextLength(): number | undefined {
    if (this.bytes < LENGTH_BYTES) return undefined;
    const [first] = this.chunks as [Buffer];
    const head = first.length >= LENGTH_BYTES ? first : this.joined();
    const length = head.readUInt32LE(0);
    if (length > MOST_MESSAGE_BYTES) throw new Error(`a message of ${length} bytes`);
    return this.bytes >= LENGTH_BYTES + length ? length : undefined;
  }

  private joined(): Buffer {
    if (this.chunks.length > 1) this.chunks = [Buffer.concat(this.chunks, this.bytes)];
    return this.chunks[0] as Buffer;
  }

  private take(count: number): Buffer {
    const all = this.joined();
    this.bytes -= count;
    this.chunks = this.bytes > 0 ? [all.subarray(count)] : [];
    return all.subarray(0, count);
  }
}

/**
 * Reads messages from `socket` until it ends.
 * @returns sends a message; `onRefused` is called for a message that cannot be serialised
 */
export function openChannel(
  socket: Duplex,
  { onMessage, onUnreadable, onBroken }: ChannelOptions,
): (message: unknown, onRefused?: (error: Error) => void) => void {
  const reader = new FrameReader();
  socket.on("data", (chunk: Buffer) => {
    let messages: unknown[];
    try {
      messages = reader.push(chunk);
    } catch (thrown) {
      socket.destroy();
      onUnreadable((thrown as Error).message);
      return;
    }
    for (const message of messages) onMessage(message);
  });
  // The end of the other process is detected by its exit, or by the end of the socket.
  socket.on("error", () => undefined);
  return (message, onRefused) => {
    let frame: Buffer;
    try {
      frame = frameOf(message);
    } catch (thrown) {
      onRefused?.(thrown as Error);
      return;
    }
    // What is sent in one turn of the event loop leaves in one write.
    if (socket.writableCorked === 0) {
      socket.cork();
      process.nextTick(() => socket.uncork());
    }
    socket.write(frame, (error) => error && onBroken?.());
  };
}
