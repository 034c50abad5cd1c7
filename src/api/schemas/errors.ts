// The one shape of every error answer.
import { Type } from "@sinclair/typebox";

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

const DESCRIPTIONS: Record<number, string> = {
  400: "Malformed or invalid; every invalid field is named in validation_errors",
  401: "Key missing or unknown",
  403: "Not allowed in this state",
  404: "Unknown id, also another account's",
  409: "Not possible while things are as they are",
  413: "Too large",
  415: "Wrong content type",
  416: "Range outside of the file",
  422: "Understood, but not possible here",
  429: "Over a limit; see Retry-After",
  500: "Fault of the service",
  507: "The disk is full; see the message and Retry-After",
  503: "Overloaded or stopping; see Retry-After",
};

/** Response entries for the error statuses of a route. Whoever needs a key is also held to the limits of its account. */
export function errorResponses(...statuses: number[]) {
  return Object.fromEntries(
    [...statuses, ...(statuses.includes(401) && !statuses.includes(429) ? [429] : []), 500].map((status) => [
      status,
      { ...ErrorBody, description: DESCRIPTIONS[status] ?? "Error" },
    ]),
  );
}
