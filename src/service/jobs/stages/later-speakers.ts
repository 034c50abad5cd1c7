// Finds the voices of a finished recording. Without the recogniser's words, only a speaker model does it.
import { errors } from "../../../platform/errors.ts";
import { channelsSeparate, diarizationAddon } from "../../intelligence/diarization.ts";
import { finishedJob, spokenOf } from "./finished-job.ts";
import { speakersStage, triedNetworks } from "./speakers.ts";
import type { Stage, StageContext } from "./stage.ts";

async function areSeparate(context: StageContext): Promise<boolean> {
  const { job, outputs } = context;
  // Only some of the distinct channels may have words.
  if (!channelsSeparate(job.params, outputs.decode?.distinctChannels.length ?? 1)) return false;
  const { channels } = await spokenOf(await finishedJob(context), context);
  return channelsSeparate(job.params, channels);
}

export const laterSpeakersStage: Stage<"speakers"> = {
  name: "speakers",
  cost: (job, services) => speakersStage.cost(job, services),
  /** @throws add_ons.failed without a speaker model, or if it failed; add_ons.outdated */
  async run(context) {
    if (await areSeparate(context)) return { pieces: 0 };
    const found = await triedNetworks(context, "its transcript gets no speakers");
    if ("problem" in found) throw errors.addOnsFailed([diarizationAddon.name], found.problem);
    return found;
  },
};
