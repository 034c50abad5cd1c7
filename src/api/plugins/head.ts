// HEAD, which every route with GET answers: the same status and headers without the content.
import { Readable } from "node:stream";
import type { Api } from "../context.ts";

export function addHead(app: Api): void {
  app.addHook("onSend", async (request, _reply, payload) => {
    if (request.method !== "HEAD" || !(payload instanceof Readable)) return payload;
    // Fastify would read a recording to its end. The empty stream leaves the header content-length as the route set it.
    payload.destroy();
    return Readable.from([]);
  });
}
