// Reads counted bytes and lines from a connection. The server is not trusted: what it sends is bounded by the caller, and its rate here.
import type { Socket } from "node:net";
import { errors } from "../../../../platform/errors.ts";
import { eventLoopTurn, sleep } from "../../../../platform/process/sleep.ts";

/** The reader takes BURST_BYTES without a delay, and BYTES_A_SECOND afterwards. A stream of video and audio has up to 5 MB a second. */
const BURST_BYTES = 33_554_432;
const BYTES_A_SECOND = 8_388_608;
/** Each reading counts as this many bytes more, so that a flood of short messages is slowed down, too. */
const READING_BYTES = 64;
/** After this many readings, the reader yields to other work of the service, even if further bytes have arrived. */
const READINGS_AT_ONCE = 200;
/** A message, or a piece of one, counts as this many bytes more than it has. A stream has up to 5,000 a second. */
export const MESSAGE_BYTES = 512;
/** An answer counts as this many bytes: writing it takes longer than reading its request. */
export const ANSWER_BYTES = 4_096;
/** Bytes that wait for a server that reads nothing; further answers are left out. */
const MOST_UNSENT_BYTES = 65_536;
/** Time in which the last bytes are sent. */
const FAREWELL_MILLISECONDS = 1_000;

export class SocketReader {
  private readonly incoming: AsyncIterator<Buffer>;
  private rest: Buffer = Buffer.alloc(0);
  private credit = BURST_BYTES;
  private creditedAt = performance.now();
  /** Since the reader last yielded to other work. */
  private readings = 0;
  /** Bytes of the server so far. */
  received = 0;

  constructor(
    private readonly socket: Socket,
    private readonly signal: AbortSignal,
  ) {
    this.incoming = (socket as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  }

  /** @throws live.source_failed: the connection ended */
  async take(count: number): Promise<Buffer> {
    const taken = await this.peek(count);
    this.rest = this.rest.subarray(count);
    return taken;
  }

  /** The next bytes, which the following call reads again. @throws live.source_failed */
  async peek(count: number): Promise<Buffer> {
    await this.spend(READING_BYTES);
    if (this.rest.length < count) {
      const pieces = [this.rest];
      let length = this.rest.length;
      while (length < count) {
        const piece = await this.next();
        pieces.push(piece);
        length += piece.length;
      }
      this.rest = Buffer.concat(pieces, length);
    }
    return this.rest.subarray(0, count);
  }

  /** Passes over bytes without keeping them. @throws live.source_failed */
  async skip(count: number): Promise<void> {
    await this.spend(READING_BYTES);
    let left = count;
    while (left > this.rest.length) {
      left -= this.rest.length;
      this.rest = await this.next();
    }
    this.rest = this.rest.subarray(left);
  }

  /** The next line, without its end. @param most  bytes @throws live.source_failed, live.source_refused: it is longer */
  async line(most: number): Promise<string> {
    await this.spend(READING_BYTES);
    const pieces: Buffer[] = [];
    for (let length = 0; ; ) {
      const end = this.rest.indexOf(0x0a);
      const piece = end < 0 ? this.rest : this.rest.subarray(0, end);
      pieces.push(piece);
      length += piece.length;
      if (length > most) throw errors.liveSourceRefused(`its server sent a line of more than ${most} bytes`);
      if (end >= 0) {
        this.rest = this.rest.subarray(end + 1);
        return Buffer.concat(pieces, length).toString("latin1").replace(/\r$/, "");
      }
      this.rest = await this.next();
    }
  }

  /** The next bytes, in the size in which they arrive. @returns undefined when the server has ended the connection @throws live.source_failed */
  async some(): Promise<Buffer | undefined> {
    const { rest } = this;
    this.rest = Buffer.alloc(0);
    return rest.length > 0 ? rest : this.arriving();
  }

  /** Counts work that a server causes beyond the reading of its bytes: the reader delays its next reading accordingly. */
  owe(bytes: number): void {
    this.credit -= bytes;
  }

  /** Sends an answer or a request. */
  send(bytes: Buffer): void {
    this.owe(ANSWER_BYTES);
    if (this.socket.writable && this.socket.writableLength < MOST_UNSENT_BYTES) this.socket.write(bytes);
  }

  private async next(): Promise<Buffer> {
    const piece = await this.arriving();
    if (!piece) throw errors.liveSourceFailed("its server ended the connection");
    return piece;
  }

  private async arriving(): Promise<Buffer | undefined> {
    const { done, value } = await this.incoming.next().catch((thrown: unknown) => {
      throw errors.liveSourceFailed("its server ended the connection", thrown);
    });
    if (done) return undefined;
    this.received += value.length;
    await this.spend(value.length);
    return value;
  }

  private async spend(bytes: number): Promise<void> {
    this.credit -= bytes;
    if (++this.readings >= READINGS_AT_ONCE) {
      this.readings = 0;
      await eventLoopTurn();
    }
    if (this.credit >= 0) return;
    const now = performance.now();
    this.credit = Math.min(BURST_BYTES, this.credit + ((now - this.creditedAt) / 1000) * BYTES_A_SECOND);
    this.creditedAt = now;
    if (this.credit < 0) await sleep((1000 * -this.credit) / BYTES_A_SECOND, this.signal);
  }
}

/** Ends a connection after some last bytes, which may stay unsent. */
export function endSocket(socket: Socket, farewell?: Buffer): void {
  if (farewell && socket.writable) socket.write(farewell);
  socket.destroySoon();
  setTimeout(() => socket.destroy(), FAREWELL_MILLISECONDS).unref();
}
