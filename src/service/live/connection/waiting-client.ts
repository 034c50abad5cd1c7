// The client of a connection until its session is found: frames are read one at a time, and none before the conversation
// requests one.
import type { Frame, WaitingClient } from "../dialects/dialect.ts";
import type { LiveSocket } from "./live-socket.ts";

/** A connection that has no session after this time is closed, even if the client sends messages. */
const MOST_WAITING_MILLISECONDS = 3_600_000;

export class SocketClient implements WaitingClient {
  private readonly until = performance.now() + MOST_WAITING_MILLISECONDS;
  private isOpened = false;
  private readonly waiting: Frame[] = [];
  private closedAs: number | undefined;
  private notify: (() => void) | undefined;
  private target: { onFrame: (frame: Frame) => void; onClosed: (code: number) => void } | undefined;

  /** @param idleMilliseconds  longest time without a frame */
  constructor(
    private readonly socket: LiveSocket,
    private readonly idleMilliseconds: number,
  ) {}

  async send(texts: readonly string[]): Promise<void> {
    // `next` reports that the client has left.
    for (const text of texts) await this.socket.send(text).catch(() => undefined);
  }

  async next(milliseconds = this.idleMilliseconds): Promise<Frame | "left" | "idle"> {
    this.open();
    const known = this.waiting.shift();
    if (known) return known;
    if (this.closedAs !== undefined) return "left";
    if (performance.now() > this.until) return "idle";
    let timer: NodeJS.Timeout | undefined;
    // A frame that is still arriving counts as activity.
    await new Promise<void>((resolve) => {
      const expire = () => {
        if (!this.socket.isReceiving) return resolve();
        timer = setTimeout(expire, milliseconds).unref();
      };
      timer = setTimeout(expire, milliseconds).unref();
      this.notify = resolve;
      this.socket.resume();
    });
    clearTimeout(timer);
    this.notify = undefined;
    this.socket.pause();
    return this.waiting.shift() ?? (this.closedAs === undefined ? "idle" : "left");
  }

  /** Hands the connection to its session, with the frames that arrived meanwhile. */
  handOver(onFrame: (frame: Frame) => void, onClosed: (code: number) => void): void {
    this.target = { onFrame, onClosed };
    for (const frame of this.waiting.splice(0)) onFrame(frame);
    if (this.closedAs !== undefined) onClosed(this.closedAs);
    else this.open();
  }

  private open(): void {
    if (this.isOpened) return;
    this.isOpened = true;
    this.socket.open(
      (bytes, isBinary) => {
        const frame = { bytes, isBinary };
        if (this.target) this.target.onFrame(frame);
        else this.waiting.push(frame);
        this.notify?.();
      },
      (code) => {
        this.closedAs = code;
        this.target?.onClosed(code);
        this.notify?.();
      },
    );
  }
}
