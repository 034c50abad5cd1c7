// The live session of this page. Its token and the audio that the service has not acknowledged are kept in this browser, so that this page or
// another one can continue it.
import { type Signal, signal } from "@preact/signals";
import { type ConnectionState, LiveConnection, type Socket } from "../../../src/contract/client/live-connection.ts";
import { accountName } from "../account.ts";
import { base } from "../address.ts";
import { send } from "../api.ts";
import { page } from "../open-pages.ts";
import type { CreatedSession, ServerMessage, Utterance } from "../shapes.ts";
import { LiveAudioStore } from "../upload-store.ts";
import { Reconnections } from "./reconnections.ts";
import { forgetSession, type StoredSession, storeSession, whenContinuedElsewhere } from "./stored-sessions.ts";

/** A message of the session, for its list of events. */
export interface SessionEvent {
  /** Of the audio, as it is shown. */
  time: string;
  type: string;
  problem: string | undefined;
}

export interface SessionEvents {
  onTranscript(id: string, isFinal: boolean, utterance: Utterance): void;
  onMessage(message: ServerMessage): void;
  /** @param isReplaced  another page continues the session */
  onEnded(problem: string | undefined, isReplaced: boolean): void;
}

const STORE_MILLISECONDS = 1_000;

export class LiveSession {
  readonly connection: Signal<ConnectionState> = signal("connecting");
  /** Audio of an earlier page that this one has sent, bytes. */
  resentBytes = 0;
  /** Number of reconnections. */
  readonly repairs = signal(0);
  private readonly live: LiveConnection;
  private readonly timer: ReturnType<typeof setInterval>;
  private readonly stopListening: () => void;
  private readonly reconnections = new Reconnections();
  /** The connection of a page that continues a session receives all messages so far. */
  private mustReplay: boolean;

  private constructor(
    public stored: StoredSession,
    private readonly audio: LiveAudioStore,
    events: SessionEvents,
    isRejoined: boolean,
  ) {
    this.mustReplay = isRejoined;
    // Uses the host and prefix of this page: a proxy may have changed those of the returned URL.
    const address = `${base.replace(/^http/, "ws")}/v2/live?token=${encodeURIComponent(stored.token)}`;
    this.live = new LiveConnection(
      () => new WebSocket(this.mustReplay ? `${address}&replay=true` : address) as Socket,
      {
        onState: (state) => {
          this.reconnections.add(state);
          this.repairs.value = this.reconnections.count;
          this.connection.value = state;
        },
        onMessage: (message) => {
          if (message.type === "audio_chunk" && message.acknowledged) this.mustReplay = false;
          if (message.type === "transcript") {
            const { id, is_final, utterance } = message.data;
            events.onTranscript(id, is_final, utterance);
          }
          events.onMessage(message);
        },
        onEnded: (problem, isReplaced) => {
          this.release();
          if (isReplaced) void this.audio.keep([]);
          else this.forget();
          events.onEnded(problem, isReplaced);
        },
      },
      isRejoined,
    );
    this.timer = setInterval(() => void this.audio.keep(this.live.overdue()), STORE_MILLISECONDS);
    addEventListener("pagehide", this.keepAll);
    // A further connection of this page would replace that of the other one.
    this.stopListening = whenContinuedElsewhere(stored.id, () => this.live.leave());
  }

  get id(): string {
    return this.stored.id;
  }

  /** @throws ApiError */
  static async create(body: { sample_rate: number }, events: SessionEvents): Promise<LiveSession> {
    const account = accountName() ?? "";
    const { id, url, captions } = await send<CreatedSession>("POST", "/v2/live", body);
    const tokenOf = (address: string) => new URL(address).searchParams.get("token") ?? "";
    const token = tokenOf(url);
    const viewers = captions ? { viewerToken: tokenOf(captions.events) } : {};
    const { sample_rate: sampleRate } = body;
    const stored = { id, account, token, ...viewers, sampleRate, at: Date.now(), page };
    storeSession(stored);
    return new LiveSession(stored, new LiveAudioStore(id), events, false);
  }

  /** Continues a session that this or another page of this browser has begun. */
  static async rejoin(former: StoredSession, events: SessionEvents): Promise<LiveSession> {
    const stored = { ...former, page };
    const audio = new LiveAudioStore(stored.id);
    // First: the page that is replaced removes what is left of its audio.
    const pieces = await audio.take(former.page);
    storeSession(stored);
    const session = new LiveSession(stored, audio, events, true);
    // Before any other audio: the service finds its place.
    for (const bytes of pieces) session.live.sendAudio(bytes);
    session.resentBytes = pieces.reduce((sum, { length }) => sum + length, 0);
    // The next call returns these pieces, which are stored already, so that they stay stored until they are acknowledged.
    session.live.overdue();
    return session;
  }

  sendAudio(samples: Int16Array): void {
    const { buffer, byteOffset, byteLength } = samples;
    this.live.sendAudio(new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength));
  }

  /** Keeps a session without audio from ending. */
  keepAlive(): void {
    this.live.keepAlive();
  }

  /** Remembers whether the session is paused, for the page that continues it. */
  storePause(isPaused: boolean): void {
    this.stored = { ...this.stored, isPaused };
    storeSession(this.stored);
  }

  /** Ends the audio; the last finals still arrive. */
  stop(): void {
    this.live.stop();
  }

  private readonly keepAll = () => void this.audio.keep(this.live.pending);

  private release(): void {
    clearInterval(this.timer);
    removeEventListener("pagehide", this.keepAll);
    this.stopListening();
  }

  private forget(): void {
    forgetSession(this.id);
    void this.audio.remove();
  }
}
