// Errors of Deepgram's live interface: answers in place of an upgrade, and close codes.
import type { ListenError } from "../../../../contract/deepgram-recorded.ts";
import type { RawAnswer } from "../../../../platform/net/raw-answer.ts";
import { listenError } from "../../../deepgram/errors.ts";
import type { Closing, ClosingKind } from "../../events/closing.ts";
import type { CloseFrame } from "../dialect.ts";
import { headerText } from "../header-text.ts";
import { upgradeError } from "../upgrade-error.ts";

const [NORMAL, GOING_AWAY, POLICY, INTERNAL, RESTART, LATER] = [1000, 1001, 1008, 1011, 1012, 1013];
const RESTARTED = {
  code: RESTART,
  reason: "the session cannot continue on this machine; open a new connection (with session_id if it is resumable)",
};
const FAULT = { code: INTERNAL, reason: "NET-0000: internal fault; open a new connection" };

const FRAMES: Record<Exclude<ClosingKind, "unreadableAudio" | "refused">, CloseFrame> = {
  complete: { code: NORMAL, reason: "" },
  idle: {
    code: INTERNAL,
    reason: "NET-0001: neither audio nor a text message was received for too long. Send KeepAlive in pauses",
  },
  restarting: RESTARTED,
  replaced: { code: GOING_AWAY, reason: "a newer connection uses the session" },
  taken: RESTARTED,
  moved: RESTARTED,
  elsewhere: RESTARTED,
  deleted: { code: GOING_AWAY, reason: "the session was deleted" },
  failed: FAULT,
  interrupted: FAULT,
  unread: { code: LATER, reason: "the messages are not read" },
  unknownToken: { code: POLICY, reason: "the session is unknown" },
  revoked: { code: POLICY, reason: "the key was revoked" },
  expired: { code: GOING_AWAY, reason: "the session was never used and has expired" },
  overLimit: { code: LATER, reason: "the account has too many live sessions" },
  ended: { code: GOING_AWAY, reason: "the session has ended" },
};

const DATA = "DATA-0000: the payload cannot be decoded as audio: ";

export function closeFrame(closing: Closing): CloseFrame {
  if (closing.kind === "unreadableAudio") return { code: POLICY, reason: `${DATA}${closing.reason}` };
  if (closing.kind === "refused") return { code: POLICY, reason: closing.error.message };
  return FRAMES[closing.kind];
}

export function refusal(closing: Closing, requestId: string): RawAnswer {
  const error = upgradeError(closing, closeFrame(closing).reason);
  const body: ListenError = listenError(error, requestId);
  const retry = error.retryAfterSeconds;
  return {
    status: error.status,
    headers: {
      "dg-request-id": requestId,
      "dg-error": headerText(body.err_msg),
      ...(retry === undefined ? {} : { "retry-after": String(retry) }),
    },
    body: JSON.stringify(body),
  };
}
