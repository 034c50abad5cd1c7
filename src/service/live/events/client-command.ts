// Commands of a client, which dialects read from its frames.
import type { LiveChange } from "../../../contract/live-change.ts";
import type { LiveErrorCode } from "./live-event.ts";

export type ClientCommand =
  /**
   * `unknownFields`: dotted paths of fields that the message does not have; absent if there are none. `continues`: the bytes follow the
   * stored audio; otherwise the first bytes of a connection may repeat its end.
   */
  | { kind: "audio"; bytes: Buffer; unknownFields?: string[]; continues?: true }
  | { kind: "stop"; unknownFields?: string[] }
  /** The utterance ends with the audio sent so far; later audio starts a new one. */
  | { kind: "finalize"; unknownFields?: string[] }
  /**
   * Settings of the audio that follows; judged already. A function is called when earlier commands are processed and their messages sent,
   * so that it can depend on the settings in force. If it returns undefined, nothing changes.
   */
  | { kind: "configure"; change: LiveChange | (() => LiveChange | undefined); unknownFields?: string[] }
  /**
   * Messages of the dialect itself. `print` is called when earlier commands are processed and their messages sent. `bytes`: of the frame.
   */
  | { kind: "answer"; bytes: number; print: (reached: Reached) => string[] }
  /** The stream is unreadable, as the dialect found; the session ends. */
  | { kind: "refuse"; reason: string }
  /** Any other frame; the client is sent the reason. `isKept`: the result has it among its warnings, once. `code`: invalid_message without it. */
  | { kind: "unreadable"; reason: string; isChunk: boolean; isKept?: true; code?: LiveErrorCode };

/** A warning about what the client sent, for the result of the session. */
export const keptWarning = (reason: string) =>
  ({ kind: "unreadable", reason, isChunk: false, isKept: true }) as const satisfies ClientCommand;

/** How far the audio of the earlier commands reaches. */
export interface Reached {
  /** Received bytes, with headers. */
  bytes: number;
  seconds: number;
  /** Voice activity was detected up to here, and what it found was sent. */
  detectedSeconds: number;
}

/** Memory that a waiting command holds. */
export const heldBytes = (command: ClientCommand): number =>
  command.kind === "audio" ? command.bytes.length : command.kind === "answer" ? command.bytes : 0;

/** How a connection ended: the client is done, which ends the recording, or it may reconnect. */
export type Departure = "finished" | "lost";
