// The span of a task in the trace of its request.
import type { Tracing } from "../../platform/observability/tracing.ts";
import type { InferenceRequest } from "./message.ts";

interface TracedTask {
  request: InferenceRequest;
  /** When it was enqueued, milliseconds. */
  enqueuedAt: number;
  /** traceparent of the caller. */
  trace: string | undefined;
}

/** @param started  when the task left the queue, milliseconds */
export function recordTrace(
  tracing: Tracing | undefined,
  { request, enqueuedAt, trace }: TracedTask,
  started: number,
): void {
  if (trace === undefined) return;
  const ago = (at: number) => new Date(Date.now() - (performance.now() - at));
  const waitedMilliseconds = Math.round(started - enqueuedAt);
  tracing?.record(`inference ${request.kind}`, ago(enqueuedAt), new Date(), {
    parent: trace,
    attributes: { "parlance.waited_milliseconds": waitedMilliseconds },
  });
}
