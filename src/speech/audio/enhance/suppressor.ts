// GTCRN, a small neural noise suppressor (MIT; Rong et al., ICASSP 2024), as WebAssembly from a package. Its output
// alone sounds cleaner but is harder to recognise, so it is mixed in proportion to the noise: measured by
// `npm run bench -- enhancer`.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { packageFolder } from "../../../platform/process/package-folder.ts";
import { SAMPLE_RATE } from "../sample-rate.ts";

/** The required part of WebAssembly's types, which are otherwise only in the DOM library. */
interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}
declare const WebAssembly: {
  compile(bytes: Uint8Array): Promise<object>;
  instantiate(module: object, imports: object): Promise<{ exports: unknown }>;
};

/** The module's exports have single-letter names, which are valid for the exact version in package.json. */
interface Exports {
  c: Memory;
  /** Constructors. */
  d(): void;
  /** Creates the state of a stream. */
  e(): number;
  /** Frees a state. */
  g(state: number): void;
  /** Processes one frame of 16 kHz samples: state, input, output. */
  i(state: number, input: number, output: number): void;
  /** malloc. */
  k(bytes: number): number;
}

export const FRAME_SAMPLES = 256;
const PAGE_BYTES = 65_536;
const FLOAT_BYTES = 4;

/** Noise this far below the speech is not reduced … */
const LEAST_NOISE_DECIBELS = -18;
/** … and from this level on it is reduced with the maximum share. */
const MOST_NOISE_DECIBELS = -10;
const MOST_SHARE = 0.7;
/** Averaging time of noise and speech levels. */
const MEMORY_SECONDS = 2;
const DECAY = Math.exp(-FRAME_SAMPLES / (SAMPLE_RATE * MEMORY_SECONDS));
const TINY = 1e-12;

export interface Enhanced {
  /** As many samples as given, delayed by one frame: the first frame of a stream is silent. */
  samples: Float32Array;
  /** Noise level relative to the rest, after each frame. */
  noiseDecibels: Float32Array;
  /** Share of the suppressor's output in each frame, 0 to 1. */
  shares: Float32Array;
}

let compiled: Promise<object> | undefined;

function compile(): Promise<object> {
  compiled ??= readFile(path.join(packageFolder("@sapphi-red/web-noise-suppressor"), "dist", "gtcrn.wasm")).then(
    (bytes) => WebAssembly.compile(bytes),
  );
  return compiled;
}

/** The suppressor of one stream. */
export class Suppressor {
  private readonly state: number;
  private readonly input: number;
  private readonly output: number;
  private before = new Float32Array(FRAME_SAMPLES);
  private speechEnergy = TINY;
  private noiseEnergy = TINY;

  private constructor(private readonly exports: Exports) {
    exports.d();
    this.state = exports.e();
    this.input = exports.k(FRAME_SAMPLES * FLOAT_BYTES);
    this.output = exports.k(FRAME_SAMPLES * FLOAT_BYTES);
  }

  static async create(): Promise<Suppressor> {
    let memory: Memory | undefined;
    const imports = {
      a: {
        a: () => {
          throw new Error("the noise suppressor failed an assertion");
        },
        b: (bytes: number) => {
          const missing = bytes - (memory?.buffer.byteLength ?? 0);
          memory?.grow(Math.ceil(missing / PAGE_BYTES));
          return 1;
        },
      },
    };
    const instance = await WebAssembly.instantiate(await compile(), imports);
    const exports = instance.exports as Exports;
    memory = exports.c;
    return new Suppressor(exports);
  }

  /** @param samples  16 kHz, -1 to 1; whole frames of 256 */
  process(samples: Float32Array): Enhanced {
    const out = new Float32Array(samples.length);
    const frames = samples.length / FRAME_SAMPLES;
    const [noiseDecibels, shares] = [new Float32Array(frames), new Float32Array(frames)];
    for (let at = 0; at < samples.length; at += FRAME_SAMPLES) {
      const frame = samples.slice(at, at + FRAME_SAMPLES);
      new Float32Array(this.exports.c.buffer, this.input, FRAME_SAMPLES).set(frame);
      this.exports.i(this.state, this.input, this.output);
      const clean = new Float32Array(this.exports.c.buffer, this.output, FRAME_SAMPLES);
      // The output belongs to the previous frame.
      const share = this.shareFor(this.before, clean);
      shares[at / FRAME_SAMPLES] = share;
      noiseDecibels[at / FRAME_SAMPLES] = this.noiseDecibels;
      for (let index = 0; index < FRAME_SAMPLES; index++) {
        out[at + index] = (1 - share) * (this.before[index] as number) + share * (clean[index] as number);
      }
      this.before = frame;
    }
    return { samples: out, noiseDecibels, shares };
  }

  private get noiseDecibels(): number {
    return 10 * Math.log10(this.noiseEnergy / this.speechEnergy);
  }

  private shareFor(noisy: Float32Array, clean: Float32Array): number {
    let speech = TINY;
    let noise = TINY;
    for (let index = 0; index < FRAME_SAMPLES; index++) {
      const kept = clean[index] as number;
      speech += kept * kept;
      noise += ((noisy[index] as number) - kept) ** 2;
    }
    this.speechEnergy = DECAY * this.speechEnergy + (1 - DECAY) * speech;
    this.noiseEnergy = DECAY * this.noiseEnergy + (1 - DECAY) * noise;
    const level = (this.noiseDecibels - LEAST_NOISE_DECIBELS) / (MOST_NOISE_DECIBELS - LEAST_NOISE_DECIBELS);
    return MOST_SHARE * Math.min(1, Math.max(0, level));
  }

  free(): void {
    this.exports.g(this.state);
  }
}
