// A dialect: a protocol in which clients use live sessions. It maps frames to commands and events to messages.
import type { IncomingHttpHeaders } from "node:http";
import type { ClientCommand, Departure } from "../events/client-command.ts";
import type { Closing } from "../events/closing.ts";
import type { EmittedEvent } from "../events/live-event.ts";

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
  /** Whether a WebSocket of this path uses the dialect. Paths of different dialects must not overlap. */
  accepts(path: string): boolean;
  /** Never throws. */
  open(opening: Opening): Conversation;
}

/** The sessions among which a dialect finds its own. */
export interface SessionsByToken<Found> {
  /** @param at  when the client connected, milliseconds */
  byToken(token: string, at: number): Promise<Found>;
}

/** One connection in a dialect. May keep state of the connection; state of the session would be lost with it. */
export interface Conversation {
  /** Authenticates the client and finds its session. */
  findSession<Found>(sessions: SessionsByToken<Found>): Promise<Found>;
  /** Commands that the opening request contains; processed before the first frame. */
  readonly openingCommands: readonly ClientCommand[];
  /** Never throws; frames that cannot be read become commands of the kind `unreadable`. */
  commandsOf(frame: Buffer, isBinary: boolean): ClientCommand[];
  /** Text frames of an event, in order; none if the dialect has no message for it. */
  print(emitted: EmittedEvent): string[];
  closeFrame(closing: Closing): CloseFrame;
  /** @param closeCode  of the client; 1006 if the connection broke */
  departureOf(closeCode: number): Departure;
}
