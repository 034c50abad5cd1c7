// Finds the voices of a finished recording. Without the recogniser's words, only a speaker model does it.
import { readFile } from "node:fs/promises";
import type { TranscriptionResult } from "../../../contract/transcript/transcript.ts";
import { errors } from "../../../platform/errors.ts";
import { findJob } from "../../../platform/storage/db/jobs/jobs.ts";
import { channelsSeparate, channelsWithWords, diarizationAddon } from "../../intelligence/diarization.ts";
import { speakersStage, triedNetworks } from "./speakers.ts";
import type { Stage, StageContext } from "./stage.ts";

/** Channels with words in the transcript that gets the speakers. @throws add_ons.outdated if it was deleted */
async function channelsOfResult({ job, services: { database, objects } }: StageContext): Promise<number> {
  const source = job.addedTo === null ? undefined : await findJob(database, job.addedTo);
  if (source?.status !== "done" || source.result_key === null) throw errors.addOnsOutdated();
  const text = await readFile(await objects.localPath(source.result_key), "utf8");
  return channelsWithWords((JSON.parse(text) as TranscriptionResult).transcription.utterances);
}

async function areSeparate(context: StageContext): Promise<boolean> {
  const { job, outputs } = context;
  // Only some of the distinct channels may have words.
  if (!channelsSeparate(job.params, outputs.decode?.distinctChannels.length ?? 1)) return false;
  return channelsSeparate(job.params, await channelsOfResult(context));
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
