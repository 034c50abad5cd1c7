// One WebSocket of a live session. Reads nothing before the session is found or while the connection is paused, detects
// clients that disappeared, and ends soon after it is closed, whether the client cooperates or not.
import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import type { RawData, WebSocket } from "ws";
import { CloseFrameFinder } from "./close-frame.ts";
import { FrameTurns } from "./frame-turns.ts";

/**
 * Time that a client has to answer the close frame: of a refused connection, of a session that continues, and of a
 * completed session, whose last messages may still be in transit on a slow line.
 */
const REFUSED_MILLISECONDS = 1_000;
const CLOSING_MILLISECONDS = 2_000;
export const DONE_MILLISECONDS = 15_000;
const CHECK_MILLISECONDS = 5_000;
const CHECKS_PER_PING = 5;
/**
 * A frame that arrives at least this fast is a sign of life: the client cannot send a pong before it ends. 8 kB/s is
 * telephone audio in real time; the largest frame then takes at most 70 minutes.
 */
const SLOWEST_FRAME_BYTES_PER_SECOND = 8_000;
const NONCE_BYTES = 6;
/** RFC 6455, 7.4.1: the session is complete. */
const NORMAL_CLOSURE = 1000;

function bytesOf(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return data instanceof ArrayBuffer ? Buffer.from(data) : data;
}

/** RFC 6455, 5.5: the payload of a control frame is at most 125 bytes, two of them for the code. */
const MOST_REASON_BYTES = 123;

function closeReason(reason: string): string {
  if (Buffer.byteLength(reason) <= MOST_REASON_BYTES) return reason;
  let shown = reason.slice(0, MOST_REASON_BYTES);
  while (Buffer.byteLength(`${shown}…`) > MOST_REASON_BYTES) shown = shown.slice(0, -1);
  return `${shown}…`;
}

/** Numbered pings. A pong counts only if it repeats the number and the nonce; unsolicited pongs are ignored. */
class Pings {
  private readonly nonce = randomBytes(NONCE_BYTES).toString("base64url");
  private sent = 0;
  private answered = 0;
  private waiting: { mark: number; resolve: () => void; reject: (error: Error) => void }[] = [];

  constructor(private readonly socket: WebSocket) {
    socket.on("pong", (data) => this.take(data.toString("latin1")));
    socket.on("close", () => {
      for (const { reject } of this.waiting.splice(0)) reject(new Error("the connection is closed"));
    });
  }

  isUnanswered(mark: number): boolean {
    return mark > this.answered;
  }

  /** @returns the ping's number */
  send(): number {
    const mark = ++this.sent;
    this.socket.ping(`${mark}.${this.nonce}`);
    return mark;
  }

  /** Resolves when the client has answered a ping sent now; it has then received everything before it. */
  roundTrip(): Promise<void> {
    return new Promise((resolve, reject) => this.waiting.push({ mark: this.send(), resolve, reject }));
  }

  private take(payload: string): void {
    const [number = "", nonce] = payload.split(".");
    const mark = Number(number);
    if (nonce !== this.nonce || !(mark > this.answered && mark <= this.sent)) return;
    this.answered = mark;
    const reached = this.waiting.filter((waiter) => waiter.mark <= mark);
    this.waiting = this.waiting.filter((waiter) => waiter.mark > mark);
    for (const { resolve } of reached) resolve();
  }
}

export class LiveSocket {
  private readonly pings: Pings;
  private isReadingPaused = true;
  /** Undefined until it is opened. */
  private frames: FrameTurns | undefined;
  /** The server has sent its close frame: later frames are ignored. */
  private isClosing = false;
  private closedAs: number | undefined;
  private framesSinceCheck = 0;
  private bytesAtCheck = 0;
  private checks = 0;
  private lastPing = 0;
  private isFrameArriving = false;
  private hasFrameArrivedSincePing = false;
  private readonly timer: NodeJS.Timeout;

  /**
   * @param number  increases with every connection
   * @param socket  just upgraded; nothing was read from it
   */
  constructor(
    readonly number: number,
    private readonly socket: WebSocket,
    private readonly stream: Socket,
  ) {
    socket.pause();
    // The ws library has already answered protocol errors with a close frame.
    socket.on("error", () => undefined);
    socket.on("ping", () => this.framesSinceCheck++);
    socket.on("pong", () => this.framesSinceCheck++);
    this.pings = new Pings(socket);
    this.timer = setInterval(() => this.checkActivity(), CHECK_MILLISECONDS).unref();
    socket.on("close", (code) => {
      this.closedAs = code;
      clearInterval(this.timer);
    });
  }

  get isReceiving(): boolean {
    return this.isFrameArriving;
  }

  /**
   * Starts reading. @param onFrame  called for every frame until the connection is closed
   * @param onClosed  called once, even if the connection was closed before
   */
  open(onFrame: (bytes: Buffer, isBinary: boolean) => void, onClosed: (code: number) => void): void {
    if (this.closedAs !== undefined) {
      onClosed(this.closedAs);
      return;
    }
    const frames = new FrameTurns({
      onFrame: (bytes, isBinary) => {
        if (!this.isClosing) onFrame(bytes, isBinary);
      },
      onWaiting: () => this.applyPause(),
    });
    this.frames = frames;
    this.socket.on("message", (data, isBinary) => {
      this.framesSinceCheck++;
      if (!this.isClosing) frames.push(bytesOf(data), isBinary);
    });
    this.socket.on("close", (code) => frames.afterFrames(() => onClosed(code)));
    this.applyPause();
  }

  /** Calls `onClosed` when the connection is closed, at once if it already is. */
  whenClosed(onClosed: () => void): void {
    if (this.closedAs === undefined) this.socket.on("close", onClosed);
    else onClosed();
  }

  send(text: string): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.socket.readyState !== this.socket.OPEN) return reject(new Error("the connection is closed"));
      this.holdPackets();
      this.socket.send(text, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** What is sent in one turn of the event loop leaves in one packet. */
  private holdPackets(): void {
    if (this.stream.writableCorked > 0) return;
    this.stream.cork();
    process.nextTick(() => this.stream.uncork());
  }

  arrival(): Promise<void> {
    if (this.socket.readyState !== this.socket.OPEN) return Promise.reject(new Error("the connection is closed"));
    return this.pings.roundTrip();
  }

  close(code: number, reason: string): void {
    if (this.isClosing || this.socket.readyState !== this.socket.OPEN) return;
    this.isClosing = true;
    this.socket.close(code, closeReason(reason));
    const early = this.frames ? CLOSING_MILLISECONDS : REFUSED_MILLISECONDS;
    const timer = setTimeout(() => this.terminate(), code === NORMAL_CLOSURE ? DONE_MILLISECONDS : early);
    this.socket.on("close", () => clearTimeout(timer));
    if (!this.frames) this.discard();
    else this.applyPause();
  }

  pause(): void {
    this.isReadingPaused = true;
    this.applyPause();
  }

  resume(): void {
    this.isReadingPaused = false;
    this.applyPause();
  }

  private applyPause(): void {
    // The client's close frame must be read even if the connection was paused.
    if (!this.isClosing && (this.isReadingPaused || this.frames?.isWaiting)) {
      if (this.socket.readyState === this.socket.OPEN) this.socket.pause();
    } else if (this.frames) this.socket.resume();
  }

  terminate(): void {
    this.socket.terminate();
  }

  /** Discards incoming data of a connection that was closed before any frame was read. */
  private discard(): void {
    const finder = new CloseFrameFinder();
    this.stream.removeAllListeners("data");
    this.stream.on("data", (bytes: Buffer) => {
      if (finder.push(bytes)) this.terminate();
    });
    this.stream.resume();
  }

  private checkActivity(): void {
    const bytes = this.stream.bytesRead - this.bytesAtCheck;
    this.bytesAtCheck = this.stream.bytesRead;
    const leastBytes = (SLOWEST_FRAME_BYTES_PER_SECOND * CHECK_MILLISECONDS) / 1000;
    this.isFrameArriving = this.framesSinceCheck === 0 && bytes >= leastBytes;
    this.hasFrameArrivedSincePing ||= this.isFrameArriving;
    this.framesSinceCheck = 0;
    if (++this.checks % CHECKS_PER_PING === 0) this.ping();
  }

  /** Detects a client that disappeared by its missing pong. A paused connection cannot be read and is not checked. */
  private ping(): void {
    if (this.socket.readyState !== this.socket.OPEN || this.socket.isPaused) return;
    const isSilent = this.pings.isUnanswered(this.lastPing) && !this.hasFrameArrivedSincePing;
    if (isSilent) {
      this.terminate();
      return;
    }
    this.hasFrameArrivedSincePing = false;
    this.lastPing = this.pings.send();
  }
}
