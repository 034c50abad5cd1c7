// One request of a connection at a time. A client may send further requests before the first is answered (pipelining); Node starts
// their handlers at once, but a response that waits behind another one has no socket yet and does not notice when the client leaves:
// the files and streams that its handler opened would stay open.
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/**
 * Requests of one connection that may wait, each about 4 kB of memory. Real clients send no more than a few dozen ahead; a connection
 * that sends more is destroyed.
 */
export const MOST_WAITING_REQUESTS = 100;

/** @returns a listener that calls `handler` for a request when the response to the one before it has ended, and never after the socket has */
export function inTurn(handler: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, (() => void)[]>();

  const begin = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    response.once("close", () => {
      const next = socket.destroyed ? undefined : waiting.get(socket)?.shift();
      if (next) next();
      else waiting.delete(socket);
    });
    handler(request, response);
  };

  return (request, response) => {
    const { socket } = request;
    const line = waiting.get(socket);
    if (!line) {
      waiting.set(socket, []);
      begin(request, response);
    } else if (line.length < MOST_WAITING_REQUESTS) line.push(() => begin(request, response));
    else socket.destroy();
  };
}
