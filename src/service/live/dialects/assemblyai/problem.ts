// Errors of AssemblyAI's streaming interface: answers in place of an upgrade, and the codes with which a connection ends.
import type { RawAnswer } from "../../../../platform/net/raw-answer.ts";
import { streamingError } from "../../../assemblyai/errors.ts";
import type { Closing, ClosingKind } from "../../events/closing.ts";
import type { CloseFrame } from "../dialect.ts";
import { upgradeError } from "../upgrade-error.ts";

/** Codes that its clients name. */
export const CODES = {
  complete: 1000,
  later: 1013,
  fault: 3005,
  invalid: 3006,
  expired: 3008,
  tooMany: 3009,
  unauthorized: 4001,
  ended: 4010,
  replaced: 4030,
  idle: 4031,
  invalidJson: 4100,
  invalidMessage: 4101,
} as const;

const RESTARTED = { code: CODES.later, reason: "the session cannot continue on this machine; open a new connection" };
const FAULT = { code: CODES.fault, reason: "internal fault; open a new connection" };

const FRAMES: Record<Exclude<ClosingKind, "unreadableAudio" | "refused" | "ended">, CloseFrame> = {
  complete: { code: CODES.complete, reason: "" },
  idle: {
    code: CODES.idle,
    reason: "neither audio nor a text message was received for too long; send KeepAlive in pauses",
  },
  restarting: RESTARTED,
  replaced: { code: CODES.replaced, reason: "a newer connection uses the session" },
  taken: RESTARTED,
  moved: RESTARTED,
  elsewhere: RESTARTED,
  deleted: { code: CODES.ended, reason: "the session was deleted" },
  failed: FAULT,
  interrupted: FAULT,
  unread: { code: CODES.later, reason: "the messages are not read" },
  unknownToken: { code: CODES.unauthorized, reason: "the session is unknown" },
  revoked: { code: CODES.unauthorized, reason: "the key was revoked" },
  expired: { code: CODES.ended, reason: "the session was never used and has expired" },
  overLimit: { code: CODES.tooMany, reason: "the account has too many live sessions" },
};

export function closeFrame(closing: Closing): CloseFrame {
  if (closing.kind === "unreadableAudio") {
    return { code: CODES.invalid, reason: `the audio cannot be read: ${closing.reason}` };
  }
  if (closing.kind === "refused") return { code: CODES.invalid, reason: closing.error.message };
  if (closing.kind === "ended") {
    return closing.cause === "length"
      ? {
          code: CODES.expired,
          reason: "the session has reached its longest duration; the transcript is complete up to there",
        }
      : { code: CODES.ended, reason: "the session has ended" };
  }
  return FRAMES[closing.kind];
}

export function refusal(closing: Closing): RawAnswer {
  const error = upgradeError(closing, closeFrame(closing).reason);
  const retry = error.retryAfterSeconds;
  return {
    status: error.status,
    headers: retry === undefined ? {} : { "retry-after": String(retry) },
    body: JSON.stringify(streamingError(error)),
  };
}
