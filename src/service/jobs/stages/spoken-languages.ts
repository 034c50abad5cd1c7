// Detects the language of each segment if the request does not name it. The multilingual model transcribes in the same
// pass where possible; the languages are decided over the whole recording, for each channel.

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
/** Least mean probability of the language of one channel. Below it, the channel gets the language of all channels. */
const LEAST_PROBABILITY = 0.5;

/** The first segments that contain the given amount of speech together. */
function firstOf(tasks: readonly SegmentTask[], enoughSeconds: number, mostSegments: number): SegmentTask[] {
  const first: SegmentTask[] = [];
  let seconds = 0;
  for (const task of tasks) {
    if (seconds >= enoughSeconds || (first.length >= mostSegments && seconds >= LEAST_SECONDS)) break;
    first.push(task);
    seconds += secondsOf(task);
  }
  return first;
}

const channelsOf = (tasks: readonly SegmentTask[]) => [...new Set(tasks.map(({ channel }) => channel))];

/** The first segments of each channel: one channel may be silent at first, or have another language. */
export const firstOfChannels = (
  tasks: readonly SegmentTask[],
  enoughSeconds = ENOUGH_SECONDS,
  mostSegments = MOST_SEGMENTS,
): SegmentTask[] =>
  channelsOf(tasks).flatMap((channel) =>
    firstOf(
      tasks.filter((task) => task.channel === channel),
      enoughSeconds,
      mostSegments,
    ),
  );

export interface SpokenLanguages {
  languageOf(task: SegmentTask): string | undefined;
  /** Probability of the one language of the whole recording, 0 to 1; undefined if the language may change or differs between channels. */
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

/** The language of one channel, if its sections are enough to decide it. */
function languageOfChannel(sections: readonly LanguageEvidence[]): string | undefined {
  const language = commonLanguage(sections);
  const total = sections.reduce((sum, { seconds }) => sum + seconds, 0);
  if (language === undefined || total < LEAST_SECONDS) return undefined;
  return meanProbability(sections, language) < LEAST_PROBABILITY ? undefined : language;
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
  const channels = channelsOf(tasks);
  const tasksOf = (channel: number) => tasks.filter((task) => task.channel === channel);
  const examined = plan.isSwitching ? tasks : firstOfChannels(tasks);
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
    for (const channel of channels) {
      const own = tasksOf(channel);
      for (const [at, language] of languagePath(own.map((task) => evidenceOf(detectedFor(task)))).entries()) {
        decided.set(taskName(own[at] as SegmentTask), language);
      }
    }
  }
  const evidence = examined.map((task) => evidenceOf(detectedFor(task)));
  const common = commonLanguage(evidence);
  const ofChannels = new Map(
    channels.map((channel) => [
      channel,
      languageOfChannel(evidence.filter((_, at) => examined[at]?.channel === channel)) ?? common,
    ]),
  );
  const isOne = !plan.isSwitching && new Set(ofChannels.values()).size === 1;
  const confidence = isOne && common !== undefined ? meanProbability(evidence, common) : undefined;
  const probabilities = examined
    .map(detectedFor)
    .map(({ languageProbabilities }) => languageProbabilities?.slice(0, 2));
  services.logger.info(
    { job: job.id, language: plan.isSwitching ? "switching" : [...new Set(ofChannels.values())].join(), probabilities },
    "language detected",
  );
  const languageOf = (task: SegmentTask) => decided.get(taskName(task)) ?? ofChannels.get(task.channel);
  return { languageOf, confidence, transcribed: detected };
}
