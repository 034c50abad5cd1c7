// The shape of every error answer, and the meaning of its status.
import type { Static } from "typebox";
import * as Type from "typebox";

export const ErrorBody = Type.Object(
  {
    statusCode: Type.Integer(),
    message: Type.String(),
    timestamp: Type.String({ format: "date-time" }),
    path: Type.String(),
    request_id: Type.String(),
    validation_errors: Type.Optional(Type.Array(Type.String())),
    error: Type.Object({ code: Type.Integer(), message: Type.String() }),
  },
  { title: "Error" },
);
export type ErrorAnswer = Static<typeof ErrorBody>;

const DESCRIPTIONS: Record<number, string> = {
  400: "Malformed or invalid; every invalid field is named in validation_errors",
  401: "Key missing or unknown",
  403: "Not allowed: in this state, for this key, or from this page or host",
  404: "Unknown id, also another account's",
  410: "What the address named was removed for good",
  406: "The header accept names no form that the answer can have",
  409: "Not possible while things are as they are",
  412: "Another version of the protocol",
  413: "Too large",
  415: "Wrong content type",
  416: "Range outside of the file",
  422: "Understood, but not possible here",
  424: "The host of an address failed or refused",
  429: "Over a limit; see Retry-After",
  460: "The checksum of the body differs",
  500: "Fault of the service",
  501: "Not available in this installation; the message says what to do",
  502: "A provider or a language model failed",
  507: "The disk is full; see the message and Retry-After",
  503: "Overloaded or stopping; see Retry-After",
};

/** What every route answers that needs a key: pages and hosts are checked, and the limits of the account hold. */
const OF_ACCOUNTS = [403, 429];

/** Response entries for the error statuses of a route. */
export function errorResponses(...statuses: number[]) {
  const all = new Set([...statuses, ...(statuses.includes(401) ? OF_ACCOUNTS : []), 500]);
  return Object.fromEntries(
    [...all].map((status) => [status, { ...ErrorBody, description: DESCRIPTIONS[status] ?? "Error" }]),
  );
}
