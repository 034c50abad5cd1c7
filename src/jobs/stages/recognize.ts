// Segments → words, each by the model that knows its language. Every recognised segment is written down at once, so that
// an interrupted job goes on with the next segment and not with the first.
import { readFile } from "node:fs/promises";
import { languageRequestOf, planSpeech, type SpeechPlan } from "../../models/speech-plan.ts";
import { parseJsonLines } from "../../storage/json-lines.ts";
import type { RecognizedSegment } from "../transcription.ts";
import { openLines } from "./line-log.ts";
import {
  alone,
  forEachTask,
  grouped,
  type Reading,
  readGroup,
  type SegmentGroup,
  type SegmentTask,
  taskName,
} from "./segment-reading.ts";
import { findLanguages, type SpokenLanguages } from "./spoken-languages.ts";
import { type ChannelSegments, recognizedKey, type Stage, type StageContext, segmentsKey } from "./stage.ts";

/** What an earlier run wrote down. */
export const parseRecognized = (text: string) => parseJsonLines<RecognizedSegment>(text);

/** @throws models.missing where the model was removed since the job was accepted */
export async function speechPlanOf({ job, services }: StageContext): Promise<SpeechPlan> {
  const plan = planSpeech(languageRequestOf(job.params), await services.models.list(), services.speech);
  await services.models.get(plan.model);
  return plan;
}

const isTold = ({ languages }: SpeechPlan) => languages.length === 1;

/** How a segment of this language is read. */
export function readingOf({ model, englishModel, languages }: SpeechPlan, language: string | undefined): Reading {
  const isLeft = language === "en" && englishModel !== undefined;
  return { model: isLeft ? englishModel : model, languages: language === undefined ? languages : [language] };
}

/** How much work a machine that dies may take with it. */
const KEEP_MILLISECONDS = 15_000;
/** Share of the work that listening for languages is. */
const LISTENING_SHARE = 0.3;

/** Segments as the models that read them want to hear them. */
async function groupsOf(
  waiting: readonly SegmentTask[],
  all: readonly SegmentTask[],
  { services }: StageContext,
  readingFor: (task: SegmentTask) => Reading,
): Promise<SegmentGroup[]> {
  const groups: SegmentGroup[] = [];
  for (const model of new Set(waiting.map((task) => readingFor(task).model))) {
    const own = waiting.filter((task) => readingFor(task).model === model);
    const { bearsPauses } = await services.recognition.capabilitiesOf(model);
    const isSame = (left: SegmentTask, right: SegmentTask) =>
      readingFor(left).languages.join() === readingFor(right).languages.join();
    groups.push(...(bearsPauses ? grouped(own, all, isSame) : alone(own)));
  }
  return groups;
}

/** What was written down in this language while it was looked for, of the segments that are still to be read. */
function readAlready(tasks: readonly SegmentTask[], plan: SpeechPlan, spoken: SpokenLanguages | undefined) {
  const lines: RecognizedSegment[] = [];
  for (const task of tasks) {
    const heard = spoken?.heard.get(taskName(task));
    const language = spoken?.languageOf(task);
    if (!heard || heard.language !== language || readingOf(plan, language).model !== plan.model) continue;
    const { languageProbabilities: _, ...line } = heard;
    lines.push(line);
  }
  return lines;
}

export const recognizeStage: Stage<"recognize"> = {
  name: "recognize",
  weight: 0.55,
  keepsProgress: true,
  async run(context) {
    const { job, services, progress } = context;
    const { objects } = services;
    const channels = JSON.parse(
      await readFile(await objects.localPath(segmentsKey(job.id)), "utf8"),
    ) as ChannelSegments[];
    const tasks = channels.flatMap(({ channel, segments }) => segments.map((segment) => ({ channel, segment })));
    const plan = await speechPlanOf(context);
    const { languageDetection } = await services.recognition.capabilitiesOf(plan.model);
    const mustListen = languageDetection && !isTold(plan) && tasks.length > 0;
    const before = mustListen ? LISTENING_SHARE : 0;
    const spoken = mustListen
      ? await findLanguages(plan, tasks, context, (share) => progress(before * share))
      : undefined;
    const log = await openLines<RecognizedSegment>(await objects.localPath(recognizedKey(job.id)));
    try {
      const done = new Set(log.lines.map(taskName));
      const open = tasks.filter((task) => !done.has(taskName(task)));
      const known = readAlready(open, plan, spoken);
      await log.append(...known);
      const isKnown = new Set(known.map(taskName));
      const waiting = open.filter((task) => !isKnown.has(taskName(task)));
      let finished = tasks.length - waiting.length;
      let kept = performance.now();
      const readingFor = (task: SegmentTask) => readingOf(plan, spoken?.languageOf(task));
      await forEachTask(await groupsOf(waiting, tasks, context, readingFor), context, async (group, signal) => {
        const reading = readingFor({ channel: group.channel, segment: group.segments[0] });
        await log.append(...(await readGroup(group, { ...context, signal }, reading)));
        finished += group.segments.length;
        if (performance.now() - kept > KEEP_MILLISECONDS) {
          kept = performance.now();
          await objects.keep(recognizedKey(job.id));
        }
        progress(before + ((1 - before) * finished) / tasks.length);
      });
      return { recognizedCount: tasks.length };
    } finally {
      await log.close();
    }
  },
};
