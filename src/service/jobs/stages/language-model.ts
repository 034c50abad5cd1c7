// The language model that a job cannot do without: fetched before its add-ons run, where it may be. Without it the add-on says in its
// own result what is missing.
import type { JobParameters } from "../../../contract/job-parameters.ts";
import { typesForModel } from "../../intelligence/redaction-types.ts";
import { chosenLanguageModel, fetchedLanguageModel } from "../../models/language-model-choice.ts";
import { tryToFetch } from "./fetch-model.ts";
import type { StageContext } from "./stage.ts";

/** Share of the stage's progress that fetching takes. */
const FETCHING_SHARE = 0.5;
/** Summaries and chapters are made by rules until a model is installed: they do not wait for hundreds of megabytes. */
const NEEDING = ["audio_to_llm", "structured_data_extraction", "action_items", "questions"] as const;

function needsForRedaction({ pii_redaction, pii_redaction_config, language_config }: JobParameters): boolean {
  const types = pii_redaction_config?.entity_types;
  return pii_redaction === true && typesForModel(types, language_config.languages).length > 0;
}

/** @throws an error that passes */
export async function fetchLanguageModel(context: StageContext): Promise<void> {
  const { job, services, progress } = context;
  const { models, supply, speech, resultProcesses } = services;
  const setting = resultProcesses.ownLanguageModel;
  const needs = NEEDING.some((addon) => job.params[addon] === true) || needsForRedaction(job.params);
  if (!needs || setting === undefined || !supply || !speech.fetchModels) return;
  if (await chosenLanguageModel(models, setting)) return;
  const onShare = (share: number) => progress(FETCHING_SHARE * share);
  const failure = "the language model could not be fetched";
  await tryToFetch(fetchedLanguageModel(setting), supply, context, onShare, failure);
}
