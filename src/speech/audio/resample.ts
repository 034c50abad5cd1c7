// Streaming resampler: a windowed sinc evaluated at exact positions, so that an output sample depends only on the input
// samples around it. Any split of the input, and any starting position, give the same output.
import { joinedSamples } from "./samples.ts";

/** Zero crossings on each side of the filter. */
const HALF_WIDTH = 16;
/** Slightly below the lower Nyquist frequency, to avoid aliasing. */
const ROLLOFF = 0.94;

function greatestCommonDivisor(left: number, right: number): number {
  return right === 0 ? left : greatestCommonDivisor(right, left % right);
}

/** Sum of the samples from `first` on, each by its tap. Samples before the first one and after the last one are silent. */
function filtered(samples: Float32Array, first: number, taps: Float32Array): number {
  const from = Math.max(0, -first);
  const until = Math.min(taps.length, samples.length - first);
  let sum = 0;
  for (let tap = from; tap < until; tap++) sum += (taps[tap] as number) * (samples[first + tap] as number);
  return sum;
}

export class Resampler {
  private readonly up: number;
  private readonly down: number;
  private readonly reach: number;
  /** Filter taps for each of the `up` phases. */
  private readonly phases: Float32Array[];
  private pending = new Float32Array();
  /** Index of the first pending input sample, from the start of the stream. */
  private pendingStart: number;
  private nextOutput: number;

  /** @param startOutput  index of the first output sample; the input must start at `inputStart` of it */
  constructor(inputRate: number, outputRate: number, startOutput = 0) {
    const divisor = greatestCommonDivisor(inputRate, outputRate);
    this.up = outputRate / divisor;
    this.down = inputRate / divisor;
    const cutoff = ROLLOFF * Math.min(1, this.up / this.down);
    this.reach = inputRate === outputRate ? 0 : Math.ceil(HALF_WIDTH / cutoff);
    this.phases = Array.from({ length: this.up }, (_, phase) => this.taps(phase / this.up, cutoff));
    this.nextOutput = startOutput;
    this.pendingStart = this.inputStart(startOutput);
  }

  /** The first input sample that an output sample depends on; at least 0. */
  inputStart(output: number): number {
    return Math.max(0, Math.floor((output * this.down) / this.up) - this.reach);
  }

  /** @returns the output samples that are complete with this input */
  push(input: Float32Array): Float32Array {
    if (this.reach === 0) {
      this.nextOutput += input.length;
      return input;
    }
    this.append(input);
    return this.drain(this.pendingStart + this.pending.length - this.reach);
  }

  /** The remaining output, as if silence followed. */
  flush(): Float32Array {
    if (this.reach === 0) return new Float32Array();
    const end = this.pendingStart + this.pending.length;
    this.append(new Float32Array(this.reach));
    return this.drain(end);
  }

  private append(input: Float32Array): void {
    const joined = new Float32Array(this.pending.length + input.length);
    joined.set(this.pending);
    joined.set(input, this.pending.length);
    this.pending = joined;
  }

  /** Output samples whose position in the input is before `inputEnd`. */
  private drain(inputEnd: number): Float32Array {
    const last = Math.ceil((inputEnd * this.up) / this.down) - 1;
    const count = Math.max(0, last - this.nextOutput + 1);
    const output = new Float32Array(count);
    for (let index = 0; index < count; index++, this.nextOutput++) {
      const place = this.nextOutput * this.down;
      const whole = Math.floor(place / this.up);
      const taps = this.phases[place % this.up] as Float32Array;
      output[index] = filtered(this.pending, whole - this.reach + 1 - this.pendingStart, taps);
    }
    const needed = this.inputStart(this.nextOutput) - this.pendingStart;
    if (needed > 0) {
      this.pending = this.pending.slice(needed);
      this.pendingStart += needed;
    }
    return output;
  }

  /** Taps for a position `fraction` of a sample after an input sample; input samples -reach + 1 to reach around it. */
  private taps(fraction: number, cutoff: number): Float32Array {
    const taps = new Float32Array(2 * this.reach);
    let sum = 0;
    for (let index = 0; index < taps.length; index++) {
      const distance = index - this.reach + 1 - fraction;
      const angle = Math.PI * cutoff * distance;
      const sinc = angle === 0 ? 1 : Math.sin(angle) / angle;
      const window = 0.5 + 0.5 * Math.cos((Math.PI * distance) / this.reach);
      const tap = Math.abs(distance) >= this.reach ? 0 : sinc * window;
      taps[index] = tap;
      sum += tap;
    }
    // Normalised, so that a constant input gives the same constant at every phase.
    return taps.map((tap) => tap / sum);
  }
}

/** A whole signal at another rate. */
export function resampled(samples: Float32Array, inputRate: number, outputRate: number): Float32Array {
  const resampler = new Resampler(inputRate, outputRate);
  return joinedSamples([resampler.push(samples), resampler.flush()]);
}
