// The request for another job of the recording of a job. Pure.
import type { Values } from "../parts/schema-form.tsx";
import type { Job } from "../shapes.ts";

/** Fields that the service adds to a request: no request has them. */
const ADDED = new Set(["account_words", "warnings"]);

/** A live session has no stored file that a request could name. */
export const isRepeatable = ({ kind, request_params: params }: Pick<Job, "kind" | "request_params">): boolean =>
  kind !== "live" && typeof params?.["audio_url"] === "string";

/**
 * @returns the request of a job without fields that the service added, and without callbacks: they were called when the first result
 *   was ready; undefined if there is no file
 */
export function requestAgain(job: Pick<Job, "kind" | "request_params">): Values | undefined {
  if (!isRepeatable(job)) return undefined;
  const kept = Object.entries(job.request_params ?? {}).filter(
    ([name, value]) => value !== null && !name.startsWith("callback") && !ADDED.has(name),
  );
  return Object.fromEntries(kept);
}
