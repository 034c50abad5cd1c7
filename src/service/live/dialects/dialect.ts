// A dialect: a protocol in which clients use live sessions. It maps frames to commands and events to messages.
import type { IncomingHttpHeaders } from "node:http";
import type { ClientRules } from "../../../contract/job-parameters.ts";
import type { LiveBody } from "../../../contract/live.ts";
import { errors } from "../../../platform/errors.ts";
import type { RawAnswer } from "../../../platform/net/raw-answer.ts";
import type { Account } from "../../../platform/storage/db/accounts/accounts.ts";
import type { ClientCommand, Departure } from "../events/client-command.ts";
import type { Closing } from "../events/closing.ts";
import type { EmittedEvent, LastEvent } from "../events/live-event.ts";

/** The request that opens a connection. */
export interface Opening {
  /** Without the prefix of a reverse proxy. */
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  /** When the client connected, milliseconds. */
  at: number;
}

/** @property reason  longer reasons than a close frame holds are cut */
export interface CloseFrame {
  code: number;
  reason: string;
}

export interface Dialect {
  readonly name: string;
  /** Subprotocols of the answer, where the client offers one of them; without such a list, the first offer is accepted. */
  readonly subprotocols?: readonly string[];
  /** A longer message closes the connection with 1009; 32 MiB without it. */
  readonly mostMessageBytes?: number;
  /** Whether a WebSocket of this path uses the dialect. Paths of different dialects must not overlap. */
  accepts(path: string): boolean;
  /** Never throws. */
  open(opening: Opening): Conversation;
}

/** The account for which a connection creates its session. */
export interface Owner {
  account: Account;
  /** Of the key in the database; null for another one. */
  keyId: string | null;
  /** Of a client secret: how its sessions are configured unless the client says otherwise. */
  configuration?: unknown;
}

/** Configuration of a client secret for AssemblyAI's interface: it opens sessions of that interface alone. */
interface StreamingToken {
  assemblyai: { mostSeconds?: number };
}

export const streamingToken = (mostSeconds: number | undefined): StreamingToken => ({
  assemblyai: mostSeconds === undefined ? {} : { mostSeconds },
});

/** Configuration of a client secret for Deepgram's live interfaces. */
export const LISTEN_TOKEN = { deepgram: true } as const;

/** @returns undefined for the configuration of another interface */
export const streamingTokenOf = (configuration: unknown): StreamingToken["assemblyai"] | undefined =>
  (configuration as Partial<StreamingToken> | null | undefined)?.assemblyai;

export type SecretInterface = "openai" | "deepgram" | "assemblyai";

/** The interface whose sessions a key opens: that of a client secret alone. @returns undefined for an account key, which opens all */
export function interfaceOf({ configuration }: Pick<Owner, "configuration">): SecretInterface | undefined {
  if (configuration === undefined) return undefined;
  if (streamingTokenOf(configuration)) return "assemblyai";
  return (configuration as Partial<typeof LISTEN_TOKEN> | null)?.deepgram === true ? "deepgram" : "openai";
}

/** @throws account.key_unknown for a client secret of another interface */
export function checkInterface(owner: Owner, wanted: SecretInterface): void {
  if ((interfaceOf(owner) ?? wanted) !== wanted) throw errors.keyUnknown();
}

export interface WantedSession {
  owner: Owner;
  body: LiveBody & { model: string };
  /** Parts of the request without effect, a sentence each. */
  warnings: readonly string[];
  /** What differs from clients of POST /v2/live. */
  client?: ClientRules;
}

/** Events that sessions of other companies' interfaces emit to their connections; each interface adds those that it differs in. */
export const OTHER_INTERFACE_EVENTS = {
  receive_final_transcripts: true,
  receive_speech_events: true,
  receive_pre_processing_events: false,
  receive_realtime_processing_events: false,
  receive_post_processing_events: false,
  receive_acknowledgments: true,
  receive_errors: true,
} satisfies LiveBody["messages_config"];

/** How those sessions detect speech, unless the interface has a parameter for it. */
export const OTHER_INTERFACE_DETECTION = {
  audio_enhancer: false,
  speech_threshold: 0.6,
} satisfies LiveBody["pre_processing"];

/** @property found  the session, or why there is none */
export interface CreatedSession<Found> {
  id: string;
  found: Found;
}

/** @property params  the stored parameters of its request */
export interface ResumedSession<Found> {
  found: Found;
  params: Readonly<Record<string, unknown>>;
}

/** @property params  undefined if the token is unknown */
export interface TokenSession<Found> {
  found: Found;
  params: Readonly<Record<string, unknown>> | undefined;
}

/** What signatures are compared with. */
export interface SignedAddress {
  /** Auth tokens of the accounts at Twilio. */
  tokens: readonly string[];
  /** As the client requested it, without its scheme: host, path and query. */
  address: string;
}

/** Where a conversation finds its session. */
export interface Sessions<Found> {
  /** PARLANCE_STRICT_REQUESTS: parameters without effect are refused. */
  readonly isStrict: boolean;
  /** PARLANCE_LIVE_MAX_SECONDS: the session ends after it. */
  readonly longestSeconds: number;
  /** PARLANCE_LIVE_IDLE_SECONDS: a session without audio or a message ends after it. */
  readonly idleSeconds: number;
  /** What signatures of Twilio are compared with; undefined where none is required. */
  readonly signed: SignedAddress | undefined;
  /** @param at  when the client connected, milliseconds */
  byToken(token: string, at: number): Promise<Found>;
  /** Whether it is the token of a session, also of one that has ended. */
  isToken(token: string): Promise<boolean>;
  /** The same as `byToken`, with the stored parameters of the session's request. */
  withToken(token: string, at: number): Promise<TokenSession<Found>>;
  /**
   * Judges a request as POST /v2/live does.
   * @returns it with defaults, and a sentence for each field without effect
   * @throws request.invalid naming every bad field
   */
  judge(given: Record<string, unknown>): { body: LiveBody & { model: string }; warnings: string[] };
  /**
   * @param key  account key or client secret; undefined if the client sent none
   * @throws account.key_missing, account.key_unknown, account.too_many_guesses, request.foreign_host, request.other_page
   */
  authenticate(key: string | undefined): Promise<Owner>;
  /** The model that a client of another company's interface names. @throws models.unknown */
  modelNamed(name: string, of: "openai" | "deepgram" | "assemblyai"): Promise<string>;
  /** @throws what `SessionCreation.create` throws */
  create(wanted: WantedSession, at: number): Promise<CreatedSession<Found>>;
  /** A session of the account, for a client that reconnects. @throws request.not_found */
  resume(owner: Owner, id: string, at: number): Promise<ResumedSession<Found>>;
}

export interface Frame {
  bytes: Buffer;
  isBinary: boolean;
}

/** The client of a conversation that has no session yet. */
export interface WaitingClient {
  /** Resolves when the texts are handed to the network. */
  send(texts: readonly string[]): Promise<void>;
  /**
   * Next frame. `idle`: none came in time.
   * @param milliseconds  longest wait; by default, the longest time that a session may be idle
   */
  next(milliseconds?: number): Promise<Frame | "left" | "idle">;
}

/** What a conversation found, or why there is no session. */
export type Finding<Found> = { found: Found } | { closing: Closing } | "left";

/** Of dialects whose clients expect a refusal as an answer of HTTP: the session is found before the upgrade, without a client. */
export interface Handshake {
  /** Headers of the answer that upgrades the connection. */
  headers(): Readonly<Record<string, string>>;
  refusal(closing: Closing): RawAnswer;
  /** Whether the session that was found ends if the connection cannot be upgraded: it was created for this connection. */
  endsWithoutUpgrade(): boolean;
}

/** One connection in a dialect. May keep state of the connection; state of the session would be lost with it. */
export interface Conversation {
  readonly handshake?: Handshake;
  /** Whether the client receives every persisted event of the session, not only those that may not have arrived. */
  readonly receivesAll?: boolean;
  /**
   * Before the upgrade: judges the key or the token of the request. Absent in dialects that read no message before they judge them.
   * @returns whether the client is authenticated; otherwise its first message may do that
   * @throws what `Sessions.authenticate` throws; live.upgrade_refused for an unknown token
   */
  authenticate?<Found>(sessions: Sessions<Found>): Promise<boolean>;
  /** Of those that the dialect prints; read when the session ends. Before `sessionEnded`, the client does not wait for the result. */
  readonly lastEvent: LastEvent;
  /** Authenticates the client and finds its session. */
  findSession<Found>(sessions: Sessions<Found>, client: WaitingClient): Promise<Finding<Found>>;
  /** Commands that were received before the session was found; processed before the next frame. */
  readonly openingCommands: readonly ClientCommand[];
  /** Commands of audio that is held back, when the client has closed the connection. Absent in dialects that hold none back. */
  rest?(): ClientCommand[];
  /** Never throws; frames that cannot be read become commands of the kind `unreadable`, or `answer` with an error of the dialect. */
  commandsOf(frame: Buffer, isBinary: boolean): ClientCommand[];
  /** Text frames of an event, in order; none if the dialect has no message for it. */
  print(emitted: EmittedEvent): string[];
  /** Resolves when no frame of a printed event is held back. Absent in dialects that hold none back. */
  released?(): Promise<void>;
  /** Text frames that precede the close frame. */
  farewell(closing: Closing): string[];
  closeFrame(closing: Closing): CloseFrame;
  /** @param closeCode  of the client; 1006 if the connection broke */
  departureOf(closeCode: number): Departure;
}
