// Errors of OpenAI's Realtime interface: what is wrong with a message of a client, and why a connection ends.
import { listed } from "../../../../contract/first-of.ts";
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

export const errorsOf = (problems: readonly Problem[], eventId: string | null): RealtimeMessage[] =>
  problems.map((problem) => errorMessage(problem, eventId));

/** Each refusal names them. */
const MOST_UNKNOWN_FIELDS = 5;

/**
 * Of an update that changes nothing.
 * @param unknown  warnings about fields that the message does not have: a misspelt field may be the reason
 */
export function updateRefusals(
  problems: readonly Problem[],
  unknown: readonly string[],
  eventId: string | null,
): RealtimeMessage[] {
  const fields = unknown.length > 0 ? `; ${listed(unknown, MOST_UNKNOWN_FIELDS, "; ")}` : "";
  return errorsOf(
    problems.map((problem) => ({ ...problem, message: problem.message + fields })),
    eventId,
  );
}

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

/**
 * An `error` precedes the close frame only where a new connection is useless: clients end at an `error`, and connect again after a close
 * frame alone, which has the reason.
 */
const CLOSINGS: Record<Stated, { code: number; error?: string; message: string }> = {
  complete: { code: NORMAL, message: "session complete" },
  idle: { code: GOING_AWAY, message: "no message was received for too long; open a new connection" },
  restarting: { code: RESTART, message: "the service restarts; the session ended; open a new connection" },
  replaced: { code: GOING_AWAY, error: "session_replaced", message: "a newer connection uses the session" },
  taken: { code: RESTART, message: "another machine has taken over the session; open a new connection" },
  moved: { code: RESTART, message: "another machine has taken over the session; open a new connection" },
  elsewhere: { code: RESTART, message: "another machine owns the session; open a new connection" },
  deleted: { code: GOING_AWAY, error: "session_deleted", message: "the session was deleted" },
  failed: { code: INTERNAL, message: "internal fault; the session ended; open a new connection" },
  interrupted: { code: INTERNAL, message: "internal fault; the session ended; open a new connection" },
  unread: { code: LATER, message: "the client did not read its messages in time; open a new connection" },
  unknownToken: { code: UNAUTHORIZED, error: "invalid_api_key", message: "the key is unknown" },
  revoked: { code: UNAUTHORIZED, error: "invalid_api_key", message: "the key was revoked" },
  expired: { code: GOING_AWAY, message: "the session was never used and has expired; open a new connection" },
  overLimit: { code: LATER, message: "the account has too many live sessions; end one, or connect later" },
  ended: { code: GOING_AWAY, message: "the session has ended; open a new connection" },
};

function refusalCode({ status }: ParlanceError): number {
  if (status === 401 || status === 403) return UNAUTHORIZED;
  if (status === 429 || status === 503) return LATER;
  return status >= 500 ? INTERNAL : REFUSED;
}

const mayRetry = (error: ParlanceError) => [LATER, INTERNAL].includes(refusalCode(error));

/** @returns undefined for closes after which the client may connect again with the same request */
export function closingError(closing: Closing): RealtimeError | undefined {
  if (closing.kind === "refused") return mayRetry(closing.error) ? undefined : errorOf(closing.error);
  // The refusal of the chunk states it.
  if (closing.kind === "unreadableAudio") return undefined;
  const { error, message } = CLOSINGS[closing.kind];
  return error === undefined ? undefined : { type: "invalid_request_error", code: error, message, param: null };
}

export function closeFrame(closing: Closing): CloseFrame {
  if (closing.kind === "unreadableAudio") return { code: REFUSED, reason: "invalid_request_error.invalid_audio" };
  if (closing.kind === "refused") {
    const { type, code, message } = errorOf(closing.error);
    const name = code === null ? type : `${type}.${code}`;
    // No error precedes it.
    const reason = mayRetry(closing.error) ? `${name}: ${message}` : name;
    return { code: refusalCode(closing.error), reason };
  }
  const { code, message } = CLOSINGS[closing.kind];
  return { code, reason: message };
}
