// The language model that a job cannot do without: fetched before its add-ons run, where it may be. Without it the add-on says in its
// own result what is missing.
import type { JobParameters } from "../../../contract/job-parameters.ts";
import { toParlanceError } from "../../../platform/errors.ts";
import { mustWait } from "../../../platform/storage/when-possible.ts";
import { typesForModel } from "../../intelligence/redaction-types.ts";
import { chosenLanguageModel, fetchedLanguageModel } from "../../models/language-model-choice.ts";
import { abortable } from "./abortable.ts";
import type { StageContext } from "./stage.ts";

const PROGRESS_MILLISECONDS = 1_000;
/** Share of the stage's progress that fetching takes. */
const FETCHING_SHARE = 0.5;
/** Summaries and chapters are made by rules until a model is installed: they do not wait for hundreds of megabytes. */
const NEEDING = ["audio_to_llm", "structured_data_extraction", "action_items", "questions"] as const;

function needsForRedaction({ pii_redaction, pii_redaction_config, language_config }: JobParameters): boolean {
  const types = pii_redaction_config?.entity_types;
  return pii_redaction === true && typesForModel(types, language_config.languages).length > 0;
}

export async function fetchLanguageModel({ job, services, signal, progress }: StageContext): Promise<void> {
  const { models, supply, speech, resultProcesses, logger } = services;
  const setting = resultProcesses.ownLanguageModel;
  const needs = NEEDING.some((addon) => job.params[addon] === true) || needsForRedaction(job.params);
  if (!needs || setting === undefined || !supply || !speech.fetchModels) return;
  if (await chosenLanguageModel(models, setting)) return;
  const name = fetchedLanguageModel(setting);
  const watch = setInterval(() => progress(FETCHING_SHARE * (supply.shareOf(name) ?? 0)), PROGRESS_MILLISECONDS);
  try {
    await abortable(supply.ensure(name), signal);
  } catch (thrown) {
    signal.throwIfAborted();
    // A passing error says nothing about the model: the job waits.
    if (mustWait(thrown)) throw thrown;
    const { code, message } = toParlanceError(thrown);
    logger.warn({ job: job.id, model: name, code, reason: message }, "the language model could not be fetched");
  } finally {
    clearInterval(watch);
  }
}
