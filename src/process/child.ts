// The other side of a supervised process: serves requests as they come and ends with its parent.
import { ParlanceError } from "../errors.ts";
import type { ChildMessage, ParentMessage } from "./supervised-process.ts";

export interface ServeOptions {
  /** How often memory is reported, if at all. */
  memoryReportMilliseconds?: number;
  /**
   * Garbage is collected after so many requests, where the process runs with --expose-gc: of many small ones a hundred
   * megabytes pile up otherwise before V8 looks.
   */
  collectEvery?: number;
}

/**
 * Answers the parent's requests with `handle` until the parent goes away.
 * @param handle  may report progress; what it throws becomes the call's failure
 */
export function serveParent<Request, Response>(
  handle: (request: Request, progress: (value: number) => void) => Promise<Response>,
  options: ServeOptions = {},
): void {
  const send = (message: ChildMessage<Response>) => process.send?.(message);
  let requests = 0;
  process.on("message", ({ call, request }: ParentMessage<Request>) => {
    requests++;
    if (options.collectEvery !== undefined && requests % options.collectEvery === 0) globalThis.gc?.();
    handle(request, (value) => send({ kind: "progress", call, value })).then(
      (response) => send({ kind: "answer", call, response }),
      (thrown: unknown) =>
        send({
          kind: "failure",
          call,
          message: thrown instanceof Error ? thrown.message : String(thrown),
          ...(thrown instanceof ParlanceError ? { error: { code: thrown.code, status: thrown.status } } : {}),
        }),
    );
  });
  process.on("disconnect", () => process.exit(0));
  // The parent decides when to end: a Ctrl-C in a terminal reaches the whole group.
  process.on("SIGINT", () => undefined);
  process.on("SIGTERM", () => undefined);
  if (options.memoryReportMilliseconds !== undefined) {
    setInterval(
      () => send({ kind: "memory", bytes: process.memoryUsage.rss() }),
      options.memoryReportMilliseconds,
    ).unref();
  }
  send({ kind: "ready" });
}
