// Recognises the segments, each with the model for its language. Each recognised segment is stored at once, so that an
// interrupted job resumes with the next one.
import { readFile } from "node:fs/promises";
import { printJsonLine, readJsonLinesOf } from "../../../platform/storage/json-lines.ts";
import { parseActivity } from "../../../speech/audio/voice-activity/stored-activity.ts";
import { boundedStretches } from "../../../speech/audio/voice-activity/wordless-speech.ts";
import { languageRequestOf, planSpeech, type SpeechPlan } from "../../models/speech-plan.ts";
import type { RecognizedSegment } from "../../transcripts/recognized-segments.ts";
import { findForeignSpeech } from "./foreign-speech.ts";
import { keepCheckpoint } from "./keep.ts";
import { openLines } from "./line-log.ts";
import { withSecondLanguages } from "./second-language.ts";
import {
  forEachTask,
  grouped,
  recognizeGroup,
  type SegmentGroup,
  type SegmentRecognition,
  type SegmentTask,
  taskName,
  ungrouped,
} from "./segment-recognition.ts";
import { findLanguages, firstOfChannels, type SpokenLanguages } from "./spoken-languages.ts";
import type { ChannelSegments, Stage, StageContext, StageServices } from "./stage.ts";
import { wordlessSpeech } from "./wordless-speech.ts";

/** Segments stored by an earlier run. */
export const readRecognized = async ({ files, services }: StageContext): Promise<RecognizedSegment[]> =>
  readJsonLinesOf(await services.objects.localPath(files.recognized));

/** @throws models.missing if the model was removed since the job was accepted */
export async function speechPlanOf({ job, services }: StageContext): Promise<SpeechPlan> {
  const plan = planSpeech(languageRequestOf(job.params), await services.models.list(), services.speech);
  await services.models.get(plan.model);
  return plan;
}

const hasNamedLanguage = ({ languages }: SpeechPlan) => languages.length === 1;

/** Model and languages for a segment of this language. */
function recognitionFor(
  { model, englishModel, languages }: SpeechPlan,
  language: string | undefined,
): SegmentRecognition {
  const usesEnglishModel = language === "en" && englishModel !== undefined;
  return { model: usesEnglishModel ? englishModel : model, languages: language === undefined ? languages : [language] };
}

/** Interval of copying the log to the object store: work that the loss of a machine may repeat. */
const KEEP_MILLISECONDS = 15_000;
/** The interval for a job whose client receives the text while it is recognised: the process with the client's connection reads the copy. */
const FOLLOWED_MILLISECONDS = 1_000;
/** Of the English models. */
const SECONDS_PER_AUDIO_SECOND: Readonly<Record<string, number>> = {
  "moonshine-base-en": 0.025,
  "moonshine-tiny-en": 0.015,
};
const MULTILINGUAL_SECONDS = 0.12;
/** Share of the stage's work that is language detection. */
const DETECTION_SHARE = 0.3;

/**
 * Groups segments as their models require. Models keep their order in `all`, whichever segments are finished.
 * @param waiting  those of `all` that are not finished
 */
export async function groupsOf(
  waiting: readonly SegmentTask[],
  all: readonly SegmentTask[],
  { services }: { services: { recognition: Pick<StageServices["recognition"], "capabilitiesOf"> } },
  readingFor: (task: SegmentTask) => SegmentRecognition,
): Promise<SegmentGroup[]> {
  const groups: SegmentGroup[] = [];
  for (const model of new Set(all.map((task) => readingFor(task).model))) {
    const own = waiting.filter((task) => readingFor(task).model === model);
    if (own.length === 0) continue;
    const { bearsPauses } = await services.recognition.capabilitiesOf(model);
    const isSame = (left: SegmentTask, right: SegmentTask) =>
      readingFor(left).languages.join() === readingFor(right).languages.join();
    groups.push(...(bearsPauses ? grouped(own, all, isSame) : ungrouped(own)));
  }
  return groups;
}

/** Segments that were transcribed in the right language during language detection. */
function transcribedAlready(tasks: readonly SegmentTask[], plan: SpeechPlan, spoken: SpokenLanguages | undefined) {
  const lines: RecognizedSegment[] = [];
  for (const task of tasks) {
    const transcribed = spoken?.transcribed.get(taskName(task));
    const language = spoken?.languageOf(task);
    if (!transcribed || transcribed.language !== language || recognitionFor(plan, language).model !== plan.model)
      continue;
    const { languageProbabilities: _, ...line } = transcribed;
    lines.push(line);
  }
  return lines;
}

/** Speech that is recognised if the request needs the language alone and the model does not detect it: the check for English needs more. */
const CHECKED_SECONDS = 60;

/** Segments that are recognised. Exported for its test. */
export function neededTasks(
  all: readonly SegmentTask[],
  { job }: StageContext,
  detectsItself: boolean,
): readonly SegmentTask[] {
  if (job.params.detects_only !== true) return all;
  return detectsItself ? firstOfChannels(all) : firstOfChannels(all, CHECKED_SECONDS, all.length);
}

/**
 * Discards the segments of an earlier attempt if the installed models or the settings have changed since: the check for foreign speech
 * applies the rules of one model alone. It also discards them if the recording was divided differently, as after an upgrade: words would be doubled.
 */
async function discardOtherPlans(plan: SpeechPlan, { files, job, outputs, services }: StageContext): Promise<void> {
  const { objects, logger } = services;
  const line = printJsonLine({ ...plan, segments: outputs.segment?.hash });
  const known = await readFile(await objects.localPath(files.plan), "utf8").catch(() => undefined);
  if (known === line) return;
  if (known !== undefined) {
    logger.info(
      { job: job.id, before: known.trim(), now: line.trim() },
      "other models or segments are used: all segments are recognised again",
    );
    for (const log of [files.detectedLanguages, files.recognized]) await objects.put(log, "");
  }
  await objects.put(files.plan, line);
}

export const recognizeStage: Stage<"recognize"> = {
  name: "recognize",
  cost: ({ model, params }) => ({
    kind: ["recognize", model, ...(params.language_config.code_switching ? ["switching"] : [])].join(" "),
    secondsPerAudioSecond: SECONDS_PER_AUDIO_SECOND[model] ?? MULTILINGUAL_SECONDS,
    seconds: 0.1,
  }),
  keepsProgress: true,
  async run(context) {
    const { services, progress } = context;
    const { objects } = services;
    const channels = JSON.parse(
      await readFile(await objects.localPath(context.files.segments), "utf8"),
    ) as ChannelSegments[];
    const all = channels.flatMap(({ channel, segments }) => segments.map((segment) => ({ channel, segment })));
    const activity = new Map(channels.map((one) => [one.channel, parseActivity(one.activity ?? "")]));
    const plan = await speechPlanOf(context);
    await discardOtherPlans(plan, context);
    const { languageDetection } = await services.recognition.capabilitiesOf(plan.model);
    const tasks = neededTasks(all, context, languageDetection);
    const needsDetection = languageDetection && !hasNamedLanguage(plan) && tasks.length > 0;
    const before = needsDetection ? DETECTION_SHARE : 0;
    const spoken = needsDetection
      ? await findLanguages(plan, tasks, context, (share) => progress(before * share))
      : undefined;
    const log = await openLines<RecognizedSegment>(await objects.localPath(context.files.recognized));
    try {
      const done = new Set(log.lines.map(taskName));
      const open = tasks.filter((task) => !done.has(taskName(task)));
      // One language was chosen for each channel.
      const isChosen = spoken !== undefined && !plan.isSwitching;
      const activityOf = (channel: number) => activity.get(channel);
      const ofLanguage = (language?: string) => ({ ...recognitionFor(plan, language), activityOf });
      const checked = async (lines: readonly RecognizedSegment[], ofTask = context) =>
        isChosen ? withSecondLanguages(lines, plan, ofLanguage, ofTask) : [...lines];
      const known = transcribedAlready(open, plan, spoken);
      await log.append(...(await checked(known)));
      const isKnown = new Set(known.map(taskName));
      const waiting = open.filter((task) => !isKnown.has(taskName(task)));
      let finished = tasks.length - waiting.length;
      let kept = performance.now();
      const keepMilliseconds = context.job.params.is_followed === true ? FOLLOWED_MILLISECONDS : KEEP_MILLISECONDS;
      const optionsFor = (task: SegmentTask) => ofLanguage(spoken?.languageOf(task));
      const groups = await groupsOf(waiting, tasks, context, optionsFor);
      const recognize = async (group: SegmentGroup, ofTask: StageContext) => {
        const options = optionsFor({ channel: group.channel, segment: group.segments[0] });
        await log.append(...(await checked(await recognizeGroup(group, ofTask, options), ofTask)));
        finished += group.segments.length;
        if (performance.now() - kept > keepMilliseconds) {
          kept = performance.now();
          await keepCheckpoint(context, context.files.recognized);
        }
        progress(before + ((1 - before) * finished) / tasks.length);
      };
      await forEachTask(groups, context, recognize, { isLogged: true });
      const lines = await readRecognized(context);
      const findings = await findForeignSpeech(lines, plan, context);
      const wordless = tasks.length < all.length ? [] : await wordlessSpeech(activity, lines, context);
      return {
        recognizedCount: tasks.length,
        ...(lines.some(({ words }) => words.length > 0) ? {} : { isWordless: true }),
        ...findings,
        ...boundedStretches(wordless),
        ...(spoken?.confidence === undefined ? {} : { languageConfidence: spoken.confidence }),
      };
    } finally {
      await log.close();
    }
  },
};
