// The speaker model of a job or a live session, fetched on first need.

import { type FoundModel, fetchedModel } from "./optional-model.ts";
import type { ModelStore } from "./store.ts";
import type { ModelSupply } from "./supply.ts";

export interface SpeakerModels {
  models: Pick<ModelStore, "findSpeakerModel">;
  supply: Pick<ModelSupply, "ensure"> | undefined;
  /** Id of the speaker model; empty for none. */
  speakerModel: string;
  mayFetch: boolean;
}

/** As `fetchedModel`. */
export const fetchedSpeakerModel = ({ models, supply, speakerModel, mayFetch }: SpeakerModels): Promise<FoundModel> =>
  fetchedModel({
    ...{ id: speakerModel, kind: "speaker model", variable: "PARLANCE_SPEAKER_MODEL", supply, mayFetch },
    isInstalled: async () => (await models.findSpeakerModel(speakerModel)) !== undefined,
  });
