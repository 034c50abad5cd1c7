// Voice activity of a recording for which no words were recognised. Sound that leaks from a channel with words is none.
import { eventLoopTurn } from "../../../platform/process/sleep.ts";
import { SAMPLE_RATE } from "../../../speech/audio/sample-rate.ts";
import { samplesOf } from "../../../speech/audio/samples.ts";
import { WINDOW_SAMPLES, WINDOW_SECONDS } from "../../../speech/audio/voice-activity/detector-windows.ts";
import { examinedQuietly, gapsBehind, quietRuns } from "../../../speech/audio/voice-activity/quiet-speech.ts";
import {
  joinedRuns,
  type Stretch,
  speechRuns,
  stretchesOf,
  uncoveredRuns,
} from "../../../speech/audio/voice-activity/wordless-speech.ts";
import type { RecognizedSegment } from "../../transcripts/recognized-segments.ts";
import { type StageContext, taskOptions } from "./stage.ts";

/** A voice this far below a channel that talks at the same time may be its leak, too faint to be found. */
const FAINT_DECIBELS = 20;

async function samplesIn(channel: number, stretch: Stretch, context: StageContext): Promise<Float32Array> {
  const file = await context.services.objects.localPath(context.files.channel(channel));
  const window = Math.ceil(stretch.startSeconds / WINDOW_SECONDS);
  const sampleCount = (Math.floor(stretch.endSeconds / WINDOW_SECONDS) - window) * WINDOW_SAMPLES;
  return samplesOf({ file, startSample: window * WINDOW_SAMPLES, sampleCount });
}

/** Voice activity between words, for a detector that has not processed what precedes it. */
async function quietActivity(channel: number, gaps: readonly Stretch[], context: StageContext): Promise<Stretch[]> {
  const { recognition } = context.services;
  const runs: Stretch[] = [];
  for (const gap of gaps) {
    context.signal.throwIfAborted();
    const found = await examinedQuietly(await samplesIn(channel, gap, context), (part, state) =>
      recognition.voiceActivity(part, state, taskOptions(context)),
    );
    const window = Math.ceil(gap.startSeconds / WINDOW_SECONDS);
    runs.push(...quietRuns(found, (window * WINDOW_SAMPLES) / SAMPLE_RATE));
  }
  return runs;
}

async function decibelsIn(channel: number, stretch: Stretch, context: StageContext): Promise<number> {
  const samples = await samplesIn(channel, stretch, context);
  const energy = samples.reduce((sum, value) => sum + value * value, 0);
  return 10 * Math.log10(energy / Math.max(1, samples.length) + 1e-10);
}

/** Whether a channel is about as loud as each other one in a stretch. */
async function isLoud(
  channel: number,
  others: readonly number[],
  stretch: Stretch,
  context: StageContext,
): Promise<boolean> {
  const own = await decibelsIn(channel, stretch, context);
  for (const other of others) {
    if ((await decibelsIn(other, stretch, context)) > own + FAINT_DECIBELS) return false;
  }
  return true;
}

/** Sorted once here: sorting a sorted list again takes little time. */
const inOrder = (words: readonly RecognizedSegment["words"][number][]) =>
  words.toSorted((left, right) => left.startSeconds - right.startSeconds);

/**
 * Voice activity without words in a channel. While others talk, it counts if it is loud, and if none of them leaks into the channel.
 * @param activity  probabilities by channel
 * @returns stretches of all channels, in order
 */
export async function wordlessSpeech(
  activity: ReadonlyMap<number, Float32Array>,
  lines: readonly Pick<RecognizedSegment, "channel" | "words">[],
  context: StageContext,
): Promise<Stretch[]> {
  const { leaks } = context.outputs.decode ?? {};
  const wordsOf = (isIncluded: (channel: number) => boolean) =>
    inOrder(lines.filter(({ channel }) => isIncluded(channel)).flatMap(({ words }) => words));
  const all = wordsOf(() => true);
  // Six hours of eight channels have 400,000 words. Each step over them takes about 0.1 s, and has its own turn of the event loop.
  await eventLoopTurn();
  const found: Stretch[] = [];
  for (const [channel, probabilities] of activity) {
    const leaksIn = (from: number) => leaks?.some((leak) => leak.from === from && leak.to === channel) ?? true;
    const runs = speechRuns(probabilities, WINDOW_SECONDS);
    await eventLoopTurn();
    const gaps = gapsBehind(all, probabilities.length * WINDOW_SECONDS);
    await eventLoopTurn();
    const quiet = await quietActivity(channel, gaps, context);
    const besideNobody = stretchesOf(uncoveredRuns(joinedRuns(runs, quiet), all));
    await eventLoopTurn();
    const others = [...activity.keys()].filter((other) => other !== channel);
    const besideOthers: Stretch[] = [];
    const own = wordsOf((from) => from === channel || leaksIn(from));
    await eventLoopTurn();
    // If no other channel has words, `besideNobody` has these stretches already.
    for (const stretch of own.length === all.length ? [] : stretchesOf(uncoveredRuns(runs, own)))
      if (await isLoud(channel, others, stretch, context)) besideOthers.push(stretch);
    found.push(...joinedRuns(besideNobody, besideOthers));
    await eventLoopTurn();
  }
  return found.toSorted((left, right) => left.startSeconds - right.startSeconds);
}
