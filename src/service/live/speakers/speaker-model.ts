// The speaker model of a live session: fetched on first need, while the session already transcribes.

import { type FoundModel, fetchedModel } from "../../models/optional-model.ts";
import type { ModelStore } from "../../models/store.ts";
import type { ModelSupply } from "../../models/supply.ts";

export interface SpeakerModels {
  models: Pick<ModelStore, "findSpeakerModel">;
  supply: Pick<ModelSupply, "ensure">;
  /** Id of the speaker model; empty for none. */
  speakerModel: string;
  mayFetch: boolean;
}

/** @returns the id of the installed model, or a sentence with the reason why there is none and what to do */
export const fetchedSpeakerModel = ({ models, supply, speakerModel, mayFetch }: SpeakerModels): Promise<FoundModel> =>
  fetchedModel({
    ...{ id: speakerModel, kind: "speaker model", variable: "PARLANCE_SPEAKER_MODEL", supply, mayFetch },
    isInstalled: async () => (await models.findSpeakerModel(speakerModel)) !== undefined,
  });
