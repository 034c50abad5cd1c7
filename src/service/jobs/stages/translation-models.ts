// Translation models that a job needs: fetched before its add-ons run, where they may be. Without them the add-on says in its own
// result what is missing.
import { toParlanceError } from "../../../platform/errors.ts";
import { mustWait } from "../../../platform/storage/when-possible.ts";
import { missingModels } from "../../models/translation-needs.ts";
import { abortable } from "./abortable.ts";
import type { StageContext } from "./stage.ts";

const PROGRESS_MILLISECONDS = 1_000;

/**
 * Fetches what a job's translation lacks; a model that cannot be fetched is left out.
 * @param sources  languages that are spoken
 * @throws an error that passes
 */
export async function fetchTranslationModels(
  { services, signal, progress, job }: StageContext,
  sources: readonly string[],
  targets: readonly string[],
): Promise<void> {
  const { models, supply, speech, logger } = services;
  if (!supply || !speech.fetchModels) return;
  const wanted = new Set<string>();
  for (const source of sources) {
    for (const target of targets) for (const id of await missingModels(models, source, target)) wanted.add(id);
  }
  let done = 0;
  for (const id of wanted) {
    signal.throwIfAborted();
    const watch = setInterval(() => progress((done + (supply.shareOf(id) ?? 0)) / wanted.size), PROGRESS_MILLISECONDS);
    try {
      await abortable(supply.ensure(id), signal);
    } catch (thrown) {
      signal.throwIfAborted();
      // A passing error says nothing about the model: the job waits.
      if (mustWait(thrown)) throw thrown;
      const { code, message } = toParlanceError(thrown);
      logger.warn({ job: job.id, model: id, code, reason: message }, "a translation model could not be fetched");
    } finally {
      clearInterval(watch);
    }
    done++;
  }
}
