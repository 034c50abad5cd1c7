// The child's side of a supervised process: serves requests as they come and ends with its parent.
import { Socket } from "node:net";
import { ParlanceError, shortageError } from "../errors.ts";
import { CHANNEL_DESCRIPTOR, openChannel } from "./channel.ts";
import type { CatalogueError, ChildMessage } from "./child-messages.ts";
import { ALIVE_MILLISECONDS } from "./heartbeat.ts";

/** Time from the end of the last call to a garbage collection. The process must run with --expose-gc and have no call in flight. */
const IDLE_MILLISECONDS = 1_000;

export interface ServeOptions {
  /** How often memory is reported, if at all. */
  memoryReportMilliseconds?: number;
  /**
   * Number of requests after which garbage is collected, if the process runs with --expose-gc: without it, small requests
   * accumulate a hundred megabytes before V8 collects them.
   */
  collectEvery?: number;
  /** The child works on calls of several tenants concurrently, and sends heartbeats. */
  isShared?: boolean;
}

/** One request in the child. */
export interface ServedCall {
  progress(value: number): void;
  /** Sends the next piece of an answer that is streamed. */
  text(piece: string): void;
  /** Reports that the process now computes this call. */
  computing(): void;
  /** Aborted when the parent no longer waits for the answer. */
  signal: AbortSignal;
}

const ofCatalogue = ({ code, status, retryable, detail }: ParlanceError): CatalogueError => ({
  code,
  status,
  retryable,
  ...(detail === undefined ? {} : { detail }),
});

/**
 * Answers the parent's requests with `handle` until the parent has ended.
 * @param handle  may report progress; its error becomes the failure of the call
 */
export function serveParent<Request, Response>(
  handle: (request: Request, call: ServedCall) => Promise<Response>,
  options: ServeOptions = {},
): void {
  const socket = new Socket({ fd: CHANNEL_DESCRIPTOR, readable: true, writable: true });
  const cancels = new Map<number, AbortController>();
  let requests = 0;
  const collectIfIdle = () => {
    if (cancels.size === 0) globalThis.gc?.();
  };
  const idleTimer = setTimeout(collectIfIdle, IDLE_MILLISECONDS).unref();
  const onEnd = (call: number) => {
    cancels.delete(call);
    idleTimer.refresh();
  };
  const onMessage = (message: unknown) => {
    const { call, request } = (message ?? {}) as { call?: unknown; request?: Request };
    if (typeof call !== "number") return;
    if (request === undefined) {
      cancels.get(call)?.abort();
      return;
    }
    requests++;
    if (options.collectEvery !== undefined && requests % options.collectEvery === 0) globalThis.gc?.();
    const cancel = new AbortController();
    cancels.set(call, cancel);
    const served: ServedCall = {
      progress: (value) => send({ kind: "progress", call, value }),
      text: (piece) => send({ kind: "text", call, text: piece }),
      computing: () => send({ kind: "computing", call }),
      signal: cancel.signal,
    };
    const fail = (thrown: unknown) => {
      const error = thrown instanceof ParlanceError ? thrown : shortageError(thrown);
      send({
        kind: "failure",
        call,
        message: error?.message ?? (thrown instanceof Error ? thrown.message : String(thrown)),
        ...(error ? { error: ofCatalogue(error) } : {}),
      });
    };
    const answer = async () => handle(request, served);
    // If the answer cannot be sent, a failure is sent instead: the parent waits for either.
    answer()
      .finally(() => onEnd(call))
      .then((response) => transmit({ kind: "answer", call, response }, fail), fail);
  };
  const transmit = openChannel(socket, { onMessage, onUnreadable: () => process.exit(1) });
  const send = (message: ChildMessage<Response>) => transmit(message);
  socket.on("close", () => process.exit(0));
  // The parent decides when to end: a Ctrl-C in a terminal, or closing it, reaches the whole group.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
  if (options.isShared) setInterval(() => send({ kind: "alive" }), ALIVE_MILLISECONDS).unref();
  if (options.memoryReportMilliseconds !== undefined) {
    setInterval(
      () => send({ kind: "memory", bytes: process.memoryUsage.rss() }),
      options.memoryReportMilliseconds,
    ).unref();
  }
  send({ kind: "ready" });
}
