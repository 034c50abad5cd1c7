// Close codes and reasons of Gladia's live protocol. Clients do not reconnect after 44xx.
import { CLOSE } from "../../../../contract/close-codes.ts";
import type { Closing, ClosingKind, StopCause } from "../../events/closing.ts";
import type { CloseFrame } from "../dialect.ts";

const FRAMES: Record<Exclude<ClosingKind, "unreadableAudio" | "refused">, CloseFrame> = {
  complete: { code: CLOSE.done, reason: "session complete" },
  idle: { code: CLOSE.idle, reason: "no frame was received for too long; the session is complete" },
  restarting: { code: CLOSE.restart, reason: "the service restarts; reconnect to resume" },
  replaced: { code: CLOSE.replaced, reason: "replaced by a newer connection" },
  taken: { code: CLOSE.restart, reason: "another machine has taken over this session; reconnect to resume" },
  moved: { code: CLOSE.restart, reason: "another node has taken over the session; reconnect to resume" },
  elsewhere: { code: CLOSE.restart, reason: "another machine owns this session; reconnect to resume" },
  deleted: { code: CLOSE.ended, reason: "the session was deleted" },
  failed: { code: CLOSE.internal, reason: "internal fault" },
  interrupted: { code: CLOSE.internal, reason: "internal fault; reconnect to resume" },
  unread: { code: CLOSE.unread, reason: "messages are not read; reconnect to resume" },
  unknownToken: { code: CLOSE.badToken, reason: "invalid token" },
  revoked: { code: CLOSE.badToken, reason: "the key that made this session was revoked" },
  expired: { code: CLOSE.idle, reason: "the session was never used and has expired" },
  overLimit: { code: CLOSE.overLimit, reason: "too many live sessions of this account" },
  ended: { code: CLOSE.ended, reason: "session ended" },
};

const RESTART_BECAUSE = {
  storage: "audio cannot be stored at present; reconnect to resume",
  capacity: "this machine has no capacity for a further session; reconnect",
  model: "this machine is fetching the model of the session; reconnect to resume",
};
const ENDED_BECAUSE: Record<StopCause, string> = {
  client: "not all audio was stored",
  idle: "no frame was received for too long",
  away: "no client was connected",
  length: "it reached its maximum length",
  revoked: "its key was revoked",
};

export function closeFrame(closing: Closing): CloseFrame {
  if (closing.kind === "unreadableAudio") return { code: CLOSE.badAudio, reason: closing.reason };
  // Clients of this protocol create their sessions by POST /v2/live.
  if (closing.kind === "refused") return { code: CLOSE.ended, reason: closing.error.message };
  if (closing.kind === "ended" && closing.cause !== undefined) {
    const seconds = (closing.storedSeconds ?? 0).toFixed(1);
    const reason = `session ended, ${ENDED_BECAUSE[closing.cause]}; the result has ${seconds} s of audio`;
    return { code: CLOSE.ended, reason };
  }
  if (closing.kind === "restarting" && closing.why)
    return { code: CLOSE.restart, reason: RESTART_BECAUSE[closing.why] };
  return FRAMES[closing.kind];
}
