// Finds digital silence that begins and ends in the middle of sound: lost packets, or a device that dropped audio. Pauses of speech
// fade, also where a program has replaced their noise by zeros. Whether the sound is speech is decided by the caller.
import { SAMPLE_RATE } from "./sample-rate.ts";
import { placesOf, type Stretch } from "./voice-activity/wordless-speech.ts";

/** Shorter runs of zeros are in any sound, and longer ones may be a muted microphone. */
const LEAST_SAMPLES = 0.01 * SAMPLE_RATE;
const MOST_SAMPLES = 10 * SAMPLE_RATE;
/** Sound on each side whose level counts. */
const EDGE_SAMPLES = 0.01 * SAMPLE_RATE;
/** The louder side and the quieter one are at most this far below the loudest sound of the last seconds: 26 and 36 dB. */
const LOUDER_SHARE = 10 ** (-26 / 10);
const QUIETER_SHARE = 10 ** (-36 / 10);
/** -60 dBFS: quieter sound on a side is no speech, mean square. */
const LEAST_EDGE_POWER = 1e-6;
/** The loudest power falls by half in 10 s. */
const DECAY = 0.5 ** (EDGE_SAMPLES / (10 * SAMPLE_RATE));
/** Holes of lost packets that follow each other are one stretch. */
const LONGEST_PAUSE_SECONDS = 1;
/** Bound for a job's row. */
export const MOST_HOLE_STRETCHES = 100;

/** Stretch with one hole or several. */
export interface HoleStretch extends Stretch {
  /** Length of its holes. */
  silentSeconds: number;
}

/** Speech this near to a hole is on its side: the detector reports a voice late. */
const NEAR_SECONDS = 0.35;
/** Less silence in all takes no word with it. */
const LEAST_SILENT_SECONDS = 0.15;
const SPEECH_PROBABILITY = 0.5;

/**
 * @param probabilities  of speech, one per window
 * @returns the stretches that begin and end in speech; none if their holes are too short
 */
export function holesInSpeech(
  stretches: readonly HoleStretch[],
  probabilities: Float32Array,
  windowSeconds: number,
): HoleStretch[] {
  const isSpeech = (from: number, to: number) =>
    probabilities
      .subarray(Math.max(0, Math.floor(from / windowSeconds)), Math.ceil(to / windowSeconds))
      .some((probability) => probability >= SPEECH_PROBABILITY);
  const found = stretches.filter(
    ({ startSeconds, endSeconds }) =>
      isSpeech(startSeconds - NEAR_SECONDS, startSeconds + NEAR_SECONDS) &&
      isSpeech(endSeconds - NEAR_SECONDS, endSeconds + NEAR_SECONDS),
  );
  return silentSecondsOf(found) >= LEAST_SILENT_SECONDS ? found : [];
}

export const silentSecondsOf = (stretches: readonly HoleStretch[]): number =>
  stretches.reduce((sum, { silentSeconds }) => sum + silentSeconds, 0);

/** @param stretches  at least one, in order */
export function holesWarning(stretches: readonly HoleStretch[]): string {
  const seconds = silentSecondsOf(stretches).toFixed(1);
  return `The recording has ${seconds} s of digital silence in the middle of speech, at ${placesOf(stretches)}: audio was lost, muted or cut there, and words may be missing`;
}

export class Holes {
  readonly stretches: HoleStretch[] = [];
  private position = 0;
  private zeros = 0;
  /** Powers of the sound since the last zero run, in pieces of EDGE_SAMPLES. */
  private sum = 0;
  private pieceSamples = 0;
  private loudest = 0;
  /** Power of the sound before the zeros, and the hole that waits for the sound behind it. */
  private edgePower = 0;
  private readonly edge = new Float32Array(EDGE_SAMPLES);
  private pending: { startSample: number; endSample: number } | undefined;

  /** @param samples  the next ones, 16 kHz, -1 to 1 */
  push(samples: Float32Array): void {
    for (let at = 0; at < samples.length; at++) this.add(samples[at] as number);
  }

  /** Silence that is reported otherwise begins: it is no hole. */
  interrupt(samples: number): void {
    this.position += samples;
    this.zeros = 0;
    this.pending = undefined;
    this.edge.fill(0);
    this.sum = 0;
    this.pieceSamples = 0;
  }

  private add(value: number): void {
    const at = this.position++;
    if (value === 0) {
      this.zeros++;
      // A few zeros are part of the sound.
      if (this.zeros === LEAST_SAMPLES) this.beginHole(at + 1 - this.zeros);
      return;
    }
    if (this.zeros >= LEAST_SAMPLES) this.endHole(at);
    this.zeros = 0;
    this.edge[at % EDGE_SAMPLES] = value * value;
    this.sum += value * value;
    if (++this.pieceSamples < EDGE_SAMPLES) return;
    const power = this.sum / EDGE_SAMPLES;
    this.loudest = Math.max(power, this.loudest * DECAY);
    this.sum = 0;
    this.pieceSamples = 0;
    if (this.pending) this.close(power);
  }

  private beginHole(startSample: number): void {
    this.edgePower = this.edge.reduce((sum, value) => sum + value, 0) / EDGE_SAMPLES;
    this.edge.fill(0);
    if (this.pending && this.pieceSamples > 0) this.close(this.sum / this.pieceSamples);
    this.pending = { startSample, endSample: startSample };
  }

  private endHole(endSample: number): void {
    this.sum = 0;
    this.pieceSamples = 0;
    if (this.pending) this.pending.endSample = endSample;
  }

  /** @param power  of the sound behind the hole */
  private close(power: number): void {
    const { startSample, endSample } = this.pending as { startSample: number; endSample: number };
    this.pending = undefined;
    const [quieter, louder] = [Math.min(power, this.edgePower), Math.max(power, this.edgePower)];
    if (quieter < Math.max(LEAST_EDGE_POWER, QUIETER_SHARE * this.loudest)) return;
    if (louder < LOUDER_SHARE * this.loudest || endSample - startSample > MOST_SAMPLES) return;
    const [startSeconds, endSeconds] = [startSample / SAMPLE_RATE, endSample / SAMPLE_RATE];
    const silentSeconds = endSeconds - startSeconds;
    const last = this.stretches.at(-1);
    if (last && startSeconds - last.endSeconds <= LONGEST_PAUSE_SECONDS) {
      last.endSeconds = endSeconds;
      last.silentSeconds += silentSeconds;
    } else if (this.stretches.length < MOST_HOLE_STRETCHES)
      this.stretches.push({ startSeconds, endSeconds, silentSeconds });
  }
}
