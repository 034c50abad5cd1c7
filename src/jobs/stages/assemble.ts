// Words → the result as clients read it, add-ons included, written once. It is made in a process of its own: an hour
// of words is long to print, and add-ons take their time.
import { resultKey } from "../../storage/objects/keys.ts";
import { recognizedKey, type Stage, translatedKey, voicesKey } from "./stage.ts";

export const assembleStage: Stage<"assemble"> = {
  name: "assemble",
  weight: 0.05,
  async run({ job, outputs, services, signal }) {
    const { objects, analyst } = services;
    const key = resultKey(job.id);
    const { pieces = 0, hasFailed = false } = outputs.speakers ?? {};
    const heard = pieces > 0 ? await objects.localPath(voicesKey(job.id)) : undefined;
    const voices = hasFailed ? null : heard;
    await analyst.assemble(
      {
        recognized: await objects.localPath(recognizedKey(job.id)),
        ...(voices === undefined ? {} : { voices }),
        ...(outputs.translate?.segments ? { translated: await objects.localPath(translatedKey(job.id)) } : {}),
        result: await objects.localPath(key),
        params: job.params,
        audioSeconds: outputs.decode?.durationSeconds ?? 0,
        channels: outputs.decode?.distinctChannels.length ?? 1,
        startedAt: job.startedAt.getTime(),
      },
      signal,
    );
    await objects.keep(key);
    return { resultKey: key };
  },
};
