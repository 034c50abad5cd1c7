// Errors of OpenAI's Realtime interface: what is wrong with a message of a client, and why a connection ends.
import type { RealtimeError, RealtimeMessage } from "../../../../contract/realtime.ts";
import type { ParlanceError } from "../../../../platform/errors.ts";
import { openAiErrorBody } from "../../../openai/errors.ts";
import type { Closing, ClosingKind } from "../../events/closing.ts";
import type { CloseFrame } from "../dialect.ts";

/** @property param  path of the field, or null */
export interface Problem {
  code: string;
  message: string;
  param: string | null;
}

export const invalidValue = (param: string, rule: string): Problem => ({
  code: "invalid_value",
  message: `${param} ${rule}`,
  param,
});

/** @param eventId  of the client's message */
export const errorMessage = ({ code, message, param }: Problem, eventId: string | null): RealtimeMessage => ({
  type: "error",
  error: { type: "invalid_request_error", code, message, param, event_id: eventId },
});

/** With a code: some clients cannot read an error without one. */
function errorOf(error: ParlanceError): RealtimeError {
  const body = openAiErrorBody(error).error;
  return { ...body, code: body.code ?? (error.status >= 500 ? "server_error" : "invalid_value") };
}

/** Registered with IANA: unauthorized. */
const UNAUTHORIZED = 3000;
const [NORMAL, GOING_AWAY, INTERNAL, RESTART, LATER] = [1000, 1001, 1011, 1012, 1013];
const REFUSED = 4000;

type Stated = Exclude<ClosingKind, "unreadableAudio" | "refused">;

/** The error that precedes the close frame; a client that completed its session is sent none. */
const CLOSINGS: Record<Stated, { code: number; error?: string; message: string }> = {
  complete: { code: NORMAL, message: "session complete" },
  idle: {
    code: GOING_AWAY,
    error: "session_expired",
    message: "no message was received for too long; open a new connection",
  },
  restarting: {
    code: RESTART,
    error: "server_restart",
    message: "the service restarts; the session ended; open a new connection",
  },
  replaced: { code: GOING_AWAY, error: "session_replaced", message: "a newer connection uses the session" },
  taken: {
    code: RESTART,
    error: "server_restart",
    message: "another machine has taken over the session; open a new connection",
  },
  moved: {
    code: RESTART,
    error: "server_restart",
    message: "another machine has taken over the session; open a new connection",
  },
  elsewhere: {
    code: RESTART,
    error: "server_restart",
    message: "another machine owns the session; open a new connection",
  },
  deleted: { code: GOING_AWAY, error: "session_deleted", message: "the session was deleted" },
  failed: {
    code: INTERNAL,
    error: "server_error",
    message: "internal fault; the session ended; open a new connection",
  },
  interrupted: {
    code: INTERNAL,
    error: "server_error",
    message: "internal fault; the session ended; open a new connection",
  },
  unread: {
    code: LATER,
    error: "messages_unread",
    message: "the client did not read its messages in time; open a new connection",
  },
  unknownToken: { code: UNAUTHORIZED, error: "invalid_api_key", message: "the key is unknown" },
  revoked: { code: UNAUTHORIZED, error: "invalid_api_key", message: "the key was revoked" },
  expired: { code: GOING_AWAY, error: "session_expired", message: "the session was never used and has expired" },
  overLimit: {
    code: LATER,
    error: "rate_limit_exceeded",
    message: "the account has too many live sessions; end one, or connect later",
  },
  ended: { code: GOING_AWAY, error: "session_ended", message: "the session has ended" },
};

function refusalCode({ status }: ParlanceError): number {
  if (status === 401 || status === 403) return UNAUTHORIZED;
  if (status === 429 || status === 503) return LATER;
  return status >= 500 ? INTERNAL : REFUSED;
}

export function closingError(closing: Closing): RealtimeError | undefined {
  if (closing.kind === "refused") return errorOf(closing.error);
  // The refusal of the chunk states it.
  if (closing.kind === "unreadableAudio") return undefined;
  const { error, message } = CLOSINGS[closing.kind];
  const type = error === "server_error" || error === "server_restart" ? "server_error" : "invalid_request_error";
  return error === undefined ? undefined : { type, code: error, message, param: null };
}

export function closeFrame(closing: Closing): CloseFrame {
  if (closing.kind === "unreadableAudio") return { code: REFUSED, reason: "invalid_request_error.invalid_audio" };
  if (closing.kind === "refused") {
    const { type, code } = errorOf(closing.error);
    return { code: refusalCode(closing.error), reason: code === null ? type : `${type}.${code}` };
  }
  const { code, message } = CLOSINGS[closing.kind];
  return { code, reason: message };
}
