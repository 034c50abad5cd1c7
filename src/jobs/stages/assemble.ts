// Assembles the result from the words, including add-ons. Runs in a separate process, as printing an hour of words
// would block the service and add-ons take time.
import { resultKey } from "../../storage/objects/keys.ts";
import { warningOnForeignSpeech } from "./foreign-speech.ts";
import { fetchLanguageModel } from "./language-model.ts";
import { recognizedKey, type Stage, translatedKey, voicesKey } from "./stage.ts";

export const assembleStage: Stage<"assemble"> = {
  name: "assemble",
  weight: 0.05,
  async run(context) {
    const { job, outputs, services, signal } = context;
    await fetchLanguageModel(context);
    const { objects, addonRunner } = services;
    const key = resultKey(job.id);
    const { pieces = 0, hasFailed = false, model: speakerModel } = outputs.speakers ?? {};
    const embeddings = pieces > 0 ? await objects.localPath(voicesKey(job.id)) : undefined;
    const voices = hasFailed ? null : embeddings;
    const { track, trackCount, gaps, warnings: ofDecoding = [] } = outputs.decode ?? {};
    const foreign = outputs.recognize?.foreign;
    const ofLanguage = foreign ? [warningOnForeignSpeech(foreign, services)] : [];
    const warnings = [...(job.params.warnings ?? []), ...ofDecoding, ...ofLanguage];
    const resultHash = await addonRunner.assemble(
      job.accountId,
      {
        recognized: await objects.localPath(recognizedKey(job.id)),
        ...(voices === undefined ? {} : { voices }),
        ...(speakerModel === undefined ? {} : { speakerModel }),
        ...(outputs.translate?.segments ? { translated: await objects.localPath(translatedKey(job.id)) } : {}),
        result: await objects.localPath(key),
        params: job.params,
        audioSeconds: outputs.decode?.durationSeconds ?? 0,
        channels: outputs.decode?.distinctChannels.length ?? 1,
        startedAt: job.startedAt.getTime(),
        ...(track === undefined || trackCount === undefined ? {} : { track, trackCount }),
        ...(gaps ? { gaps } : {}),
        ...(warnings.length > 0 ? { warnings } : {}),
        ...(foreign ? { foreign: foreign.segments } : {}),
      },
      signal,
    );
    await objects.keep(key);
    return { resultKey: key, resultHash };
  },
};
