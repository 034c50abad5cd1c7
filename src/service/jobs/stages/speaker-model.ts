// The speaker model of a job: fetched on first need. Without it, the recogniser's encoder distinguishes the speakers.
import { toParlanceError } from "../../../platform/errors.ts";
import { OPTIONAL_REST_MILLISECONDS } from "../../models/supply.ts";
import { abortable } from "./abortable.ts";
import type { StageContext } from "./stage.ts";

const PROGRESS_MILLISECONDS = 1_000;
/** Share of the stage's progress that fetching takes. */
const FETCH_SHARE = 0.1;

/** @returns undefined if none is installed and none can be fetched */
export async function speakerModelFor({ job, services, signal, progress }: StageContext): Promise<string | undefined> {
  const { models, supply, speech, logger, speakerModel } = services;
  if (speakerModel === "") return undefined;
  if (await models.findSpeakerModel(speakerModel)) return speakerModel;
  if (!supply || !speech.fetchModels) return undefined;
  const watch = setInterval(() => progress(FETCH_SHARE * (supply.shareOf(speakerModel) ?? 0)), PROGRESS_MILLISECONDS);
  try {
    await abortable(supply.ensure(speakerModel, OPTIONAL_REST_MILLISECONDS), signal);
  } catch (thrown) {
    signal.throwIfAborted();
    const { code, message } = toParlanceError(thrown);
    logger.warn({ job: job.id, model: speakerModel, code, reason: message }, "the speaker model could not be fetched");
    return undefined;
  } finally {
    clearInterval(watch);
  }
  return (await models.findSpeakerModel(speakerModel))?.id;
}
