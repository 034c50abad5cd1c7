// Messages to and from a child, and the validation of those that it sends. A child processes untrusted files, so its messages are validated like any input.
import { beginningOf, storableText } from "../storable.ts";

/** Fields of a ParlanceError that are transferred in addition to its message. */
export interface CatalogueError {
  code: string;
  status: number;
  retryable: boolean;
  /** For the log alone. */
  detail?: string;
}

/**
 * `ready` once, then one answer for each request, and the memory from time to time. A child that works on several calls
 * concurrently also sends heartbeats, and the call that it is computing. `text`: the next piece of an answer that is streamed.
 */
export type ChildMessage<Response> =
  | { kind: "ready" }
  | { kind: "alive" }
  | { kind: "computing"; call: number }
  | { kind: "answer"; call: number; response: Response }
  | { kind: "failure"; call: number; message: string; error?: CatalogueError }
  | { kind: "progress"; call: number; value: number }
  | { kind: "text"; call: number; text: string }
  | { kind: "memory"; bytes: number };

const MOST_TEXT_CHARACTERS = 2_000;
const textOf = (value: unknown) =>
  storableText(beginningOf(typeof value === "string" ? value : "no reason", MOST_TEXT_CHARACTERS));

const isCall = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isStatus = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 400 && (value as number) <= 599;

function errorOf(value: unknown): CatalogueError | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { code, status, retryable, detail } = value as Record<string, unknown>;
  if (typeof code !== "string" || !isStatus(status)) return undefined;
  return {
    code: textOf(code),
    status,
    retryable: retryable === true,
    ...(typeof detail === "string" ? { detail: textOf(detail) } : {}),
  };
}

/** @returns undefined for anything that is no message of a child; the response itself is for the caller to judge */
export function childMessageOf<Response>(value: unknown): ChildMessage<Response> | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { kind, call, response, message, error, value: progress, bytes, text } = value as Record<string, unknown>;
  if (kind === "ready" || kind === "alive") return { kind };
  if (kind === "memory") return Number.isFinite(bytes) ? { kind, bytes: bytes as number } : undefined;
  if (!isCall(call)) return undefined;
  if (kind === "computing") return { kind, call };
  if (kind === "answer") return { kind, call, response: response as Response };
  if (kind === "progress") return Number.isFinite(progress) ? { kind, call, value: progress as number } : undefined;
  if (kind === "text") return typeof text === "string" ? { kind, call, text: storableText(text) } : undefined;
  if (kind !== "failure") return undefined;
  const known = errorOf(error);
  return { kind, call, message: textOf(message), ...(known ? { error: known } : {}) };
}

/** Message to a child; `call` identifies the request in its answer. Without a request, the call is cancelled. */
export interface ParentMessage<Request> {
  call: number;
  request?: Request;
}
