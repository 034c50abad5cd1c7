// One segment → words, asked of the recogniser until it answers.
import { setMaxListeners } from "node:events";
import type { Segment } from "../../audio/voice-activity/segmentation.ts";
import { ParlanceError } from "../../errors.ts";
import type { RecognitionTaskName } from "../../recognition/recognizer.ts";
import { vocabularyOf } from "../../recognition/vocabulary.ts";
import type { RecognizedSegment } from "../transcription.ts";
import { SAMPLE_RATE } from "./decode.ts";
import { channelKey, type StageContext } from "./stage.ts";

/** A segment of one channel. */
export type SegmentTask = Pick<RecognizedSegment, "channel" | "segment">;

/** How a segment is read. */
export interface Reading {
  model: string;
  languages: readonly string[];
  /** Languages that another model writes down. */
  leftLanguages?: readonly string[];
  task?: RecognitionTaskName;
}

export interface ReadSegment extends RecognizedSegment {
  /** Where the language was not told. */
  languageProbabilities?: [language: string, probability: number][];
}

/** Segments of one channel, in time order, that are heard at once. */
export interface SegmentGroup {
  channel: number;
  segments: readonly [Segment, ...Segment[]];
  /** The audio that is heard: a model that bears pauses hears a little of what is around. */
  startSample: number;
  endSample: number;
}

/** Segments more in flight than go through the model at once: none waits for the next samples. */
const SPARE_TASKS = 2;
const FULL_QUEUE_PAUSE_MILLISECONDS = 250;
/** What a model that bears pauses hears at once, and the longest pause in it, seconds. */
const LONGEST_GROUP = 24;
const LONGEST_PAUSE = 3;
/** What it hears before and behind, seconds. */
const MARGIN = 1;

export const taskName = ({ channel, segment }: SegmentTask) => `${channel}:${segment.startSample}`;

export const secondsOf = ({ segment }: SegmentTask) => (segment.endSample - segment.startSample) / SAMPLE_RATE;

/** Every segment by itself. */
export const alone = (tasks: readonly SegmentTask[]): SegmentGroup[] =>
  tasks.map(({ channel, segment }) => ({ channel, segments: [segment], ...segment }));

/**
 * Neighbours together, with a little of what is around them.
 * @param tasks     each channel's in time order
 * @param all       all segments of the recording: what belongs to another one is not heard
 * @param areAlike  whether two may be heard at once
 */
export function grouped(
  tasks: readonly SegmentTask[],
  all: readonly SegmentTask[],
  areAlike: (left: SegmentTask, right: SegmentTask) => boolean,
): SegmentGroup[] {
  const groups: { channel: number; segments: [Segment, ...Segment[]] }[] = [];
  let last: SegmentTask | undefined;
  for (const task of tasks) {
    const { channel, segment } = task;
    const group = groups.at(-1);
    const isNear = (segment.startSample - (last?.segment.endSample ?? 0)) / SAMPLE_RATE <= LONGEST_PAUSE;
    const fits = group && (segment.endSample - group.segments[0].startSample) / SAMPLE_RATE <= LONGEST_GROUP;
    if (last && group?.channel === channel && isNear && fits && areAlike(last, task)) group.segments.push(segment);
    else groups.push({ channel, segments: [segment] });
    last = task;
  }
  const margin = MARGIN * SAMPLE_RATE;
  const middle = (left: number, right: number) => Math.floor((left + right) / 2);
  return groups.map(({ channel, segments }) => {
    const [{ startSample }] = segments;
    const { endSample } = segments.at(-1) as Segment;
    const others = all.filter((task) => task.channel === channel).map(({ segment }) => segment);
    const before = others.filter((other) => other.endSample <= startSample).at(-1)?.endSample;
    const behind = others.find((other) => other.startSample >= endSample)?.startSample;
    return {
      channel,
      segments,
      startSample: Math.max(0, startSample - margin, before === undefined ? 0 : middle(before, startSample)),
      endSample: Math.min(
        endSample + margin,
        behind === undefined ? Number.POSITIVE_INFINITY : middle(endSample, behind),
      ),
    };
  });
}

/** Each word to the segment in which it is said. */
function divided(words: readonly PlacedWord[], segments: readonly [Segment, ...Segment[]]): PlacedWord[][] {
  const parts: PlacedWord[][] = segments.map(() => []);
  let at = 0;
  for (const word of words) {
    const middle = ((word.startSeconds + word.endSeconds) / 2) * SAMPLE_RATE;
    // It belongs to the next segment from the middle of the pause on.
    for (let next = segments[at + 1]; next; next = segments[at + 1]) {
      if (middle < ((segments[at] as Segment).endSample + next.startSample) / 2) break;
      at++;
    }
    parts[at]?.push(word);
  }
  return parts;
}

type PlacedWord = RecognizedSegment["words"][number];

/** @returns one answer for each segment of the group */
export async function readGroup(
  { channel, segments, startSample, endSample }: SegmentGroup,
  { job, services, signal, priority, trace }: StageContext,
  { model, languages, leftLanguages = [], task = "transcribe" }: Reading,
): Promise<ReadSegment[]> {
  const file = await services.objects.localPath(channelKey(job.id, channel));
  const audio = { file, startSample, sampleCount: endSample - startSample };
  for (;;) {
    try {
      const { words, ...told } = await services.recognition.recognize(
        model,
        { audio, vocabulary: vocabularyOf(job.params), languages, leftLanguages, task },
        { priority, signal, trace },
      );
      const shift = startSample / SAMPLE_RATE;
      const placed = words.map(({ tokens: _, ...word }) => ({
        ...word,
        startSeconds: word.startSeconds + shift,
        endSeconds: Math.min(word.endSeconds + shift, endSample / SAMPLE_RATE),
      }));
      const parts = divided(placed, segments);
      return segments.map((segment, at) => ({ channel, segment, ...told, words: parts[at] ?? [] }));
    } catch (error) {
      // A full queue is no failure of this job: it waits its turn.
      if (!(error instanceof ParlanceError) || error.code !== "recognition.queue_full") throw error;
      await new Promise((resolve) => setTimeout(resolve, FULL_QUEUE_PAUSE_MILLISECONDS));
      signal.throwIfAborted();
    }
  }
}

/** Works on all of them, a few at a time. @throws the first failure, when all that was under way has ended */
export async function forEachTask<Task>(
  tasks: readonly Task[],
  { services, signal }: StageContext,
  work: (task: Task, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const waiting = [...tasks];
  const failure = new AbortController();
  const bounded = AbortSignal.any([signal, failure.signal]);
  // As many listen as there are tasks under way.
  setMaxListeners(0, bounded);
  let firstError: unknown;
  const run = async () => {
    for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) await work(task, bounded);
  };
  const runners = Array.from({ length: services.recognition.seats + SPARE_TASKS }, () =>
    run().catch((error: unknown) => {
      firstError ??= error;
      failure.abort();
    }),
  );
  await Promise.all(runners);
  if (firstError !== undefined) throw firstError;
}
