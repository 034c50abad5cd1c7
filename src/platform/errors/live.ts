// Live sessions.
import { ParlanceError } from "./parlance-error.ts";

export const liveErrors = {
  upgradeRefused: (reason: string, status = 400) =>
    new ParlanceError(`The WebSocket cannot be opened: ${reason}`, { code: "live.upgrade_refused", status }),
  upgradeUnavailable: (reason: string) =>
    new ParlanceError(`The WebSocket cannot be opened now: ${reason}; try again`, {
      code: "live.upgrade_refused",
      status: 503,
      retryable: true,
      retryAfterSeconds: 5,
    }),
  upgradeOverLimit: (reason: string) =>
    new ParlanceError(`The WebSocket cannot be opened now: ${reason}`, {
      code: "live.upgrade_over_limit",
      status: 429,
      retryable: true,
      retryAfterSeconds: 10,
    }),
  tooManySessions: (limit: number, whose = "") =>
    new ParlanceError(`${limit} live sessions${whose} run already`, {
      code: "limit.live_sessions",
      status: 429,
      retryable: true,
      retryAfterSeconds: 10,
    }),
  /** Connections of an account that have no session yet. */
  tooManyOpening: (limit: number) =>
    new ParlanceError(`${limit} live connections of this account are being opened already; try again in a moment`, {
      code: "limit.live_connections",
      status: 429,
      retryable: true,
      retryAfterSeconds: 10,
    }),
  /** @param sessions  that the machine can serve with finals in time */
  overloaded: (sessions: number) =>
    new ParlanceError(`At most ${sessions} live sessions can be served at present`, {
      code: "service.overloaded",
      status: 503,
      retryable: true,
      retryAfterSeconds: 10,
    }),
  /** Another process took the session over, or it was deleted: this one must not store or send anything for it. */
  logLost: () =>
    new ParlanceError("This process no longer owns the live session", { code: "live.log_lost", status: 409 }),
  liveSessionUnused: () =>
    new ParlanceError("No client connected to the session before its token expired", {
      code: "live.unused",
      status: 408,
    }),
  liveAudioUnreadable: (reason: string) =>
    new ParlanceError(`The audio of the live session cannot be read: ${reason}`, {
      code: "live.audio_unreadable",
      status: 400,
    }),
  liveSessionFailed: () =>
    new ParlanceError("The service failed on this session; its log has the reason", {
      code: "live.failed",
      status: 500,
    }),
};
