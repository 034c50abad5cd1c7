// Live sessions.
import { ParlanceError } from "./parlance-error.ts";

export const liveErrors = {
  upgradeRefused: (reason: string, status = 400) =>
    new ParlanceError(`The WebSocket cannot be opened: ${reason}`, { code: "live.upgrade_refused", status }),
  signatureRefused: (reason: string) =>
    new ParlanceError(`The stream is refused: ${reason}`, { code: "live.signature_refused", status: 403 }),
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
    new ParlanceError(
      `There is no capacity for another live session: at most ${sessions} can be served at present. Try again later`,
      {
        code: "service.overloaded",
        status: 503,
        retryable: true,
        retryAfterSeconds: 10,
      },
    ),
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
  /** What the source sends, or its address, cannot be used; another attempt would end alike. */
  liveSourceRefused: (reason: string) =>
    new ParlanceError(`The source cannot be read: ${reason}`, { code: "live.source_refused", status: 424 }),
  /** The next attempt may succeed. */
  liveSourceFailed: (reason: string, cause?: unknown) =>
    new ParlanceError(`The source could not be read: ${reason}`, {
      code: "live.source_failed",
      status: 424,
      retryable: true,
      cause,
    }),
  /** The server accepted the connection and ended it before any audio. Some servers do so if they have no such stream. */
  liveSourceAbsent: (reason: string, cause?: unknown) =>
    new ParlanceError(`The source could not be found: ${reason}`, {
      code: "live.source_absent",
      status: 424,
      retryable: true,
      cause,
    }),
  /** The decoder process ended or hung in a step of this source. */
  liveSourceDecoderLost: () =>
    new ParlanceError("The source could not be read: its audio made the decoder crash or hang", {
      code: "live.source_decoder_lost",
      status: 424,
      retryable: true,
    }),
  liveWithoutSource: () =>
    new ParlanceError("The session has no source: its client ends it with stop_recording on its WebSocket", {
      code: "live.without_source",
      status: 409,
    }),
  tooManyViewers: (limit: number) =>
    new ParlanceError(`${limit} viewers of this session are connected to this process; try again when one has left`, {
      code: "limit.viewers",
      status: 429,
      retryable: true,
      retryAfterSeconds: 30,
    }),
  liveWithoutViewers: () =>
    new ParlanceError("The captions of this session are not kept for viewers: create it with captions: true", {
      code: "live.without_viewers",
      status: 409,
    }),
  liveSessionFailed: () =>
    new ParlanceError("The service failed on this session; its log has the reason", {
      code: "live.failed",
      status: 500,
    }),
  /** An event of the Wyoming protocol, or what should have been one. */
  wyomingEventRefused: (reason: string) =>
    new ParlanceError(`Invalid event: ${reason}`, { code: "live.wyoming_event", status: 400 }),
  wyomingEventTooLarge: (what: string, given: string, most: number) =>
    new ParlanceError(`${what} of an event has ${given} bytes; at most ${most} are allowed`, {
      code: "live.wyoming_event_too_large",
      status: 413,
    }),
  wyomingTimeout: (reason: string) =>
    new ParlanceError(`The connection is closed: ${reason}`, { code: "live.wyoming_timeout", status: 408 }),
  wyomingTooManyConnections: (limit: number) =>
    new ParlanceError(`${limit} connections of the Wyoming protocol are open already`, {
      code: "live.wyoming_connections",
      status: 503,
      retryable: true,
      retryAfterSeconds: 5,
    }),
  wyomingClientRefused: (address: string) =>
    new ParlanceError(
      `Clients at ${address} may not connect: the operator can add the address to PARLANCE_WYOMING_CLIENTS`,
      {
        code: "live.wyoming_client",
        status: 403,
      },
    ),
  /** A packet of AudioSocket, or what should have been one. Clients receive the code of a byte; the log has the reason. */
  audioSocketPacket: (reason: string) =>
    new ParlanceError(`Invalid packet of AudioSocket: ${reason}`, { code: "live.audiosocket_packet", status: 400 }),
  audioSocketTimeout: (reason: string) =>
    new ParlanceError(`The call of AudioSocket is closed: ${reason}`, {
      code: "live.audiosocket_timeout",
      status: 408,
    }),
  audioSocketTooManyConnections: (limit: number) =>
    new ParlanceError(`${limit} connections of AudioSocket are open already`, {
      code: "live.audiosocket_connections",
      status: 503,
      retryable: true,
      retryAfterSeconds: 5,
    }),
  audioSocketClientRefused: (address: string) =>
    new ParlanceError(
      `Asterisk at ${address} may not connect: the operator can add the address to PARLANCE_AUDIOSOCKET_CLIENTS`,
      {
        code: "live.audiosocket_client",
        status: 403,
      },
    ),
  audioSocketInterrupted: (reason: string) =>
    new ParlanceError(`The call of AudioSocket was interrupted: ${reason}`, {
      code: "live.audiosocket_interrupted",
      status: 503,
      retryable: true,
    }),
  /** A session that ended otherwise than by `audio-stop`. */
  wyomingInterrupted: (reason: string) =>
    new ParlanceError(`The transcription was interrupted: ${reason}`, {
      code: "live.wyoming_interrupted",
      status: 503,
      retryable: true,
    }),
};
