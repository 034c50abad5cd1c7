// Close codes of the interfaces of telephony platforms: registered close codes (RFC 6455; 1012 and 1013: IANA), with the reason in words.
import type { Closing, ClosingKind } from "../../events/closing.ts";
import type { CloseFrame } from "../dialect.ts";

const [NORMAL, GOING_AWAY, UNSUPPORTED, POLICY, INTERNAL, RESTART, LATER] = [1000, 1001, 1003, 1008, 1011, 1012, 1013];
const RESTARTED = { code: RESTART, reason: "the session cannot continue on this machine; open a new stream" };
const FAULT = { code: INTERNAL, reason: "internal fault; open a new stream" };

const FRAMES: Record<Exclude<ClosingKind, "unreadableAudio" | "refused">, CloseFrame> = {
  complete: { code: NORMAL, reason: "" },
  idle: { code: POLICY, reason: "nothing was received for too long" },
  restarting: RESTARTED,
  replaced: { code: GOING_AWAY, reason: "a newer connection uses the session" },
  taken: RESTARTED,
  moved: RESTARTED,
  elsewhere: RESTARTED,
  deleted: { code: GOING_AWAY, reason: "the session was deleted" },
  failed: FAULT,
  interrupted: FAULT,
  unread: { code: LATER, reason: "the messages are not read" },
  unknownToken: { code: POLICY, reason: "the token is unknown" },
  revoked: { code: POLICY, reason: "the key was revoked" },
  expired: { code: POLICY, reason: "the session was never used and has expired" },
  overLimit: { code: LATER, reason: "the account has too many live sessions" },
  ended: { code: GOING_AWAY, reason: "the session has ended" },
};

const LATER_BECAUSE = {
  storage: "audio cannot be stored at present; try again later",
  capacity: "no capacity; try again later",
  model: "the model is being fetched; try again later",
};

const BUSY = 429;
const LEAST_FAULT = 500;

export function closeFrame(closing: Closing): CloseFrame {
  if (closing.kind === "unreadableAudio") return { code: UNSUPPORTED, reason: closing.reason };
  if (closing.kind === "restarting" && closing.why) return { code: LATER, reason: LATER_BECAUSE[closing.why] };
  if (closing.kind !== "refused") return FRAMES[closing.kind];
  const { status, message, fields } = closing.error;
  const code = status === BUSY || status >= LEAST_FAULT ? LATER : POLICY;
  // The first sentence of such a message only states that there are invalid parameters, and a close frame is short.
  return { code, reason: fields ? fields.join("; ") : message };
}

/** RFC 6455, 7.4.1: the client closed the connection, with or without a code. Others come from proxies and broken connections. */
export const CLOSED_BY_CLIENT: readonly number[] = [1000, 1005];
