// Removes the estimated leak from one channel: subtracts it, and mutes in every frame the frequencies that what is left
// of the leak explains. Where nothing leaks, samples stay exactly as they are.
import { BINS, BLOCK_SAMPLES, emptySpectrum, HERTZ_PER_BIN, inverse, TRANSFORM_SAMPLES, transform } from "./blocks.ts";
import type { NearVoice } from "./near-voice.ts";

/** Square root of a Hann window: analysis and synthesis together add up to 1. */
const WINDOW = Float64Array.from({ length: TRANSFORM_SAMPLES }, (_, at) =>
  Math.sin((Math.PI * (at + 0.5)) / TRANSFORM_SAMPLES),
);
/** Share of power that the window keeps: the background was measured without it. */
const WINDOW_POWER = 0.5;
/** Decay of reverberation behind the filter's end: 60 dB in 0.6 s. */
const TAIL = 0.5;
/** What remains of the leak, relative to its estimate. */
const FIRST_REMAINDER = 0.3;
const LEAST_REMAINDER = 0.003;
const [RISE, FALL] = [0.05, 0.15];
/** The remainder fluctuates: this multiple of its mean is removed. */
const REMOVED = 4;
/** A bin with more than this multiple of remainder and background is the channel's own sound. */
const OWN = 6;
/** Least share of bins above OWN in a frame with sound of the channel itself. Remainders of a leak exceed OWN in up to 5 % of the bins. */
const OWN_SHARE = 0.1;
/** Frames without own sound are muted only after this many, so that the end of a word stays. */
const HANGOVER_FRAMES = 4;
/** The leak matters above this share of the background. */
const AUDIBLE = 0.1;
/** Power of a bin that amounts to rounding errors. */
const SILENT_POWER = 1e-9;
/** A frame is changed if the leak matters in this share of the bins. */
const AUDIBLE_SHARE = 0.1;
/** The detector of voice activity reacts to a leak for this many frames after it. */
const ECHO_FRAMES = 6;
/** 250 Hz to 4 kHz. */
const [FIRST, END] = [Math.round(250 / HERTZ_PER_BIN), Math.round(4_000 / HERTZ_PER_BIN)];

export interface SuppressedBlock {
  /** Samples of the block. */
  near: Float32Array;
  /** Estimate of the leak in it. */
  leak: Float32Array;
  /** Power of the channel's background in every bin. */
  background: Float32Array;
  /** Whether the source of the leak is louder than the channel. */
  isSourceLouder: boolean;
}

export class LeakSuppressor {
  private leak: Float32Array = new Float32Array(BLOCK_SAMPLES);
  private readonly overlap = new Float32Array(BLOCK_SAMPLES);
  private readonly rest = emptySpectrum();
  private readonly estimate = emptySpectrum();
  private readonly leakPower = new Float32Array(BINS);
  private readonly remainder = new Float32Array(BINS).fill(FIRST_REMAINDER);
  private wasChanged = false;
  private hangover = 0;
  private seed = 1;
  private echo = 0;

  /** @param near  samples of the block before the first one */
  constructor(
    private near: Float32Array<ArrayBufferLike>,
    private readonly voice: NearVoice,
  ) {}

  /** Whether the block that `add` returned has a leak, and no voice of the channel itself. */
  get isOnlyLeak(): boolean {
    return this.echo > 0 && !this.voice.isPresent;
  }

  copy(): LeakSuppressor {
    const copy = new LeakSuppressor(this.near, this.voice.copy());
    copy.echo = this.echo;
    copy.leak = this.leak;
    copy.overlap.set(this.overlap);
    copy.leakPower.set(this.leakPower);
    copy.remainder.set(this.remainder);
    copy.wasChanged = this.wasChanged;
    copy.hangover = this.hangover;
    copy.seed = this.seed;
    return copy;
  }

  /** Adds a block. @returns samples of the block before it */
  add({ near, leak, background, isSourceLouder }: SuppressedBlock): Float32Array {
    const before = this.near;
    this.separate(near, leak);
    const { audibleShare, ownShare } = this.shares(background);
    const isChanged = audibleShare > AUDIBLE_SHARE;
    this.hangover = ownShare > OWN_SHARE ? HANGOVER_FRAMES : Math.max(0, this.hangover - 1);
    const { rest, estimate } = this;
    const backgroundOf = (bin: number) => WINDOW_POWER * (background[bin] as number);
    this.voice.add({ rest, estimate, backgroundOf, isSourceLouder });
    this.echo = isChanged ? ECHO_FRAMES : Math.max(0, this.echo - 1);
    if (isChanged && isSourceLouder) this.learn();
    const output = new Float32Array(BLOCK_SAMPLES);
    if (isChanged) this.suppress(background, this.hangover === 0, output);
    else this.pass(before, near, output);
    this.wasChanged = isChanged;
    this.near = near;
    this.leak = leak;
    return output;
  }

  /** Spectra of the last two blocks: of what the estimate leaves, and of the estimate. */
  private separate(near: Float32Array, leak: Float32Array): void {
    const { near: before, leak: oldLeak } = this;
    transform(
      (real, imaginary) => {
        for (let at = 0; at < BLOCK_SAMPLES; at++) {
          const [early, late] = [WINDOW[at] as number, WINDOW[at + BLOCK_SAMPLES] as number];
          real[at] = early * ((before[at] as number) - (oldLeak[at] as number));
          real[at + BLOCK_SAMPLES] = late * ((near[at] as number) - (leak[at] as number));
          imaginary[at] = early * (oldLeak[at] as number);
          imaginary[at + BLOCK_SAMPLES] = late * (leak[at] as number);
        }
      },
      this.rest,
      this.estimate,
    );
  }

  /** Shares of the bins of speech in which the leak is audible, and in which the channel has sound of its own. */
  private shares(background: Float32Array): { audibleShare: number; ownShare: number } {
    const { rest, estimate, leakPower, remainder } = this;
    let [audible, own] = [0, 0];
    for (let bin = 0; bin < BINS; bin++) {
      const power = (estimate.real[bin] as number) ** 2 + (estimate.imaginary[bin] as number) ** 2;
      leakPower[bin] = Math.max(power, TAIL * (leakPower[bin] as number));
      if (bin < FIRST || bin >= END) continue;
      const floor = WINDOW_POWER * (background[bin] as number);
      if ((leakPower[bin] as number) > AUDIBLE * floor + SILENT_POWER) audible++;
      const left = (rest.real[bin] as number) ** 2 + (rest.imaginary[bin] as number) ** 2;
      if (left > OWN * ((remainder[bin] as number) * (leakPower[bin] as number) + floor)) own++;
    }
    return { audibleShare: audible / (END - FIRST), ownShare: own / (END - FIRST) };
  }

  /** The block before, as it was. */
  private pass(before: Float32Array, near: Float32Array, output: Float32Array): void {
    for (let at = 0; at < BLOCK_SAMPLES; at++) {
      const early = (WINDOW[at] as number) ** 2;
      const value = before[at] as number;
      output[at] = this.wasChanged ? (this.overlap[at] as number) + early * value : value;
      this.overlap[at] = (1 - early) * (near[at] as number);
    }
  }

  private learn(): void {
    const { rest, leakPower, remainder } = this;
    for (let bin = 0; bin < BINS; bin++) {
      const left = (rest.real[bin] as number) ** 2 + (rest.imaginary[bin] as number) ** 2;
      const before = remainder[bin] as number;
      const now = Math.min(1, Math.max(LEAST_REMAINDER, left / ((leakPower[bin] as number) + 1e-12)));
      remainder[bin] = before + (now > before ? RISE : FALL) * (now - before);
    }
  }

  private suppress(background: Float32Array, isMuted: boolean, output: Float32Array): void {
    const { rest, leakPower, remainder } = this;
    for (let bin = 0; bin < BINS; bin++) {
      const [re, im] = [rest.real[bin] as number, rest.imaginary[bin] as number];
      const left = re * re + im * im;
      const removed = REMOVED * (remainder[bin] as number) * (leakPower[bin] as number);
      const gain = isMuted ? 0 : Math.sqrt(Math.max(0, 1 - removed / (left + 1e-20)));
      const floor = Math.sqrt(WINDOW_POWER * (background[bin] as number) * (1 - gain * gain));
      const angle = 2 * Math.PI * this.random();
      rest.real[bin] = gain * re + floor * Math.cos(angle);
      rest.imaginary[bin] = gain * im + floor * Math.sin(angle);
    }
    const { estimate, overlap } = this;
    inverse(rest, estimate, (samples) => {
      for (let at = 0; at < BLOCK_SAMPLES; at++) {
        output[at] = (overlap[at] as number) + (WINDOW[at] as number) * (samples[at] as number);
        overlap[at] = (WINDOW[at + BLOCK_SAMPLES] as number) * (samples[at + BLOCK_SAMPLES] as number);
      }
    });
  }

  private random(): number {
    this.seed = (Math.imul(this.seed, 1_664_525) + 1_013_904_223) >>> 0;
    return this.seed / 4_294_967_296;
  }
}
