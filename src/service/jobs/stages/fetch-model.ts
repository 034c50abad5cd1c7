// Fetches a model that a part of the result needs. Without it, that part says what is missing.
import { toParlanceError } from "../../../platform/errors.ts";
import { mustWait } from "../../../platform/storage/when-possible.ts";
import type { ModelSupply } from "../../models/supply.ts";
import { abortable } from "./abortable.ts";
import type { StageContext } from "./stage.ts";

const PROGRESS_MILLISECONDS = 1_000;

/**
 * Resolves also if the model cannot be fetched.
 * @param onShare  called with the part of it that was downloaded, 0 to 1
 * @param failure  for the log
 * @throws an error that passes: it says nothing about the model, and the job waits
 */
export async function tryToFetch(
  id: string,
  supply: ModelSupply,
  { job, services, signal }: StageContext,
  onShare: (share: number) => void,
  failure: string,
): Promise<void> {
  const watch = setInterval(() => onShare(supply.shareOf(id) ?? 0), PROGRESS_MILLISECONDS);
  try {
    await abortable(supply.ensure(id), signal);
  } catch (thrown) {
    signal.throwIfAborted();
    if (mustWait(thrown)) throw thrown;
    const { code, message } = toParlanceError(thrown);
    services.logger.warn({ job: job.id, model: id, code, reason: message }, failure);
  } finally {
    clearInterval(watch);
  }
}
