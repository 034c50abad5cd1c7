// Segments → words. Every recognised segment is written down at once, so that an interrupted job goes on with the
// next segment and not with the first.
import { type FileHandle, open } from "node:fs/promises";
import type { Segment } from "../../audio/voice-activity/segmentation.ts";
import { ParlanceError } from "../../errors.ts";
import type { RecognizedWord } from "../../recognition/recognizer.ts";
import { SAMPLE_RATE } from "./decode.ts";
import { readSamples } from "./segment.ts";
import {
  type ChannelSegments,
  channelKey,
  recognizedKey,
  type Stage,
  type StageContext,
  segmentsKey,
} from "./stage.ts";

/** One line of the file of recognised segments. Times are seconds from the start of the recording. */
export interface RecognizedSegment {
  channel: number;
  segment: Segment;
  language: string;
  words: RecognizedWord[];
}

interface Task {
  channel: number;
  segment: Segment;
}

/** A segment more in flight than there are processes: none waits for the next samples. */
const SPARE_TASKS = 1;
const FULL_QUEUE_PAUSE_MILLISECONDS = 250;

const taskName = ({ channel, segment }: Task) => `${channel}:${segment.startSample}`;

/** What an earlier run wrote down; a line cut off by a kill is left out. */
export function parseRecognized(text: string): RecognizedSegment[] {
  const found: RecognizedSegment[] = [];
  for (const line of text.split("\n")) {
    if (line === "") continue;
    try {
      found.push(JSON.parse(line) as RecognizedSegment);
    } catch {
      // The kill came in the middle of this line: its segment is recognised again.
    }
  }
  return found;
}

async function recognizeTask(task: Task, file: FileHandle, context: StageContext): Promise<RecognizedSegment> {
  const { job, services, signal } = context;
  const { startSample, endSample } = task.segment;
  const samples = await readSamples(file, startSample, endSample - startSample);
  for (;;) {
    try {
      const { words, language } = await services.recognition.recognize(
        job.model,
        { samples },
        { priority: "recorded", signal },
      );
      const shift = startSample / SAMPLE_RATE;
      return {
        ...task,
        language,
        words: words.map((word) => ({
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
  weight: 0.65,
  keepsProgress: true,
  async run(context) {
    const { job, services, signal, progress } = context;
    const { objects } = services;
    const channels = JSON.parse(await readText(objects.localPath(segmentsKey(job.id)))) as ChannelSegments[];
    const log = await open(await objects.localPath(recognizedKey(job.id)), "a+");
    const files = new Map<number, FileHandle>();
    try {
      const earlier = parseRecognized(await log.readFile("utf8"));
      const done = new Set(earlier.map(taskName));
      const tasks = channels.flatMap(({ channel, segments }) => segments.map((segment) => ({ channel, segment })));
      const waiting = tasks.filter((task) => !done.has(taskName(task)));
      // A line that a kill cut off must not swallow the next one.
      await log.appendFile("\n");
      for (const { channel } of channels)
        files.set(channel, await open(await objects.localPath(channelKey(job.id, channel))));
      let finished = tasks.length - waiting.length;
      const failure = new AbortController();
      let firstError: unknown;
      const bounded = { ...context, signal: AbortSignal.any([signal, failure.signal]) };
      const work = async () => {
        for (let task = waiting.shift(); task; task = waiting.shift()) {
          const recognized = await recognizeTask(task, files.get(task.channel) as FileHandle, bounded);
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
      for (const file of files.values()) await file.close();
    }
  },
};

async function readText(path: Promise<string>): Promise<string> {
  const file = await open(await path);
  try {
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}
