// Representation in which channels are compared: 8 kHz samples in windows of 256 ms, each as the spectra of eight
// frames.
import { Fourier } from "./fourier.ts";

/** Lossy codecs hardly preserve the same energy above 4 kHz in both channels. */
export const COMPARED_RATE = 8_000;
/** 32 ms: short enough to follow syllables, long against the delays between two microphones. */
export const FRAME_SAMPLES = 256;
export const FRAMES_A_WINDOW = 8;
export const WINDOW_SAMPLES = FRAME_SAMPLES * FRAMES_A_WINDOW;
export const WINDOW_SECONDS = WINDOW_SAMPLES / COMPARED_RATE;
/** 190 Hz: above hum, rumble and the bass of music. */
export const FIRST_BIN = 6;
/** 3.75 kHz, exclusive. */
export const END_BIN = 120;
export const BINS = END_BIN - FIRST_BIN;

const HANN = Float64Array.from(
  { length: FRAME_SAMPLES },
  (_, at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * at) / FRAME_SAMPLES),
);

/** Complex spectra of one window of one channel, frame after frame, FIRST_BIN to END_BIN of each. */
export interface WindowSpectra {
  real: Float32Array;
  imaginary: Float32Array;
}

export const emptySpectra = (): WindowSpectra => ({
  real: new Float32Array(FRAMES_A_WINDOW * BINS),
  imaginary: new Float32Array(FRAMES_A_WINDOW * BINS),
});

const fourier = new Fourier(FRAME_SAMPLES);

/** Computes the spectra of two channels. @param left, right  WINDOW_SAMPLES samples are read from the given index on */
export function transformPair(
  left: Float32Array,
  leftFrom: number,
  right: Float32Array,
  rightFrom: number,
  into: [WindowSpectra, WindowSpectra],
): void {
  const { real, imaginary } = fourier;
  for (let frame = 0; frame < FRAMES_A_WINDOW; frame++) {
    const offset = frame * FRAME_SAMPLES;
    for (let at = 0; at < FRAME_SAMPLES; at++) {
      const weight = HANN[at] as number;
      real[at] = weight * (left[leftFrom + offset + at] as number);
      imaginary[at] = weight * (right[rightFrom + offset + at] as number);
    }
    fourier.transform();
    for (let bin = FIRST_BIN, to = frame * BINS; bin < END_BIN; bin++, to++) {
      const mirror = FRAME_SAMPLES - bin;
      const re = real[bin] as number;
      const im = imaginary[bin] as number;
      const mirroredRe = real[mirror] as number;
      const mirroredIm = imaginary[mirror] as number;
      into[0].real[to] = (re + mirroredRe) / 2;
      into[0].imaginary[to] = (im - mirroredIm) / 2;
      into[1].real[to] = (im + mirroredIm) / 2;
      into[1].imaginary[to] = (mirroredRe - re) / 2;
    }
  }
}

/** Recent 8 kHz samples of one channel. */
export class RecentSamples {
  private samples: Float32Array;
  private start = 0;
  private length = 0;
  private held: [number, number] = [0, 0];
  private isSecond = false;

  /** @param keptSamples  samples before the newest one that stay readable */
  constructor(private readonly keptSamples: number) {
    this.samples = new Float32Array(4 * keptSamples);
  }

  /** One past the newest sample, from the start of the stream. */
  get end(): number {
    return this.start + this.length;
  }

  /** @param piece  16 kHz samples, -1 to 1 */
  append(piece: Float32Array): void {
    if (piece.length === 0) return;
    this.makeRoom((piece.length >> 1) + 1);
    // Low-pass with the weights 1, 2, 1 before decimation by two, identical for every channel.
    const { samples } = this;
    let [older, old] = this.held;
    let to = this.length;
    let at = 0;
    if (this.isSecond) {
      const value = piece[at++] as number;
      samples[to++] = (older + 2 * old + value) / 4;
      older = old;
      old = value;
    }
    for (; at + 1 < piece.length; at += 2) {
      const first = piece[at] as number;
      const second = piece[at + 1] as number;
      samples[to++] = (old + 2 * first + second) / 4;
      older = first;
      old = second;
    }
    if (at < piece.length) {
      older = old;
      old = piece[at] as number;
    }
    this.isSecond = this.isSecond ? (piece.length - 1) % 2 === 1 : piece.length % 2 === 1;
    this.length = to;
    this.held = [older, old];
  }

  /** @returns the buffer and the index of a sample in it; valid until the next `append` */
  at(sample: number): { buffer: Float32Array; index: number } {
    return { buffer: this.samples, index: sample - this.start };
  }

  /** Whether samples from here on are still available. */
  has(sample: number): boolean {
    return sample >= this.start;
  }

  private makeRoom(count: number): void {
    if (this.length + count <= this.samples.length) return;
    const kept = Math.min(this.length, this.keptSamples);
    const from = this.length - kept;
    if (kept + count > this.samples.length) {
      const larger = new Float32Array(2 * (kept + count));
      larger.set(this.samples.subarray(from, this.length));
      this.samples = larger;
    } else this.samples.copyWithin(0, from, this.length);
    this.start += from;
    this.length = kept;
  }
}
