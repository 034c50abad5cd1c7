// The live session of this page.
import { type Signal, signal } from "@preact/signals";
import { type ConnectionState, LiveConnection, type Socket } from "../../../src/contract/client/live-connection.ts";
import { base } from "../address.ts";
import { send } from "../api.ts";
import type { CreatedSession, ServerMessage, Utterance } from "../shapes.ts";

export interface SessionEvents {
  onTranscript(id: string, isFinal: boolean, utterance: Utterance): void;
  onMessage(message: ServerMessage): void;
  onEnded(problem: string | undefined): void;
}

export class LiveSession {
  readonly connection: Signal<ConnectionState> = signal("connecting");
  /** Number of reconnections. */
  readonly repairs = signal(0);
  private readonly live: LiveConnection;

  private constructor(
    readonly id: string,
    address: string,
    events: SessionEvents,
  ) {
    this.live = new LiveConnection(() => new WebSocket(address) as Socket, {
      onState: (state) => {
        if (this.connection.peek() === "broken" && state !== "ended") this.repairs.value++;
        this.connection.value = state;
      },
      onMessage: (message) => {
        if (message.type === "transcript") {
          const { id, is_final, utterance } = message.data;
          events.onTranscript(id, is_final, utterance);
        }
        events.onMessage(message);
      },
      onEnded: events.onEnded,
    });
  }

  /** @throws ApiError */
  static async create(body: object, events: SessionEvents): Promise<LiveSession> {
    const { id, url } = await send<CreatedSession>("POST", "/v2/live", body);
    // Uses the host and prefix of this page: a proxy may have changed those of the returned URL.
    return new LiveSession(id, `${base.replace(/^http/, "ws")}/v2/live${new URL(url).search}`, events);
  }

  sendAudio(samples: Int16Array): void {
    const { buffer, byteOffset, byteLength } = samples;
    this.live.sendAudio(new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength));
  }

  /** Ends the audio; the last finals still arrive. */
  stop(): void {
    this.live.stop();
  }
}
