// Requests over HTTP, before the domain has a part in them.
import { beginningOf } from "../storable.ts";
import { MOST_SHOWN_CHARACTERS, megabytes } from "./message-parts.ts";
import { ParlanceError } from "./parlance-error.ts";

export const requestErrors = {
  invalidParameters: (fields: string[]) =>
    new ParlanceError("Invalid parameter(s). See validation_errors for more details.", {
      code: "request.invalid",
      status: 400,
      fields,
    }),
  malformedBody: (reason: string, cause?: unknown) =>
    new ParlanceError(`The request body could not be read: ${reason}`, {
      code: "request.malformed",
      status: 400,
      cause,
    }),
  /** What was received is no HTTP request. */
  requestUnreadable: () =>
    new ParlanceError("This is not a valid HTTP/1.1 request", { code: "request.unreadable", status: 400 }),
  headTooLarge: (limitBytes: number) =>
    new ParlanceError(`The request line and headers are larger than the ${limitBytes} bytes allowed`, {
      code: "request.head_too_large",
      status: 431,
    }),
  headTooSlow: (seconds: number) =>
    new ParlanceError(`The request line and headers did not arrive within ${seconds} seconds`, {
      code: "request.head_too_slow",
      status: 408,
      retryable: true,
    }),
  bodyTooSlow: (leastBytes: number, seconds: number) =>
    new ParlanceError(
      `The request body arrives too slowly: at least ${Math.ceil(leastBytes)} bytes every ${seconds} seconds are required`,
      { code: "request.body_too_slow", status: 408, retryable: true },
    ),
  headerMalformed: (header: string, rule: string) =>
    new ParlanceError(`The header ${header} ${rule}`, { code: "request.header", status: 400 }),
  notFound: (what: string) => new ParlanceError(`${what} not found`, { code: "request.not_found", status: 404 }),
  noRoute: (method: string, path: string, hint = "") =>
    new ParlanceError(`Cannot ${method} ${path}${hint === "" ? "" : `. ${hint}`}`, {
      code: "request.no_route",
      status: 404,
    }),
  notOwnPage: () =>
    new ParlanceError(
      "The request comes from a page of another origin. Only pages of this service and of PARLANCE_CORS_ORIGINS may send requests without a key in a header (a key in the address counts as none); only the console may sign in",
      { code: "request.other_page", status: 403 },
    ),
  foreignHost: (host: string) =>
    new ParlanceError(
      `The host ${JSON.stringify(host.slice(0, MOST_SHOWN_CHARACTERS))} is not one of this service. Set PARLANCE_PUBLIC_URL or PARLANCE_ALLOWED_HOSTS to the name under which it is reached, or send a key in a header`,
      { code: "request.foreign_host", status: 403 },
    ),
  badHost: () =>
    new ParlanceError("The Host header must name a host, with or without a port; or set PARLANCE_PUBLIC_URL", {
      code: "request.bad_host",
      status: 400,
    }),
  bodyTooLarge: (limitBytes: number) =>
    new ParlanceError(`The body is larger than the ${megabytes(limitBytes)} allowed`, {
      code: "request.too_large",
      status: 413,
    }),
  wrongContentType: (given: string, allowed: string) =>
    new ParlanceError(`Content type ${given || "(none)"} is not supported here; send ${allowed}`, {
      code: "request.content_type",
      status: 415,
    }),
  /** @param encoding  content-encoding of a request's body */
  bodyCompressed: (encoding: string) =>
    new ParlanceError(
      `The body is compressed (content-encoding ${beginningOf(encoding, MOST_SHOWN_CHARACTERS)}), which is not supported; send it uncompressed`,
      { code: "request.content_encoding", status: 415 },
    ),
  formTooLarge: (reason: string) =>
    new ParlanceError(`The form is too large: ${reason}`, { code: "request.too_large", status: 413 }),
  /** Without the limit, which differs between the operations. */
  bodyOverLimit: () => new ParlanceError("The body is larger than allowed", { code: "request.too_large", status: 413 }),
  /** @param reason  in the words of the HTTP server, which chose the status */
  refusedByServer: (reason: string, status: number) => new ParlanceError(reason, { code: "request.malformed", status }),
  rangeNotSatisfiable: (size: number) =>
    new ParlanceError(`The requested range lies outside of the file's ${size} bytes`, {
      code: "request.range",
      status: 416,
    }),
};
