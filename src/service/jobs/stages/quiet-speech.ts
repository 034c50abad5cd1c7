// Finds quiet speech after a louder voice. The voice activity detector adapts to the louder voice, and needs seconds to adapt back. This
// stage therefore examines each pause again with a detector in its initial state. It does not move the boundaries of detected speech.
import { frameEnergies } from "../../../speech/audio/frame-energies.ts";
import { SAMPLE_RATE } from "../../../speech/audio/sample-rate.ts";
import { WINDOW_SAMPLES } from "../../../speech/audio/voice-activity/detector-windows.ts";
import { speechRuns, stretchesOf } from "../../../speech/audio/voice-activity/wordless-speech.ts";

const WINDOW_SECONDS = WINDOW_SAMPLES / SAMPLE_RATE;
const windowsIn = (seconds: number) => Math.round(seconds / WINDOW_SECONDS);

const SPEECH_PROBABILITY = 0.5;
/** Echoes of the voice before, and breaths before the next one, are not examined. */
const MARGIN_WINDOWS = windowsIn(0.25);
/** Shorter pauses hold no phrase. */
const LEAST_PAUSE_WINDOWS = windowsIn(1);
/** By then the detector has adapted. */
const MOST_PAUSE_WINDOWS = windowsIn(20);

/** Level of the loudest window of a pause in the second examination, dBFS: a voice in a telephone band is detected badly below it. */
const EXAMINED_LEVEL = -18;
/** Bounds the amplification of a background without speech, decibels. */
const MOST_GAIN = 44;

/** A pause at the level of close speech. */
export function raised(samples: Float32Array): Float32Array {
  const levels = frameEnergies(samples, Math.floor(samples.length / WINDOW_SAMPLES), WINDOW_SAMPLES);
  const gain = Math.min(MOST_GAIN, Math.max(0, EXAMINED_LEVEL - Math.max(...levels)));
  return samples.map((value) => value * 10 ** (gain / 20));
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
 * @param examine  probabilities of a range of windows without what precedes it
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
