// Runs the two networks: pyannote's segmentation 3.0 and 3D-Speaker's CAM++, in the layouts that sherpa-onnx publishes.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { InferenceSession, Tensor } from "../../onnx/runtime.ts";
import { ONE_THREAD } from "../../onnx/session-options.ts";
import {
  CLASS_SPEAKERS,
  RAISED_SHIFT,
  type SpeakerNetworks,
  STEP_SAMPLES,
  WINDOW_FRAMES,
  WINDOW_SAMPLES,
} from "../../speakers/speaker-networks.ts";
import { SEGMENTATION_FILE, VOICE_FILE } from "./files.ts";
import { BANKS, bankFrames, filterBanks } from "./filter-banks.ts";
import { withIntegerLstm } from "./integer-lstm.ts";

/** Classes from here are pairs of speakers. */
const FIRST_PAIR = 4;
/** Added to the log probability of pairs for the turns: the segmentation misses more overlaps than it invents. */
const RAISED_BY = 1;
/** Windows that run together: two take 13 % less time than one after another; more gain nothing, as their values leave the cache. */
const WINDOWS_AT_ONCE = 2;
/** A tenth of a second: less has no voice. */
const LEAST_BANK_FRAMES = 10;

/** Index of the greatest value. @param raised  added to those of pairs */
function bestClass(values: Float32Array, at: number, raised: number): number {
  let best = 0;
  let highest = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < CLASS_SPEAKERS.length; index++) {
    const value = (values[at + index] as number) + (index >= FIRST_PAIR ? raised : 0);
    if (value <= highest) continue;
    highest = value;
    best = index;
  }
  return best;
}

function localSpeakers(values: Float32Array): Uint8Array {
  const classes = CLASS_SPEAKERS.length;
  return Uint8Array.from({ length: values.length / classes }, (_, frame) => {
    const plain = CLASS_SPEAKERS[bestClass(values, frame * classes, 0)] as number;
    const raised = CLASS_SPEAKERS[bestClass(values, frame * classes, RAISED_BY)] as number;
    return plain | (raised << RAISED_SHIFT);
  });
}

function unitLength(values: Float32Array): Float32Array {
  const length = Math.hypot(...values);
  return Number.isFinite(length) && length > 0
    ? values.map((value) => value / length)
    : new Float32Array(values.length);
}

/** The one input and the first output of a network. @throws Error if it has others */
function ends({ inputNames, outputNames }: InferenceSession, file: string): { input: string; output: string } {
  const [input, ...more] = inputNames;
  const [output] = outputNames;
  if (input === undefined || output === undefined || more.length > 0) {
    throw new Error(`${file} has ${inputNames.length} inputs instead of one: it is another kind of model`);
  }
  return { input, output };
}

async function runFloat(session: InferenceSession, file: string, values: Float32Array, dimensions: readonly number[]) {
  const { input, output } = ends(session, file);
  const tensor = (await session.run({ [input]: new Tensor("float32", values, dimensions) }))[output];
  if (!(tensor?.data instanceof Float32Array))
    throw new Error(`${file} returns no floats: it is another kind of model`);
  return { values: tensor.data, dimensions: tensor.dims };
}

/**
 * Log probabilities of one or more windows, row-major [windows, WINDOW_FRAMES, classes].
 * @param samples  of whole windows
 * @throws Error if the model has another layout
 */
export async function segmentationOf(session: InferenceSession, samples: Float32Array): Promise<Float32Array> {
  const windows = samples.length / WINDOW_SAMPLES;
  const { values, dimensions } = await runFloat(session, SEGMENTATION_FILE, samples, [windows, 1, WINDOW_SAMPLES]);
  if (values.length !== windows * WINDOW_FRAMES * CLASS_SPEAKERS.length) {
    const wanted = `${windows} x ${WINDOW_FRAMES} x ${CLASS_SPEAKERS.length}`;
    throw new Error(`${SEGMENTATION_FILE} returns ${dimensions.join(" x ")} values instead of ${wanted}`);
  }
  return values;
}

/** The voice of a stretch, as the network returns it. @throws Error if the model has another layout */
export async function voiceOf(session: InferenceSession, samples: Float32Array): Promise<Float32Array> {
  const frames = bankFrames(samples.length);
  const { values, dimensions } = await runFloat(session, VOICE_FILE, filterBanks(samples), [1, frames, BANKS]);
  if (dimensions.length !== 2 || dimensions[0] !== 1) {
    throw new Error(`${VOICE_FILE} returns ${dimensions.join(" x ")} values instead of one voice`);
  }
  return values;
}

/**
 * @param isExact  with the published weights, as a test compares them; otherwise the segmentation is faster, with integer weights
 * @throws Error if a file is missing, damaged or another kind of model
 */
export async function openNetworks(folder: string, isExact = false) {
  const published = await readFile(path.join(folder, SEGMENTATION_FILE));
  const segmentation = await InferenceSession.create(isExact ? published : withIntegerLstm(published), ONE_THREAD);
  const voice = await InferenceSession.create(path.join(folder, VOICE_FILE), ONE_THREAD);
  return { segmentation, voice };
}

/** @throws Error if a file is missing, damaged or another kind of model */
export async function loadSpeakerNetworks(folder: string): Promise<SpeakerNetworks> {
  const { segmentation, voice } = await openNetworks(folder);
  const dimensions = (await voiceOf(voice, new Float32Array(WINDOW_SAMPLES / 10))).length;
  return {
    dimensions,
    async segment(samples, windows, stride = 1) {
      const all = new Uint8Array(windows * WINDOW_FRAMES);
      for (let first = 0; first < windows; first += WINDOWS_AT_ONCE) {
        const count = Math.min(WINDOWS_AT_ONCE, windows - first);
        const input = new Float32Array(count * WINDOW_SAMPLES);
        for (let at = 0; at < count; at++) {
          const start = (first + at) * stride * STEP_SAMPLES;
          input.set(samples.subarray(start, start + WINDOW_SAMPLES), at * WINDOW_SAMPLES);
        }
        all.set(localSpeakers(await segmentationOf(segmentation, input)), first * WINDOW_FRAMES);
      }
      return all;
    },
    async voices(stretches) {
      const rows = new Float32Array(stretches.length * dimensions);
      for (const [index, samples] of stretches.entries()) {
        if (bankFrames(samples.length) < LEAST_BANK_FRAMES) continue;
        rows.set(unitLength(await voiceOf(voice, samples)), index * dimensions);
      }
      return rows;
    },
    async close() {
      await segmentation.release();
      await voice.release();
    },
  };
}
