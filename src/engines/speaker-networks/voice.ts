// 3D-Speaker's CAM++: the voice of a stretch of one speaker, and of excerpts of it.
import type { InferenceSession } from "../../onnx/runtime.ts";
import type { Excerpt } from "../../speakers/speaker-networks.ts";
import { VOICE_FILE } from "./files.ts";
import { BANKS, bankFrames, filterBanks, HOP_SAMPLES } from "./filter-banks.ts";
import { type DividedVoices, dividedVoices } from "./frame-features.ts";
import { type Floats, openNetwork, runNetwork } from "./run-network.ts";

/** A tenth of a second: less has no voice. */
const LEAST_BANK_FRAMES = 10;
/** The network halves the number of frames. */
const FEATURE_SAMPLES = 2 * HOP_SAMPLES;
/** The deviation of a single frame is undefined. */
const LEAST_FEATURE_FRAMES = 2;

export function unitLength(values: Float32Array): Float32Array {
  const length = Math.hypot(...values);
  return Number.isFinite(length) && length > 0
    ? values.map((value) => value / length)
    : new Float32Array(values.length);
}

/** @throws Error if the model has another layout */
function oneVoice({ values, dimensions }: Floats): Float32Array {
  if (dimensions.length !== 2 || dimensions[0] !== 1) {
    throw new Error(`${VOICE_FILE} returns ${dimensions.join(" x ")} values instead of one voice`);
  }
  return values;
}

/** Features of the frames of an excerpt. @param features  [1, features, frames] of the whole stretch */
function featuresOf({ values, dimensions }: Floats, { start, end }: Excerpt): Floats {
  const [, rows = 0, frames = 0] = dimensions;
  const from = Math.max(0, Math.min(Math.round(start / FEATURE_SAMPLES), frames - LEAST_FEATURE_FRAMES));
  const to = Math.min(frames, Math.max(Math.round(end / FEATURE_SAMPLES), from + LEAST_FEATURE_FRAMES));
  const own = new Float32Array(rows * (to - from));
  for (let row = 0; row < rows; row++) {
    own.set(values.subarray(row * frames + from, row * frames + to), row * (to - from));
  }
  return { values: own, dimensions: [1, rows, to - from] };
}

export class Voices {
  private constructor(
    private readonly network: InferenceSession,
    private readonly divided: DividedVoices | undefined,
    private readonly pooling: InferenceSession | undefined,
  ) {}

  /** @throws Error if the bytes are no ONNX model */
  static async open(model: Uint8Array): Promise<Voices> {
    const divided = dividedVoices(model);
    const pooling = divided && (await openNetwork(divided.pooling));
    return new Voices(await openNetwork(divided?.network ?? model), divided, pooling);
  }

  /**
   * The voices of a stretch and of its excerpts, as the network returns them; undefined if the stretch is too short for one.
   * @throws Error if the model has another layout
   */
  async of(samples: Float32Array, excerpts: readonly Excerpt[] = []): Promise<Float32Array[] | undefined> {
    const frames = bankFrames(samples.length);
    if (frames < LEAST_BANK_FRAMES) return undefined;
    const { divided, pooling, network } = this;
    const outputs = [...network.outputNames.slice(0, 1), ...(divided && excerpts.length > 0 ? [divided.features] : [])];
    const banks = filterBanks(samples);
    const [voice, features] = await runNetwork(network, VOICE_FILE, banks, [1, frames, BANKS], outputs);
    const voices = [oneVoice(voice as Floats)];
    for (const excerpt of excerpts) {
      if (pooling && features) {
        const { values, dimensions } = featuresOf(features, excerpt);
        const [pooled] = await runNetwork(pooling, VOICE_FILE, values, dimensions);
        voices.push(oneVoice(pooled as Floats));
      } else {
        const [own] = (await this.of(samples.subarray(excerpt.start, excerpt.end))) ?? [];
        voices.push(own ?? new Float32Array((voice as Floats).values.length));
      }
    }
    return voices;
  }

  async release(): Promise<void> {
    await this.network.release();
    await this.pooling?.release();
  }
}
