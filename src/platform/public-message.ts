// What an error says outside of the service: in answers, job records, callbacks and results. Messages of the catalogue are
// made for that; this is the backstop for foreign text that got into one. It never lets out a path of the server, a system
// error, a stack, or the password in an address. The whole text is in the log.
import { withoutCredentials } from "./addresses/fetch-address.ts";
import { PARLANCE } from "./command-prefix.ts";
import type { ErrorCode, ParlanceError } from "./errors.ts";

declare const CHECKED: unique symbol;
/** Text that has passed publicMessage. */
export type PublicText = string & { readonly [CHECKED]: true };

const FAILED = "The service failed on this; its log has the reason";

/** Texts that Node, the operating system, the database and ONNX Runtime write into their messages. */
const INTERNALS = new RegExp(
  [
    String.raw`\bE(NOENT|ACCES|PERM|NOSPC|IO|MFILE|NFILE|NOTDIR|ISDIR|EXIST|XDEV|ROFS|DQUOT|BUSY|INVAL|LOOP|NAMETOOLONG|PIPE)\b`,
    String.raw`\bE(CONN(REFUSED|RESET|ABORTED)|HOSTUNREACH|NETUNREACH|TIMEDOUT|AI_AGAIN|NOTFOUND|ADDR(INUSE|NOTAVAIL))\b`,
    String.raw`\bERR_[A-Z_]+`,
    String.raw`\bnode:internal\b`,
    String.raw`\n[^\S\n]+at `,
    String.raw`\bSQLSTATE\b|syntax error at or near|violates [a-z-]+ constraint|relation "`,
    "ONNXRuntimeError|onnxruntime",
    "Cannot read propert|is not a function|is not iterable|undefined is not",
  ].join("|"),
);

/** Routes that messages name. */
const ROUTES = String.raw`(?:v1|v2|asr|detect-language|docs|file|console|health|ready|metrics|openapi\.json|asyncapi\.json)(?![\w.-])`;
/** Absolute paths: after a space, a quote or a bracket, so that addresses (https://host/path) stay. */
const PATHS = new RegExp(
  String.raw`(^|[\s'"(=\[<])(?:file:\/\/\S+|[A-Za-z]:\\[^\s'"]*|\/(?!${ROUTES}|\/)[\p{L}\p{N}_.@~-][^\s'",;)\]>]*)`,
  "gu",
);

/**
 * The same for text that is no error of the catalogue, such as an add-on's failure.
 * @param prefix  of commands in messages; if it contains a path, the command's name replaces it
 */
export function publicText(given: string, prefix = PARLANCE): PublicText {
  const text = prefix.startsWith("node ") ? given.replaceAll(prefix, "parlance") : given;
  if (INTERNALS.test(text)) return FAILED as PublicText;
  return withoutCredentials(text).replace(PATHS, "$1(a path of the server)") as PublicText;
}

/** Messages that repeat the request's own path. */
const OF_REQUEST = new Set<ErrorCode>(["request.no_route"]);

export function publicMessage({ code, message }: Pick<ParlanceError, "code" | "message">): PublicText {
  return OF_REQUEST.has(code) ? (message as PublicText) : publicText(message);
}
