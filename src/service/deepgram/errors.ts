// Errors as Deepgram's clients read them.
import type { ListenError } from "../../contract/deepgram-recorded.ts";
import type { ErrorCode, ParlanceError } from "../../platform/errors.ts";
import { withFieldNames } from "../../platform/field-names.ts";
import { publicMessage } from "../../platform/public-message.ts";

export const isListenPath = (path: string) => /^\/v1\/listen\/?$/.test(path);
/** Paths that only Deepgram's interface has, including those without a route here. */
export const isDeepgramPath = (path: string) => /^\/v1\/(listen|auth)(\/|$)/.test(path) || isFluxPath(path);
export const isFluxPath = (path: string) => /^\/v2\/listen\/?$/.test(path);

const OF_STATUS: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "INVALID_AUTH",
  403: "INSUFFICIENT_PERMISSIONS",
  404: "NOT_FOUND",
  408: "SLOW_UPLOAD",
  413: "PAYLOAD_TOO_LARGE",
  415: "UNSUPPORTED_MEDIA_TYPE",
  429: "TOO_MANY_REQUESTS",
};

/** Errors of the host that `url` names. */
const ofRemote = (code: ErrorCode) => code.startsWith("fetch.") && code !== "fetch.queue_full";

const FIELDS = { language: "language", vocabulary: "keyterm", address: "url" };

function codeOf({ code, status }: ParlanceError): string {
  if (ofRemote(code)) return "REMOTE_CONTENT_ERROR";
  return OF_STATUS[status] ?? (status >= 500 ? "INTERNAL_SERVER_ERROR" : "Bad Request");
}

export function listenError(error: ParlanceError, requestId: string): ListenError {
  const sentences = error.fields ?? [];
  const message = sentences.length > 0 ? sentences.join("; ") : publicMessage(error);
  return { err_code: codeOf(error), err_msg: withFieldNames(message, FIELDS), request_id: requestId };
}
