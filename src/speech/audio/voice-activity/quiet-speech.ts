// Finds quiet speech after a louder voice. The voice activity detector adapts to the louder voice, and needs seconds to adapt back. Audio
// without detected speech or without words is therefore examined again, raised, with a detector in its initial state.
import { frameEnergies } from "../frame-energies.ts";
import { joinedSamples } from "../samples.ts";
import { coldVoiceActivityState, type VoiceActivityState } from "./detector-state.ts";
import { WARM_UP_SAMPLES, WINDOW_SAMPLES, WINDOW_SECONDS, warmUpSamples } from "./detector-windows.ts";
import { type Stretch, speechRuns, stretchesOf } from "./wordless-speech.ts";

const windowsIn = (seconds: number) => Math.round(seconds / WINDOW_SECONDS);

const SPEECH_PROBABILITY = 0.5;
/** Echoes of the voice before, and breaths before the next one, are not examined. */
const MARGIN_SECONDS = 0.25;
const MARGIN_WINDOWS = windowsIn(MARGIN_SECONDS);
/** A shorter pause has no room for a phrase. */
const LEAST_PAUSE_SECONDS = 1;
const LEAST_PAUSE_WINDOWS = windowsIn(LEAST_PAUSE_SECONDS);
/** The detector has adapted after this time: later windows of a pause need no second examination. */
const MOST_PAUSE_WINDOWS = windowsIn(20);
/** Longest gap that is examined. After it, the detector has forgotten the louder voice, and detects a quiet one. */
export const MOST_GAP_SECONDS = 10;

/** Level of the loudest window of a pause in the second examination, dBFS: a voice in a telephone band is detected badly below it. */
const EXAMINED_LEVEL = -18;
/** Bounds the amplification of a background without speech, decibels. */
const MOST_GAIN = 44;

/** Raises a pause to the level of close speech. */
export function raised(samples: Float32Array): Float32Array {
  const levels = frameEnergies(samples, Math.floor(samples.length / WINDOW_SAMPLES), WINDOW_SAMPLES);
  const factor = 10 ** (Math.min(MOST_GAIN, Math.max(0, EXAMINED_LEVEL - Math.max(...levels))) / 20);
  return samples.map((value) => value * factor);
}

/** One request to the detector. */
export type Detect = (
  samples: Float32Array,
  state: VoiceActivityState,
) => Promise<{ probabilities: Float32Array; state: VoiceActivityState }>;

/** The beginning of audio, for a detector that has processed nothing: the audio that warms it up is in the same request. */
export async function detectWarm(samples: Float32Array, detect: Detect): ReturnType<Detect> {
  const warmUp = warmUpSamples(samples.subarray(0, WARM_UP_SAMPLES));
  const { probabilities, state } = await detect(joinedSamples([warmUp, samples]), coldVoiceActivityState());
  return { probabilities: probabilities.subarray(WARM_UP_SAMPLES / WINDOW_SAMPLES), state };
}

/**
 * Speech probabilities of raised audio, from a detector that has not received what precedes it.
 * @param samples  whole windows
 * @param pieceWindows  most windows in one request
 */
export async function examinedQuietly(
  samples: Float32Array,
  detect: Detect,
  pieceWindows = Number.POSITIVE_INFINITY,
): Promise<Float32Array> {
  const windows = Math.floor(samples.length / WINDOW_SAMPLES);
  const probabilities = new Float32Array(windows);
  if (windows === 0) return probabilities;
  const loud = raised(samples);
  let state = coldVoiceActivityState();
  for (let window = 0; window < windows; window += pieceWindows) {
    const end = Math.min(windows, window + pieceWindows);
    const piece = loud.slice(window * WINDOW_SAMPLES, end * WINDOW_SAMPLES);
    const answer = await (window === 0 ? detectWarm(piece, detect) : detect(piece, state));
    probabilities.set(answer.probabilities, window);
    state = answer.state;
  }
  return probabilities;
}

/**
 * The audio between two words that may hold another voice.
 * @returns undefined if it is too short
 */
export function gapBetween(endSeconds: number, startSeconds: number): Stretch | undefined {
  const gap = {
    startSeconds: endSeconds + MARGIN_SECONDS,
    endSeconds: Math.min(endSeconds + MOST_GAP_SECONDS, startSeconds - MARGIN_SECONDS),
  };
  return gap.endSeconds - gap.startSeconds >= LEAST_PAUSE_SECONDS ? gap : undefined;
}

/** The gaps before the first word and after each one that are examined. @param words  in any order @param untilSeconds  end of the audio */
export function gapsBehind(words: readonly Stretch[], untilSeconds: number): Stretch[] {
  const gaps: Stretch[] = [];
  const inOrder = words.toSorted((left, right) => left.startSeconds - right.startSeconds);
  const [first] = inOrder;
  if (!first) return gaps;
  const before = gapBetween(Math.max(0, first.startSeconds - MOST_GAP_SECONDS) - MARGIN_SECONDS, first.startSeconds);
  if (before) gaps.push(before);
  let end = first.endSeconds;
  for (const word of [...inOrder.slice(1), { startSeconds: untilSeconds, endSeconds: untilSeconds }]) {
    const gap = gapBetween(end, word.startSeconds);
    if (gap) gaps.push(gap);
    end = Math.max(end, word.endSeconds);
  }
  return gaps;
}

/** Speech in examined audio. @param startSeconds  of the audio */
export function quietRuns(probabilities: Float32Array, startSeconds: number): Stretch[] {
  return speechRuns(probabilities, WINDOW_SECONDS).map((run) => ({
    startSeconds: run.startSeconds + startSeconds,
    endSeconds: run.endSeconds + startSeconds,
  }));
}

/** Windows [from, to) without speech between speech, and behind the last speech. */
export function pausesIn(probabilities: Float32Array): [from: number, to: number][] {
  const pauses: [number, number][] = [];
  let begin = -1;
  const close = (end: number) => {
    if (begin >= 0 && end - begin >= LEAST_PAUSE_WINDOWS + 2 * MARGIN_WINDOWS)
      pauses.push([begin + MARGIN_WINDOWS, Math.min(end - MARGIN_WINDOWS, begin + MOST_PAUSE_WINDOWS)]);
  };
  for (const [window, probability] of probabilities.entries()) {
    if (probability < SPEECH_PROBABILITY) continue;
    close(window);
    begin = window + 1;
  }
  close(probabilities.length);
  return pauses;
}

/**
 * @param probabilities  of the whole audio, one per window
 * @param examine  gives the probabilities of a range of windows, from a detector in its initial state
 * @returns the probabilities, higher where a pause has speech
 */
export async function withQuietSpeech(
  probabilities: Float32Array,
  examine: (fromWindow: number, toWindow: number) => Promise<Float32Array>,
): Promise<Float32Array> {
  const all = probabilities.slice();
  for (const [from, to] of pausesIn(probabilities)) {
    const own = await examine(from, to);
    for (const { startSeconds, endSeconds } of stretchesOf(speechRuns(own, WINDOW_SECONDS))) {
      for (let window = windowsIn(startSeconds); window < windowsIn(endSeconds); window++)
        all[from + window] = Math.max(all[from + window] as number, own[window] as number);
    }
  }
  return all;
}
