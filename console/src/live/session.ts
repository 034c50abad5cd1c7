// A live session as the interface has it: audio out, messages in, over as many connections as it takes. What was not
// acknowledged is kept and sent again, so that a lost connection costs nothing but time.
import { type Signal, signal } from "@preact/signals";
import { send } from "../api.ts";
import type { Utterance } from "../shapes.ts";

export interface LiveMessage {
  type: string;
  acknowledged?: boolean;
  error?: { message: string } | null;
  data?: Record<string, unknown> | null;
}

export type Connection = "connecting" | "open" | "broken" | "finishing" | "ended";

export interface SessionEvents {
  onTranscript(id: string, isFinal: boolean, utterance: Utterance): void;
  onMessage(message: LiveMessage): void;
  onEnded(problem: string | undefined): void;
}

const FIRST_PAUSE_MILLISECONDS = 300;
const LONGEST_PAUSE_MILLISECONDS = 5_000;
/** Close codes after which there is nothing to come back to. */
const FINAL_CODES = new Set([1000, 1009, 4400, 4401, 4403, 4408, 4409, 4429]);

export class LiveSession {
  readonly connection: Signal<Connection> = signal("connecting");
  /** Times that the connection broke and was made again. */
  readonly repairs = signal(0);
  private socket: WebSocket | undefined;
  /** What was not acknowledged, in order. */
  private unacknowledged: { start: number; bytes: Uint8Array<ArrayBuffer> }[] = [];
  private total = 0;
  private pause = FIRST_PAUSE_MILLISECONDS;
  private isStopping = false;
  private hasEnded = false;

  private constructor(
    readonly id: string,
    private readonly address: string,
    private readonly events: SessionEvents,
  ) {
    this.connect();
  }

  /** @throws ApiError */
  static async create(body: object, events: SessionEvents): Promise<LiveSession> {
    const { id, url } = await send<{ id: string; url: string }>("POST", "/v2/live", body);
    // The page's own way to the service, whatever a proxy made of the host.
    const { pathname, search } = new URL(url);
    const { protocol, host } = location;
    return new LiveSession(id, `${protocol === "https:" ? "wss" : "ws"}://${host}${pathname}${search}`, events);
  }

  sendAudio(samples: Int16Array): void {
    if (this.isStopping) return;
    const bytes = new Uint8Array(samples.buffer.slice(0) as ArrayBuffer, samples.byteOffset, samples.byteLength);
    this.unacknowledged.push({ start: this.total, bytes });
    this.total += bytes.length;
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(bytes);
  }

  /** No more audio; the last finals still come. */
  stop(): void {
    if (this.isStopping) return;
    this.isStopping = true;
    this.connection.value = "finishing";
    this.sendStop();
  }

  /** Breaks the connection, as a network does. It heals by itself. */
  breakOff(): void {
    this.socket?.close(4000);
  }

  private sendStop(): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ type: "stop_recording" }));
  }

  private connect(): void {
    const socket = new WebSocket(this.address);
    this.socket = socket;
    socket.onopen = () => {
      this.pause = FIRST_PAUSE_MILLISECONDS;
      this.connection.value = this.isStopping ? "finishing" : "open";
      for (const { bytes } of this.unacknowledged) socket.send(bytes);
      if (this.isStopping) this.sendStop();
    };
    socket.onmessage = ({ data }) => this.receive(JSON.parse(String(data)) as LiveMessage);
    socket.onclose = ({ code, reason }) => this.closed(code, reason);
  }

  private receive(message: LiveMessage): void {
    const data = message.data ?? {};
    if (message.type === "audio_chunk" && message.acknowledged) {
      const [, end = 0] = (data["byte_range"] as number[] | undefined) ?? [];
      this.unacknowledged = this.unacknowledged.filter(({ start, bytes }) => start + bytes.length > end);
    }
    if (message.type === "transcript") {
      this.events.onTranscript(String(data["id"]), data["is_final"] === true, data["utterance"] as Utterance);
    }
    this.events.onMessage(message);
  }

  private closed(code: number, reason: string): void {
    if (this.hasEnded) return;
    if (FINAL_CODES.has(code)) {
      this.hasEnded = true;
      this.connection.value = "ended";
      this.events.onEnded(code === 1000 ? undefined : reason || `The service ended the session (${code}).`);
      return;
    }
    this.connection.value = "broken";
    setTimeout(() => {
      this.repairs.value++;
      this.connect();
    }, this.pause);
    this.pause = Math.min(LONGEST_PAUSE_MILLISECONDS, this.pause * 2);
  }
}
