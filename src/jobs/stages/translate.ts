// What is said in other languages → English, where it is wanted and nobody else translates: by the model that heard it, or
// another one that can. A failure here costs the translation, not the transcript.
import { readFile } from "node:fs/promises";
import { toParlanceError } from "../../errors.ts";
import { englishTranslatorOf } from "../../models/speech-plan.ts";
import type { RecognizedSegment } from "../transcription.ts";
import { openLines } from "./line-log.ts";
import { parseRecognized, speechPlanOf } from "./recognize.ts";
import { forEachTask, grouped, readGroup, type SegmentTask, taskName } from "./segment-reading.ts";
import { recognizedKey, type Stage, type StageContext, translatedKey } from "./stage.ts";

function isWanted({ job, services }: StageContext): boolean {
  const { target_languages = [] } = (job.params["translation_config"] ?? {}) as { target_languages?: string[] };
  return job.params["translation"] === true && target_languages.includes("en") && !services.analyst.translates;
}

/** @returns how many segments are written down in English */
async function translateAll(context: StageContext): Promise<number> {
  const { job, services, progress } = context;
  const { objects } = services;
  const model = englishTranslatorOf(await speechPlanOf(context), await services.models.list());
  if (model === undefined) return 0;
  const recognized = parseRecognized(await readFile(await objects.localPath(recognizedKey(job.id)), "utf8")).sort(
    (left, right) => left.channel - right.channel || left.segment.startSample - right.segment.startSample,
  );
  const foreign = recognized.filter(({ language, words }) => language !== "en" && words.length > 0);
  const log = await openLines<RecognizedSegment>(await objects.localPath(translatedKey(job.id)));
  try {
    const done = new Set(log.lines.map(taskName));
    let finished = done.size;
    const waiting = foreign.filter((segment) => !done.has(taskName(segment)));
    const languageOf = new Map(foreign.map((segment) => [taskName(segment), segment.language]));
    const isSame = (left: SegmentTask, right: SegmentTask) =>
      languageOf.get(taskName(left)) === languageOf.get(taskName(right));
    await forEachTask(grouped(waiting, recognized, isSame), context, async (group, signal) => {
      const { channel, segments } = group;
      const language = languageOf.get(taskName({ channel, segment: segments[0] })) ?? "";
      const reading = { model, languages: [language], task: "translate" as const };
      const lines = await readGroup(group, { ...context, signal }, reading);
      await log.append(...lines.map((line) => ({ ...line, language: "en" })));
      finished += segments.length;
      progress(finished / foreign.length);
    });
    return foreign.length;
  } finally {
    await log.close();
  }
}

export const translateStage: Stage<"translate"> = {
  name: "translate",
  weight: 0.05,
  keepsProgress: true,
  async run(context) {
    if (!isWanted(context)) return { segments: 0 };
    try {
      return { segments: await translateAll(context) };
    } catch (thrown) {
      context.signal.throwIfAborted();
      const { code, message } = toParlanceError(thrown);
      context.services.logger.warn({ job: context.job.id, code, reason: message }, "nothing could be translated");
      return { segments: 0 };
    }
  },
};
