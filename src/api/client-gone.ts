// A request whose client closes its connection before it is answered: what is done for it can stop.
import type { FastifyReply } from "fastify";

/** @returns a signal that is aborted when the connection is closed and the answer is not sent */
export function clientGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  raw.once("close", () => {
    if (!raw.writableFinished) gone.abort();
  });
  if (raw.destroyed) gone.abort();
  return gone.signal;
}
