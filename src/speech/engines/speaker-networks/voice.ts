// 3D-Speaker's CAM++: the voice of a stretch of one speaker, and of excerpts of it.

import { type Floats, openedOrNone, openNetwork, runForFirst, runNetwork } from "../../onnx/run-network.ts";
import type { InferenceSession } from "../../onnx/runtime.ts";
import type { Excerpt } from "../../speakers/speaker-networks.ts";
import { VOICE_FILE } from "./files.ts";
import { BANKS, bankFrames, filterBanks, HOP_SAMPLES } from "./filter-banks.ts";
import { splitVoices } from "./frame-features.ts";

/** 0.1 s; shorter stretches have no voice. */
const LEAST_BANK_FRAMES = 10;
/** A standard deviation needs two frames. */
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

/**
 * Features of the frames of an excerpt.
 * @param features  [1, features, frames] of the whole stretch
 * @param frameSamples  samples of a frame
 */
function cropped({ values, dimensions }: Floats, frameSamples: number, { start, end }: Excerpt): Floats {
  const [, rows = 0, frames = 0] = dimensions;
  const from = Math.max(0, Math.min(Math.round(start / frameSamples), frames - LEAST_FEATURE_FRAMES));
  const to = Math.min(frames, Math.max(Math.round(end / frameSamples), from + LEAST_FEATURE_FRAMES));
  const part = new Float32Array(rows * (to - from));
  for (let row = 0; row < rows; row++) {
    part.set(values.subarray(row * frames + from, row * frames + to), row * (to - from));
  }
  return { values: part, dimensions: [1, rows, to - from] };
}

/** The graph that pools features, and the name of the features in both graphs. */
interface Pooling {
  session: InferenceSession;
  features: string;
}

/** @param sampleCount  samples from which the features were computed */
async function pooledVoices(
  { session }: Pooling,
  features: Floats,
  sampleCount: number,
  excerpts: readonly Excerpt[],
): Promise<Float32Array[]> {
  const [, , frames = 0] = features.dimensions;
  const voices: Float32Array[] = [];
  for (const excerpt of excerpts) {
    const { values, dimensions } = cropped(features, sampleCount / frames, excerpt);
    voices.push(oneVoice(await runForFirst(session, VOICE_FILE, values, dimensions)));
  }
  return voices;
}

export class Voices {
  private constructor(
    private readonly network: InferenceSession,
    private readonly pooling?: Pooling,
  ) {}

  /** @throws Error if the bytes are no ONNX model */
  static async open(model: Uint8Array): Promise<Voices> {
    const split = splitVoices(model);
    const network = split && (await openedOrNone(split.network));
    const session = split && network && (await openedOrNone(split.pooling));
    if (network && session) return new Voices(network, { session, features: split.features });
    await network?.release();
    return new Voices(await openNetwork(model));
  }

  /**
   * The voices of a stretch and of its excerpts, as the network returns them; undefined if the stretch is too short for one.
   * @throws Error if the model has another layout
   */
  async compute(samples: Float32Array, excerpts: readonly Excerpt[] = []): Promise<Float32Array[] | undefined> {
    const frames = bankFrames(samples.length);
    if (frames < LEAST_BANK_FRAMES) return undefined;
    const { pooling, network } = this;
    const isPooled = pooling !== undefined && excerpts.length > 0;
    const outputs = [...network.outputNames.slice(0, 1), ...(isPooled ? [pooling.features] : [])];
    const banks = filterBanks(samples);
    const [output, features] = await runNetwork(network, VOICE_FILE, banks, [1, frames, BANKS], outputs);
    const voice = oneVoice(output as Floats);
    if (isPooled && features?.dimensions.length === 3) {
      return [voice, ...(await pooledVoices(pooling, features, frames * HOP_SAMPLES, excerpts))];
    }
    const voices = [voice];
    for (const { start, end } of excerpts) {
      const [excerptVoice] = (await this.compute(samples.subarray(start, end))) ?? [];
      voices.push(excerptVoice ?? new Float32Array(voice.length));
    }
    return voices;
  }

  async release(): Promise<void> {
    await this.network.release();
    await this.pooling?.session.release();
  }
}
