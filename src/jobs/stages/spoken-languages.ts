// Which language each segment of a recording is in, where that was not told: heard by the multilingual model, which writes
// the words down at once where it may, and decided over the whole talk.
import type { SpeechPlan } from "../../models/speech-plan.ts";
import { commonLanguage, type LanguageEvidence, languagePath } from "../../recognition/language-path.ts";
import { openLines } from "./line-log.ts";
import {
  alone,
  forEachTask,
  grouped,
  type ReadSegment,
  readGroup,
  type SegmentTask,
  secondsOf,
  taskName,
} from "./segment-reading.ts";
import { type StageContext, soundedKey } from "./stage.ts";

/** A language that does not change is told by so much of the speech at the beginning. */
const ENOUGH_SECONDS = 12;
const MOST_SEGMENTS = 4;

function firstOf(tasks: readonly SegmentTask[]): SegmentTask[] {
  const first: SegmentTask[] = [];
  let seconds = 0;
  for (const task of tasks) {
    if (seconds >= ENOUGH_SECONDS || first.length === MOST_SEGMENTS) break;
    first.push(task);
    seconds += secondsOf(task);
  }
  return first;
}

export interface SpokenLanguages {
  languageOf(task: SegmentTask): string | undefined;
  /** What was written down while listening, by task name. */
  heard: ReadonlyMap<string, ReadSegment>;
}

const evidenceOf = (heard: ReadSegment): LanguageEvidence => ({
  seconds: secondsOf(heard),
  probabilities: heard.languageProbabilities ?? [[heard.language, 1]],
});

/** @param tasks  of all channels, each channel's in time order */
export async function findLanguages(
  plan: SpeechPlan,
  tasks: readonly SegmentTask[],
  context: StageContext,
  progress: (share: number) => void,
): Promise<SpokenLanguages> {
  const { job, services } = context;
  const { bearsPauses } = await services.recognition.capabilitiesOf(plan.model);
  const asked = plan.isSwitching ? tasks : firstOf(tasks);
  const log = await openLines<ReadSegment>(await services.objects.localPath(soundedKey(job.id)));
  const heard = new Map(log.lines.map((line) => [taskName(line), line]));
  try {
    const waiting = asked.filter((task) => !heard.has(taskName(task)));
    // Where the language may change, every stretch is heard by itself.
    const groups = !bearsPauses ? alone(waiting) : grouped(waiting, tasks, () => !plan.isSwitching);
    await forEachTask(groups, context, async (group, signal) => {
      const { model, languages, englishModel } = plan;
      const reading = { model, languages, leftLanguages: englishModel ? ["en"] : [] };
      const lines = await readGroup(group, { ...context, signal }, reading);
      await log.append(...lines);
      for (const line of lines) heard.set(taskName(line), line);
      progress(heard.size / asked.length);
    });
  } finally {
    await log.close();
  }
  const heardOf = (task: SegmentTask) => heard.get(taskName(task)) as ReadSegment;
  const decided = new Map<string, string>();
  if (plan.isSwitching) {
    for (const channel of new Set(tasks.map((task) => task.channel))) {
      const own = tasks.filter((task) => task.channel === channel);
      for (const [at, language] of languagePath(own.map((task) => evidenceOf(heardOf(task)))).entries()) {
        decided.set(taskName(own[at] as SegmentTask), language);
      }
    }
  }
  const common = commonLanguage(asked.map((task) => evidenceOf(heardOf(task))));
  const told = asked.map(heardOf).map(({ languageProbabilities }) => languageProbabilities?.slice(0, 2));
  services.logger.info(
    { job: job.id, language: plan.isSwitching ? "switching" : common, heard: told },
    "language heard",
  );
  return { languageOf: (task) => decided.get(taskName(task)) ?? common, heard };
}
