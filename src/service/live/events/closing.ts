// Reasons for which the service closes a connection. A dialect maps each to its close code and text.
import type { ParlanceError } from "../../../platform/errors.ts";

/** Why a recording was stopped. */
export type StopCause =
  | "client"
  /** No frame was received for too long. */
  | "idle"
  /** The client did not reconnect within the grace period. */
  | "away"
  /** The session reached its maximum length. */
  | "length"
  /** The key that created the session was revoked. */
  | "revoked";

export type Closing =
  /** Everything that the client sent until it ended the session is in the result. `storedSeconds`: the length of that audio. */
  | { kind: "complete"; storedSeconds?: number }
  /** No frame was received for too long. The result has what was received before. */
  | { kind: "idle" }
  /**
   * The process stops, cannot store anything at present, has no place for a new session, or is fetching the model of the session; the client
   * may reconnect, perhaps to another process.
   */
  | { kind: "restarting"; why?: "storage" | "capacity" | "model" }
  /** A newer connection of the session, also in another process. */
  | { kind: "replaced" }
  /** Another process took the session over while the client was connected; the client may reconnect. */
  | { kind: "taken" }
  /** The client connected while another process was taking the session over; it may reconnect. */
  | { kind: "moved" }
  /** Another process owns the session; the client may reconnect. */
  | { kind: "elsewhere" }
  | { kind: "deleted" }
  /** The session cannot continue. */
  | { kind: "failed" }
  /** A fault of this connection; the client may reconnect. */
  | { kind: "interrupted" }
  /** The client does not read its messages; it may reconnect. */
  | { kind: "unread" }
  | { kind: "unreadableAudio"; reason: string }
  | { kind: "unknownToken" }
  /** The key that created the session was revoked. */
  | { kind: "revoked" }
  /** The session was never used. */
  | { kind: "expired" }
  | { kind: "overLimit" }
  /** No session could be created. */
  | { kind: "refused"; error: ParlanceError }
  /** The session ended before, perhaps without all that the client has. */
  | { kind: "ended"; storedSeconds?: number; cause?: StopCause };

export type ClosingKind = Closing["kind"];
