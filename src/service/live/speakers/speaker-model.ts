// The speaker model of a live session: fetched on first need, while the session already transcribes.
import { PARLANCE } from "../../../platform/command-prefix.ts";
import { toParlanceError } from "../../../platform/errors.ts";
import type { ModelStore } from "../../models/store.ts";
import { type ModelSupply, OPTIONAL_REST_MILLISECONDS } from "../../models/supply.ts";

export interface SpeakerModels {
  models: Pick<ModelStore, "findSpeakerModel">;
  supply: Pick<ModelSupply, "ensure">;
  /** Id of the speaker model; empty for none. */
  speakerModel: string;
  mayFetch: boolean;
}

export type FoundModel = { model: string } | { problem: string };

/** @returns the id of the installed model, or a sentence with the reason why there is none and what to do */
export async function fetchedSpeakerModel({
  models,
  supply,
  speakerModel,
  mayFetch,
}: SpeakerModels): Promise<FoundModel> {
  const problem = (reason: string) => ({ problem: reason });
  if (speakerModel === "") return problem("PARLANCE_SPEAKER_MODEL names no speaker model");
  const install = `the operator can add it: ${PARLANCE} models add ${speakerModel}`;
  const missing = `the speaker model ${speakerModel} is not installed`;
  if (await models.findSpeakerModel(speakerModel)) return { model: speakerModel };
  if (!mayFetch) return problem(`${missing}; ${install}`);
  try {
    await supply.ensure(speakerModel, OPTIONAL_REST_MILLISECONDS);
  } catch (thrown) {
    return problem(`${missing} and could not be fetched (${toParlanceError(thrown).message}); ${install}`);
  }
  const isInstalled = await models.findSpeakerModel(speakerModel);
  return isInstalled ? { model: speakerModel } : problem(`${speakerModel} is not a speaker model`);
}
