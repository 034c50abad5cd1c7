// Answers below HTTP's own machinery: for what is no request that a route could answer.
import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { ParlanceError } from "../errors.ts";

/** The client has this long to read the answer; then its socket is destroyed whether it did or not. */
const ANSWERED_MILLISECONDS = 1_000;

/** A broken parser reports each further packet. */
const answered = new WeakSet<Socket>();

const CONTENT_TYPE = "application/json; charset=utf-8";

function bodyOf({ status, message }: ParlanceError): string {
  const error = { code: status, message };
  return JSON.stringify({ statusCode: status, message, timestamp: new Date().toISOString(), error });
}

/** Responds to a request that reaches no route, and closes its connection. */
export function answer(response: ServerResponse, error: ParlanceError): void {
  response.writeHead(error.status, { "content-type": CONTENT_TYPE, connection: "close" }).end(bodyOf(error));
}

/** An answer in the form of another interface; its headers have no line breaks. */
export interface RawAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}

function rawOf(error: ParlanceError): RawAnswer {
  const { status, retryAfterSeconds } = error;
  const headers: RawAnswer["headers"] =
    retryAfterSeconds === undefined ? {} : { "retry-after": `${retryAfterSeconds}` };
  return { status, headers, body: bodyOf(error) };
}

function answerText({ status, headers, body }: RawAnswer): string {
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "Error"}`,
    `content-type: ${CONTENT_TYPE}`,
    `content-length: ${Buffer.byteLength(body)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    "connection: close",
    "",
    body,
  ].join("\r\n");
}

/** Whether a response has begun on this socket: an answer of our own would break into it. */
function hasResponseBegun(socket: Socket): boolean {
  const response = (socket as { _httpMessage?: { headersSent?: boolean } | null })._httpMessage;
  return response?.headersSent === true;
}

/**
 * Answers and destroys the socket: when the client has closed its side, at the latest after
 * ANSWERED_MILLISECONDS. What the client sends meanwhile is read and discarded, so that the answer is not lost in a reset.
 */
export function answerAndDestroy(socket: Socket, given: ParlanceError | RawAnswer): void {
  if (socket.destroyed || answered.has(socket)) return;
  answered.add(socket);
  if (!socket.writable || hasResponseBegun(socket)) {
    socket.destroy();
    return;
  }
  const timer = setTimeout(() => socket.destroy(), ANSWERED_MILLISECONDS);
  socket.once("close", () => clearTimeout(timer));
  socket.end(answerText(given instanceof ParlanceError ? rawOf(given) : given));
  socket.removeAllListeners("data");
  socket.resume();
}
