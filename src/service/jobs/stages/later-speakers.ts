// Finds the voices of a finished recording. Without the recogniser's words, only a speaker model does it.
import { errors } from "../../../platform/errors.ts";
import { channelsSeparate, diarizationAddon } from "../../intelligence/diarization.ts";
import { speakersStage, triedNetworks } from "./speakers.ts";
import type { Stage } from "./stage.ts";

export const laterSpeakersStage: Stage<"speakers"> = {
  name: "speakers",
  cost: (job, services) => speakersStage.cost(job, services),
  /** @throws add_ons.failed without a speaker model, or if it failed */
  async run(context) {
    const { job, outputs } = context;
    if (channelsSeparate(job.params, outputs.decode?.distinctChannels.length ?? 1)) return { pieces: 0 };
    const found = await triedNetworks(context, "its transcript gets no speakers");
    if ("problem" in found) throw errors.addOnsFailed([diarizationAddon.name], found.problem);
    return found;
  },
};
