import type { Readable } from "node:stream";
import type { FastifyReply } from "fastify";

/** Answers with server-sent events. @param output  their text, which is sent as it arrives */
export function sendEventStream(reply: FastifyReply, output: Readable): FastifyReply {
  return (
    reply
      .type("text/event-stream; charset=utf-8")
      .header("cache-control", "no-store")
      // nginx then passes each event on at once; by default it buffers the answers of an upstream server.
      .header("x-accel-buffering", "no")
      .send(output)
  );
}
