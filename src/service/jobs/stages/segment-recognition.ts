// Recognises one segment, with retries while the queue is full.
import { setMaxListeners } from "node:events";
import { ParlanceError } from "../../../platform/errors.ts";
import { retry } from "../../../platform/process/retry.ts";
import { SAMPLE_RATE } from "../../../speech/audio/sample-rate.ts";
import { WINDOW_SAMPLES } from "../../../speech/audio/voice-activity/detector-windows.ts";
import type { Segment } from "../../../speech/audio/voice-activity/segmentation.ts";
import type { RecognitionTaskName, SpeechActivity } from "../../../speech/recognition/recognizer.ts";
import { vocabularyOf } from "../../../speech/recognition/vocabulary.ts";
import { type RecognizedSegment, segmentName } from "../../transcripts/recognized-segments.ts";
import { type StageContext, taskOptions } from "./stage.ts";

/** A segment of one channel. */
export type SegmentTask = Pick<RecognizedSegment, "channel" | "segment">;

/** Model and languages for recognising a segment. */
export interface SegmentRecognition {
  model: string;
  languages: readonly string[];
  /** Languages that another model transcribes. */
  detectOnlyLanguages?: readonly string[];
  task?: RecognitionTaskName;
  /** Speech probability of each window of a channel, if it is known. */
  activityOf?: (channel: number) => Float32Array | undefined;
}

export interface DetectedSegment extends RecognizedSegment {
  /** Set if the language was detected. */
  languageProbabilities?: [language: string, probability: number][];
}

/** Segments of one channel, in time order, that are recognised together. */
export interface SegmentGroup {
  channel: number;
  segments: readonly [Segment, ...Segment[]];
  /** The audio range; a model that tolerates pauses gets a margin around the segments. */
  startSample: number;
  endSample: number;
}

/** Additional segments in flight beyond the recognisers' capacity, so that none waits for the next samples. */
const SPARE_TASKS = 2;
/** Segments of one job in flight. @param capacity  of the recognisers, tasks */
export const tasksInFlight = (capacity: number): number => capacity + SPARE_TASKS;
const FULL_QUEUE_PAUSE_MILLISECONDS = 250;
/** Longest group for a model that tolerates pauses, and the longest pause in it, seconds. */
const LONGEST_GROUP = 24;
const LONGEST_PAUSE = 3;
/** Margin before and after a group, seconds. */
const MARGIN = 1;

export const taskName: (task: SegmentTask) => string = segmentName;

export const secondsOf = ({ segment }: SegmentTask) => (segment.endSample - segment.startSample) / SAMPLE_RATE;

/** One group per segment. */
export const ungrouped = (tasks: readonly SegmentTask[]): SegmentGroup[] =>
  tasks.map(({ channel, segment }) => ({ channel, segments: [segment], ...segment }));

/**
 * Groups neighbouring segments, with a margin. The audio of a group has no words of segments that are not in it.
 * @param tasks     each channel's in time order
 * @param all       all segments of the recording, each channel's in time order
 * @param areAlike  whether two segments may be in one group
 */
export function grouped(
  tasks: readonly SegmentTask[],
  all: readonly SegmentTask[],
  areAlike: (left: SegmentTask, right: SegmentTask) => boolean,
): SegmentGroup[] {
  const groups: { channel: number; segments: [Segment, ...Segment[]] }[] = [];
  const neighbours = neighboursIn(all);
  let last: SegmentTask | undefined;
  for (const task of tasks) {
    const { channel, segment } = task;
    const group = groups.at(-1);
    const isNear = (segment.startSample - (last?.segment.endSample ?? 0)) / SAMPLE_RATE <= LONGEST_PAUSE;
    const fits = group && (segment.endSample - group.segments[0].startSample) / SAMPLE_RATE <= LONGEST_GROUP;
    const { before } = neighbours.get(taskName(task)) ?? {};
    const follows = last?.channel === channel && before?.startSample === last.segment.startSample;
    if (last && group && follows && isNear && fits && areAlike(last, task)) group.segments.push(segment);
    else groups.push({ channel, segments: [segment] });
    last = task;
  }
  const margin = MARGIN * SAMPLE_RATE;
  const middle = (left: number, right: number) => Math.floor((left + right) / 2);
  return groups.map(({ channel, segments }) => {
    const [{ startSample }] = segments;
    const { endSample } = segments.at(-1) as Segment;
    const before = neighbours.get(taskName({ channel, segment: segments[0] }))?.before?.endSample;
    const after = neighbours.get(taskName({ channel, segment: segments.at(-1) as Segment }))?.after?.startSample;
    return {
      channel,
      segments,
      startSample: Math.max(0, startSample - margin, before === undefined ? 0 : middle(before, startSample)),
      endSample: Math.min(
        endSample + margin,
        after === undefined ? Number.POSITIVE_INFINITY : middle(endSample, after),
      ),
    };
  });
}

interface Neighbours {
  before?: Segment;
  after?: Segment;
}

/** By name of a segment: the ones before and after it in its channel. */
function neighboursIn(all: readonly SegmentTask[]): Map<string, Neighbours> {
  const last = new Map<number, SegmentTask>();
  const neighbours = new Map<string, Neighbours>();
  for (const task of all) {
    const before = last.get(task.channel);
    neighbours.set(taskName(task), before ? { before: before.segment } : {});
    if (before) Object.assign(neighbours.get(taskName(before)) as Neighbours, { after: task.segment });
    last.set(task.channel, task);
  }
  return neighbours;
}

/** Assigns each word to the segment that it was spoken in. */
function wordsBySegment(words: readonly PlacedWord[], segments: readonly [Segment, ...Segment[]]): PlacedWord[][] {
  const parts: PlacedWord[][] = segments.map(() => []);
  let at = 0;
  for (const word of words) {
    const middle = ((word.startSeconds + word.endSeconds) / 2) * SAMPLE_RATE;
    // From the middle of the pause on, a word belongs to the next segment.
    for (let next = segments[at + 1]; next; next = segments[at + 1]) {
      if (middle < ((segments[at] as Segment).endSample + next.startSample) / 2) break;
      at++;
    }
    parts[at]?.push(word);
  }
  return parts;
}

/** @param probabilities  of all windows of the channel */
function activityBetween(probabilities: Float32Array, startSample: number, endSample: number): SpeechActivity {
  const from = Math.floor(startSample / WINDOW_SAMPLES);
  const until = Math.ceil(endSample / WINDOW_SAMPLES);
  const startSeconds = (from * WINDOW_SAMPLES - startSample) / SAMPLE_RATE;
  // A copy: messages contain the whole of an array's memory.
  return { probabilities: probabilities.slice(from, until), startSeconds };
}

type PlacedWord = RecognizedSegment["words"][number];

/** @returns one result per segment of the group */
export async function recognizeGroup(
  { channel, segments, startSample, endSample }: SegmentGroup,
  context: StageContext,
  { model, languages, detectOnlyLanguages = [], task = "transcribe", activityOf }: SegmentRecognition,
): Promise<DetectedSegment[]> {
  const { job, services, signal } = context;
  const file = await services.objects.localPath(context.files.channel(channel));
  const audio = { file, startSample, sampleCount: endSample - startSample };
  const known = activityOf?.(channel);
  const activity = known && activityBetween(known, startSample, endSample);
  const recognizeOnce = async () => {
    const { words, ...languageResult } = await services.recognition.recognize(
      model,
      {
        ...{ audio, vocabulary: vocabularyOf(job.params), languages, detectOnlyLanguages, task },
        ...(activity ? { activity } : {}),
      },
      taskOptions(context),
    );
    const shift = startSample / SAMPLE_RATE;
    const placed = words.map(({ tokens: _, ...word }) => ({
      ...word,
      startSeconds: word.startSeconds + shift,
      endSeconds: Math.min(word.endSeconds + shift, endSample / SAMPLE_RATE),
    }));
    const parts = wordsBySegment(placed, segments);
    return segments.map((segment, at) => ({ channel, segment, ...languageResult, words: parts[at] ?? [] }));
  };
  // A full queue is not a failure of the job: it waits.
  const isQueueFull = (error: unknown) => error instanceof ParlanceError && error.code === "recognition.queue_full";
  return retry(recognizeOnce, {
    pauseAfter: (error) => (isQueueFull(error) ? FULL_QUEUE_PAUSE_MILLISECONDS : undefined),
    signal,
  });
}

export interface TaskOrder {
  /**
   * Whether a log has the finished tasks, and the tasks here are the others, in the order of the run before the crash: the first ones were then in
   * flight.
   */
  isLogged?: boolean;
}

/**
 * Processes all tasks, a few at a time. After a crash in this attempt, only as many unlogged tasks are suspect as were in flight. All are suspect
 * without a log, because any of them may have been in flight, and after a crash in an earlier attempt, because the log may be older.
 * @param work  receives the context with the priority of its task, and with a signal that the first error aborts
 * @throws the first error, after all running tasks have ended
 */
export async function forEachTask<Task>(
  tasks: readonly Task[],
  context: StageContext,
  work: (task: Task, context: StageContext) => Promise<void>,
  { isLogged = false }: TaskOrder = {},
): Promise<void> {
  const { services, signal } = context;
  const inFlight = tasksInFlight(services.recognition.capacity);
  const suspects = context.hasCrashed && isLogged ? inFlight : tasks.length;
  const waiting = [...tasks.entries()];
  const failure = new AbortController();
  const bounded = AbortSignal.any([signal, failure.signal]);
  // One listener per running task.
  setMaxListeners(0, bounded);
  let firstError: unknown;
  const run = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [at, task] = next;
      await work(task, {
        ...context,
        signal: bounded,
        ...(at >= suspects ? { priority: "recorded" as const } : {}),
      });
    }
  };
  const runners = Array.from({ length: inFlight }, () =>
    run().catch((error: unknown) => {
      firstError ??= error;
      failure.abort();
    }),
  );
  await Promise.all(runners);
  if (firstError !== undefined) throw firstError;
}
