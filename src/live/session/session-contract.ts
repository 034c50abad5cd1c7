// What a session needs from the outside, and what it is made from. Session, registry and socket meet here.
import type { Logger } from "pino";
import type { StreamFormat } from "../../audio/stream-format.ts";
import type { Analyst } from "../../intelligence/process/analyst.ts";
import type { SpeechPlan } from "../../models/speech-plan.ts";
import type { FreeSpace } from "../../storage/free-space.ts";
import type { ChannelServices } from "../channel/channel-contract.ts";
import type { LiveResult, MessageFlags } from "../connection/protocol.ts";
import type { SessionLog } from "../log/log-contract.ts";
import type { LiveCallbacks } from "./callbacks.ts";
import type { Receiver } from "./outbox.ts";

/** A WebSocket as the session sees it. */
export interface Connection extends Receiver {
  /** Of two connections the one that came later has the greater number. */
  readonly number: number;
  close(code: number, reason: string): void;
  /** Stop and go on reading from the client. */
  pause(): void;
  resume(): void;
}

export interface SessionParams {
  /** Which model hears which language. */
  plan: SpeechPlan;
  /** Model that writes other languages down in English, where there is one. */
  englishTranslator?: string;
  format: StreamFormat;
  endpointingSeconds: number;
  maximumSeconds: number;
  threshold: number;
  isEnhanced: boolean;
  flags: MessageFlags;
  /** The request's body after defaults. */
  request: Record<string, unknown>;
}

export interface SessionTimers {
  idleMilliseconds: number;
  graceMilliseconds: number;
  maximumMilliseconds: number;
}

export interface SessionServices extends ChannelServices {
  logger: Logger;
  timers: SessionTimers;
  analyst: Analyst;
  /** Where the session is told of by callbacks too. */
  callbacks?: LiveCallbacks;
  space: FreeSpace;
}

/** What remains of a session for its owner to store. */
export interface EndedSession {
  readonly log: SessionLog;
  readonly messages: readonly string[];
  /** Bytes that were received, a header included. */
  readonly totalBytes: number;
  readonly stored: { headerBytes: number; format: StreamFormat };
}

export interface SessionOwner {
  /** First connection. */
  started(id: string): Promise<void>;
  /** All is transcribed: store what remains of the session. */
  ended(id: string, result: LiveResult, session: EndedSession): Promise<void>;
  /** It cannot go on. */
  failed(id: string, error: unknown): Promise<void>;
}

/** Close codes: 44xx tell the client not to come back. */
export const CLOSE = {
  done: 1000,
  goingAway: 1001,
  internal: 1011,
  restart: 1012,
  badAudio: 4400,
  badToken: 4401,
  ended: 4403,
  idle: 4408,
  replaced: 4409,
  overLimit: 4429,
} as const;
