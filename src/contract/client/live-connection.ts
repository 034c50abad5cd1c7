// The client's end of a live session, over as many connections as it takes: what was not acknowledged is kept and sent
// again, so that a lost connection costs nothing but time. Pure, without anything of Node: the console uses it, too.

import { CLOSE, isFinalClose } from "../close-codes.ts";
import type { ServerMessage } from "../live-messages.ts";

/** What of a WebSocket is used; browsers have it, and undici. */
export interface Socket {
  binaryType: string;
  readonly readyState: number;
  send(data: Uint8Array<ArrayBuffer> | string): void;
  close(code?: number): void;
  onopen: ((event: never) => unknown) | null;
  onmessage: ((event: never) => unknown) | null;
  onclose: ((event: never) => unknown) | null;
  onerror: ((event: never) => unknown) | null;
}

export type ConnectionState = "connecting" | "open" | "broken" | "finishing" | "ended";

export interface LiveConnectionEvents {
  onState(state: ConnectionState): void;
  onMessage(message: ServerMessage): void;
  /** @param problem  missing where the session ended as it should @param isReplaced  another connection continues the session */
  onEnded(problem: string | undefined, isReplaced: boolean): void;
}

const OPEN = 1;
const FIRST_PAUSE_MILLISECONDS = 300;
const LONGEST_PAUSE_MILLISECONDS = 5_000;

export interface Piece {
  /** Position of the first byte, from the first one of this client. */
  start: number;
  bytes: Uint8Array<ArrayBuffer>;
}

export class LiveConnection {
  private socket: Socket | undefined;
  /** What was not acknowledged, in order. */
  private unacknowledged: Piece[] = [];
  /** Position of the first piece of this client in the session; undefined until the first acknowledgment of a joined session. */
  private origin: number | undefined;
  private overdueBelow = 0;
  private total = 0;
  private pause = FIRST_PAUSE_MILLISECONDS;
  private isStopping = false;
  private hasEnded = false;

  /**
   * @param open      makes a socket to the session's address
   * @param isJoined  whether another client has sent audio of this session before
   */
  constructor(
    private readonly open: () => Socket,
    private readonly events: LiveConnectionEvents,
    isJoined = false,
  ) {
    this.origin = isJoined ? undefined : 0;
    this.connect();
  }

  /** What was not acknowledged, in order. */
  get pending(): readonly Piece[] {
    return this.unacknowledged;
  }

  /** What was not acknowledged since the last call. */
  overdue(): readonly Piece[] {
    const pieces = this.unacknowledged.filter(({ start }) => start < this.overdueBelow);
    this.overdueBelow = this.total;
    return pieces;
  }

  /** Resets the service's timer for clients that send nothing. */
  keepAlive(): void {
    if (!this.isStopping && this.socket?.readyState === OPEN) this.socket.send(new Uint8Array());
  }

  /** @param bytes  audio in the session's encoding, split anywhere */
  sendAudio(bytes: Uint8Array<ArrayBuffer>): void {
    if (this.isStopping || bytes.length === 0) return;
    this.unacknowledged.push({ start: this.total, bytes });
    this.total += bytes.length;
    if (this.socket?.readyState === OPEN) this.socket.send(bytes);
  }

  /** No more audio; the last finals still come. */
  stop(): void {
    if (this.isStopping) return;
    this.isStopping = true;
    this.events.onState("finishing");
    this.sendStop();
  }

  /** Another client continues the session: this one makes no further connection. */
  leave(): void {
    if (this.hasEnded) return;
    this.end(undefined, true);
    this.socket?.close();
  }

  private sendStop(): void {
    if (this.socket?.readyState === OPEN) this.socket.send(JSON.stringify({ type: "stop_recording" }));
  }

  private connect(): void {
    if (this.hasEnded) return;
    const socket = this.open();
    this.socket = socket;
    socket.onopen = () => {
      this.pause = FIRST_PAUSE_MILLISECONDS;
      this.events.onState(this.isStopping ? "finishing" : "open");
      for (const { bytes } of this.unacknowledged) socket.send(bytes);
      if (this.isStopping) this.sendStop();
    };
    socket.onmessage = ({ data }: { data: unknown }) => this.receive(JSON.parse(String(data)) as ServerMessage);
    socket.onclose = ({ code, reason }: { code: number; reason: string }) => this.closed(code, reason);
    // A close follows.
    socket.onerror = () => undefined;
  }

  private receive(message: ServerMessage): void {
    if (message.type === "audio_chunk" && message.acknowledged) {
      const [from, end] = message.data?.byte_range ?? [0, 0];
      // Of an empty piece: it says nothing about the others.
      const [first] = from < end ? this.unacknowledged : [];
      if (first) this.origin ??= from - first.start;
      const { origin } = this;
      if (origin !== undefined)
        this.unacknowledged = this.unacknowledged.filter(({ start, bytes }) => origin + start + bytes.length > end);
    }
    this.events.onMessage(message);
  }

  private closed(code: number, reason: string): void {
    if (this.hasEnded) return;
    if (isFinalClose(code)) {
      const problem = code === CLOSE.done ? undefined : reason || `The service ended the session (${code})`;
      this.end(problem, code === CLOSE.replaced);
      return;
    }
    this.events.onState("broken");
    setTimeout(() => this.connect(), this.pause);
    this.pause = Math.min(LONGEST_PAUSE_MILLISECONDS, this.pause * 2);
  }

  private end(problem: string | undefined, isReplaced: boolean): void {
    this.hasEnded = true;
    this.events.onState("ended");
    this.events.onEnded(problem, isReplaced);
  }
}
