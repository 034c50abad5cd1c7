// The request for another job of the recording of a job. Pure.
import { DEFAULT_ALIASES } from "../../../src/contract/default-aliases.ts";
import { canJobSucceed } from "../can-succeed.ts";
import type { Values } from "../parts/schema-form.tsx";
import type { Job } from "../shapes.ts";

/** Fields that the service adds to a request: no request has them. */
const ADDED = new Set(["account_words", "warnings"]);

/** A live session has no stored file that a request could name. */
export const isRepeatable = ({ kind, request_params: params }: Pick<Job, "kind" | "request_params">): boolean =>
  kind !== "live" && typeof params?.["audio_url"] === "string";

/** Moves a vocabulary that is the value of its switch into the configuration, where the form shows it. The service ignores the configuration beside such a list. */
function withVocabularyConfig(params: Values): Values {
  const { custom_vocabulary: list, custom_vocabulary_config: config, ...others } = params;
  if (!Array.isArray(list)) return params;
  if (list.length === 0) return others;
  return {
    ...others,
    custom_vocabulary: true,
    custom_vocabulary_config: { ...(config as Values | undefined), vocabulary: list },
  };
}

/**
 * @returns the request of a job without fields that the service added, and without callbacks: they were called when the first result
 *   was ready; undefined if there is no file
 */
export function requestAgain(
  job: Pick<Job, "kind" | "request_params" | "custom_metadata" | "tags">,
): Values | undefined {
  if (!isRepeatable(job)) return undefined;
  const { request_params: params, custom_metadata, tags } = job;
  // The service stores a name of the default model where the request had none.
  const isAutomatic = DEFAULT_ALIASES.includes(String(params?.["model"]));
  const kept = Object.entries({ ...params, custom_metadata, tags: tags.length > 0 ? tags : null }).filter(
    ([name, value]) =>
      value !== null && !name.startsWith("callback") && !ADDED.has(name) && !(name === "model" && isAutomatic),
  );
  return withVocabularyConfig(Object.fromEntries(kept));
}

type FailedJob = Parameters<typeof requestAgain>[0] & Parameters<typeof canJobSucceed>[0];

/** @returns the request of another attempt with a recording that failed; undefined where none can succeed, or there is no file */
export const requestAfterFailure = (job: FailedJob): Values | undefined =>
  canJobSucceed(job) ? requestAgain(job) : undefined;
