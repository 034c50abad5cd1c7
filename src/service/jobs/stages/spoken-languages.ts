// Detects the language of each segment if the request does not name it. The multilingual model transcribes in the same
// pass where possible; the languages are decided over the whole recording.

import { commonLanguage, type LanguageEvidence, languagePath } from "../../../speech/recognition/language-path.ts";
import type { SpeechPlan } from "../../models/speech-plan.ts";
import { openLines } from "./line-log.ts";
import {
  type DetectedSegment,
  forEachTask,
  grouped,
  recognizeGroup,
  type SegmentGroup,
  type SegmentTask,
  secondsOf,
  taskName,
  ungrouped,
} from "./segment-recognition.ts";
import type { StageContext } from "./stage.ts";

/** Speech from the beginning over which a single language is decided. */
const ENOUGH_SECONDS = 12;
/** Alternatively this number of segments, if they contain this much speech: a few short words are not enough. */
const MOST_SEGMENTS = 4;
const LEAST_SECONDS = 3;

/** The first segments that contain the given amount of speech together. */
export function firstOf(
  tasks: readonly SegmentTask[],
  enoughSeconds = ENOUGH_SECONDS,
  mostSegments = MOST_SEGMENTS,
): SegmentTask[] {
  const first: SegmentTask[] = [];
  let seconds = 0;
  for (const task of tasks) {
    if (seconds >= enoughSeconds || (first.length >= mostSegments && seconds >= LEAST_SECONDS)) break;
    first.push(task);
    seconds += secondsOf(task);
  }
  return first;
}

export interface SpokenLanguages {
  languageOf(task: SegmentTask): string | undefined;
  /** Probability of the one language of the whole recording, 0 to 1; undefined if the language may change. */
  confidence: number | undefined;
  /** Transcriptions made during the detection, by task name. */
  transcribed: ReadonlyMap<string, DetectedSegment>;
}

const evidenceOf = (detected: DetectedSegment): LanguageEvidence => ({
  seconds: secondsOf(detected),
  probabilities: detected.languageProbabilities ?? [[detected.language, 1]],
});

/** Mean probability of a language over sections, by their lengths. */
function meanProbability(sections: readonly LanguageEvidence[], language: string): number {
  const total = sections.reduce((sum, { seconds }) => sum + seconds, 0);
  const of = ({ probabilities }: LanguageEvidence) => probabilities.find(([name]) => name === language)?.[1] ?? 0;
  return sections.reduce((sum, section) => sum + section.seconds * of(section), 0) / total;
}

/** @param tasks  of all channels, each channel's in time order */
export async function findLanguages(
  plan: SpeechPlan,
  tasks: readonly SegmentTask[],
  context: StageContext,
  progress: (share: number) => void,
): Promise<SpokenLanguages> {
  const { job, services } = context;
  const { bearsPauses } = await services.recognition.capabilitiesOf(plan.model);
  const examined = plan.isSwitching ? tasks : firstOf(tasks);
  const log = await openLines<DetectedSegment>(await services.objects.localPath(context.files.detectedLanguages));
  const detected = new Map(log.lines.map((line) => [taskName(line), line]));
  try {
    const waiting = examined.filter((task) => !detected.has(taskName(task)));
    // If the language may change, each segment is detected separately.
    const groups = !bearsPauses ? ungrouped(waiting) : grouped(waiting, tasks, () => !plan.isSwitching);
    const detect = async (group: SegmentGroup, ofTask: StageContext) => {
      const { model, languages, englishModel } = plan;
      const options = { model, languages, detectOnlyLanguages: englishModel ? ["en"] : [] };
      const lines = await recognizeGroup(group, ofTask, options);
      await log.append(...lines);
      for (const line of lines) detected.set(taskName(line), line);
      progress(detected.size / examined.length);
    };
    await forEachTask(groups, context, detect, { isLogged: true });
  } finally {
    await log.close();
  }
  const detectedFor = (task: SegmentTask) => detected.get(taskName(task)) as DetectedSegment;
  const decided = new Map<string, string>();
  if (plan.isSwitching) {
    for (const channel of new Set(tasks.map((task) => task.channel))) {
      const own = tasks.filter((task) => task.channel === channel);
      for (const [at, language] of languagePath(own.map((task) => evidenceOf(detectedFor(task)))).entries()) {
        decided.set(taskName(own[at] as SegmentTask), language);
      }
    }
  }
  const evidence = examined.map((task) => evidenceOf(detectedFor(task)));
  const common = commonLanguage(evidence);
  const confidence = plan.isSwitching || common === undefined ? undefined : meanProbability(evidence, common);
  const probabilities = examined
    .map(detectedFor)
    .map(({ languageProbabilities }) => languageProbabilities?.slice(0, 2));
  services.logger.info(
    { job: job.id, language: plan.isSwitching ? "switching" : common, probabilities },
    "language detected",
  );
  return { languageOf: (task) => decided.get(taskName(task)) ?? common, confidence, transcribed: detected };
}
