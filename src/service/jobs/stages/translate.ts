// Fetches the translation models that a job needs, before the translation add-on runs. Speech in a language without one is translated
// into English by the recogniser, if that is requested and no provider is configured. A failure here only omits the translation.
import { toParlanceError } from "../../../platform/errors.ts";
import { mustWait } from "../../../platform/storage/when-possible.ts";
import { englishTranslatorOf } from "../../models/speech-plan.ts";
import { translatedBy } from "../../models/translation-needs.ts";
import type { RecognizedSegment } from "../../transcripts/recognized-segments.ts";
import { openLines } from "./line-log.ts";
import { readRecognized, speechPlanOf } from "./recognize.ts";
import {
  forEachTask,
  grouped,
  recognizeGroup,
  type SegmentGroup,
  type SegmentTask,
  taskName,
} from "./segment-recognition.ts";
import type { Stage, StageContext, StageJob } from "./stage.ts";
import { fetchTranslationModels } from "./translation-models.ts";

const ENGLISH = "en";

function targetsOf({ params }: Pick<StageJob, "params">): readonly string[] {
  const { translation, translation_config } = params;
  return translation === true ? (translation_config?.target_languages ?? []) : [];
}

/** Languages that are spoken, by the words of the recognised segments. */
async function spokenLanguages(context: StageContext): Promise<string[]> {
  const recognized = await readRecognized(context);
  return [...new Set(recognized.flatMap(({ language, words }) => (words.length > 0 ? [language] : [])))];
}

/**
 * @param excluded  languages that need no translation here
 * @returns the number of translated segments
 */
async function translateByRecognizer(context: StageContext, excluded: ReadonlySet<string>): Promise<number> {
  const { services, progress } = context;
  const { objects } = services;
  const model = englishTranslatorOf(await speechPlanOf(context), await services.models.list());
  if (model === undefined) return 0;
  const recognized = (await readRecognized(context)).sort(
    (left, right) => left.channel - right.channel || left.segment.startSample - right.segment.startSample,
  );
  const foreign = recognized.filter(({ language, words }) => !excluded.has(language) && words.length > 0);
  if (foreign.length === 0) return 0;
  const log = await openLines<RecognizedSegment>(await objects.localPath(context.files.translated));
  try {
    const done = new Set(log.lines.map(taskName));
    let finished = done.size;
    const waiting = foreign.filter((segment) => !done.has(taskName(segment)));
    const languageOf = new Map(foreign.map((segment) => [taskName(segment), segment.language]));
    const isSame = (left: SegmentTask, right: SegmentTask) =>
      languageOf.get(taskName(left)) === languageOf.get(taskName(right));
    const translate = async (group: SegmentGroup, ofTask: StageContext) => {
      const { channel, segments } = group;
      const language = languageOf.get(taskName({ channel, segment: segments[0] })) ?? "";
      const options = { model, languages: [language], task: "translate" as const };
      const lines = await recognizeGroup(group, ofTask, options);
      await log.append(...lines.map((line) => ({ ...line, language: "en" })));
      finished += segments.length;
      progress(finished / foreign.length);
    };
    await forEachTask(grouped(waiting, recognized, isSame), context, translate, { isLogged: true });
    return foreign.length;
  } finally {
    await log.close();
  }
}

export const translateStage: Stage<"translate"> = {
  name: "translate",
  cost: () => ({ kind: "translate", secondsPerAudioSecond: 0.02, seconds: 0.5 }),
  keepsProgress: true,
  // A translation server translates the assembled transcript.
  hasWork: (job, { resultProcesses }) => targetsOf(job).length > 0 && !resultProcesses.hasTranslationServer,
  async run(context) {
    const { job, services } = context;
    const { resultProcesses, models } = services;
    if (!translateStage.hasWork?.(job, services)) return { segments: 0 };
    const targets = targetsOf(job);
    try {
      const spoken = await spokenLanguages(context);
      if (!resultProcesses.translates) await fetchTranslationModels(context, spoken, targets);
      // The result would leave such a translation out.
      const isRedacted = context.job.params.pii_redaction === true;
      if (!targets.includes(ENGLISH) || resultProcesses.translates || isRedacted) return { segments: 0 };
      const translated = await translatedBy(models, spoken, ENGLISH);
      return { segments: await translateByRecognizer(context, new Set([ENGLISH, ...translated])) };
    } catch (thrown) {
      context.signal.throwIfAborted();
      // A resource shortage is unrelated to the recording: the job waits instead of ending without a translation.
      if (mustWait(thrown)) throw thrown;
      const { code, message } = toParlanceError(thrown);
      context.services.logger.warn(
        { job: context.job.id, code, reason: message },
        "translation by the recogniser failed",
      );
      return { segments: 0 };
    }
  },
};
