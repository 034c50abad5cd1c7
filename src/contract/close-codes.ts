// Close codes of the live WebSocket. The console and the command line import this module, too.

export const CLOSE = {
  done: 1000,
  /** Sent by the WebSocket library. */
  tooLarge: 1009,
  internal: 1011,
  restart: 1012,
  /** The client does not read its messages. */
  unread: 1013,
  badAudio: 4400,
  badToken: 4401,
  ended: 4403,
  idle: 4408,
  replaced: 4409,
  overLimit: 4429,
} as const;

/** Whether a client must not reconnect. */
export const isFinalClose = (code: number) => code === CLOSE.done || code === CLOSE.tooLarge || code >= CLOSE.badAudio;

/** For the description of the interface. */
export const CLOSE_MEANINGS: Record<keyof typeof CLOSE, string> = {
  done: "the session is complete",
  tooLarge: "a frame is too large",
  internal: "an internal fault; reconnect to the same address",
  restart: "the service restarts, or another node has the session; reconnect to the same address",
  unread: "messages were not read for 30 seconds; they are kept, reconnect to the same address",
  badAudio: "the audio cannot be read",
  badToken: "the token is unknown, or the key that made the session was revoked",
  ended: "the session has ended",
  idle: "no frame was received for too long, or the token expired unused",
  replaced: "a newer connection took over",
  overLimit: "too many sessions of this account",
};
