// Segments → words. Every recognised segment is written down at once, so that an interrupted job goes on with the
// next segment and not with the first.
import { open, readFile } from "node:fs/promises";
import type { Segment } from "../../audio/voice-activity/segmentation.ts";
import { ParlanceError } from "../../errors.ts";
import { vocabularyOf } from "../../recognition/vocabulary.ts";
import { parseJsonLines } from "../../storage/json-lines.ts";
import type { RecognizedSegment } from "../transcription.ts";
import { SAMPLE_RATE } from "./decode.ts";
import {
  type ChannelSegments,
  channelKey,
  recognizedKey,
  type Stage,
  type StageContext,
  segmentsKey,
} from "./stage.ts";

interface Task {
  channel: number;
  segment: Segment;
}

/** A segment more in flight than there are processes: none waits for the next samples. */
const SPARE_TASKS = 1;
const FULL_QUEUE_PAUSE_MILLISECONDS = 250;

const taskName = ({ channel, segment }: Task) => `${channel}:${segment.startSample}`;

/** What an earlier run wrote down. */
export const parseRecognized = (text: string) => parseJsonLines<RecognizedSegment>(text);

async function recognizeTask(task: Task, context: StageContext): Promise<RecognizedSegment> {
  const { job, services, signal } = context;
  const { startSample, endSample } = task.segment;
  const file = await services.objects.localPath(channelKey(job.id, task.channel));
  const audio = { file, startSample, sampleCount: endSample - startSample };
  for (;;) {
    try {
      const { words, language } = await services.recognition.recognize(
        job.model,
        { audio, vocabulary: vocabularyOf(job.params) },
        { priority: "recorded", signal },
      );
      const shift = startSample / SAMPLE_RATE;
      return {
        ...task,
        language,
        words: words.map(({ tokens: _, ...word }) => ({
          ...word,
          startSeconds: word.startSeconds + shift,
          endSeconds: Math.min(word.endSeconds + shift, endSample / SAMPLE_RATE),
        })),
      };
    } catch (error) {
      // A full queue is no failure of this job: it waits its turn.
      if (!(error instanceof ParlanceError) || error.code !== "recognition.queue_full") throw error;
      await new Promise((resolve) => setTimeout(resolve, FULL_QUEUE_PAUSE_MILLISECONDS));
      signal.throwIfAborted();
    }
  }
}

export const recognizeStage: Stage<"recognize"> = {
  name: "recognize",
  weight: 0.6,
  keepsProgress: true,
  async run(context) {
    const { job, services, signal, progress } = context;
    const { objects } = services;
    const channels = JSON.parse(
      await readFile(await objects.localPath(segmentsKey(job.id)), "utf8"),
    ) as ChannelSegments[];
    const log = await open(await objects.localPath(recognizedKey(job.id)), "a+");
    try {
      const earlier = parseRecognized(await log.readFile("utf8"));
      const done = new Set(earlier.map(taskName));
      const tasks = channels.flatMap(({ channel, segments }) => segments.map((segment) => ({ channel, segment })));
      const waiting = tasks.filter((task) => !done.has(taskName(task)));
      // A line that a kill cut off must not swallow the next one.
      await log.appendFile("\n");
      let finished = tasks.length - waiting.length;
      const failure = new AbortController();
      let firstError: unknown;
      const bounded = { ...context, signal: AbortSignal.any([signal, failure.signal]) };
      const work = async () => {
        for (let task = waiting.shift(); task; task = waiting.shift()) {
          const recognized = await recognizeTask(task, bounded);
          await log.appendFile(`${JSON.stringify(recognized)}\n`);
          finished++;
          progress(finished / tasks.length);
        }
      };
      const runners = Array.from({ length: services.recognition.workerCount + SPARE_TASKS }, () =>
        work().catch((error: unknown) => {
          firstError ??= error;
          failure.abort();
        }),
      );
      await Promise.all(runners);
      if (firstError !== undefined) throw firstError;
      return { recognizedCount: tasks.length };
    } finally {
      await log.close();
    }
  },
};
