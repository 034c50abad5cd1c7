// Silero's voice activity detector: one probability of speech per window of 512 samples at 16 kHz.
// State is carried from window to window, so one detector serves one stream of audio only.
import { readFile } from "node:fs/promises";
import path from "node:path";
import * as ort from "onnxruntime-node";
import { ONE_THREAD } from "../../onnx/session-options.ts";
import { packageFolder } from "../../process/package-folder.ts";
import { buildSileroGraph, INPUT_SAMPLES, STATE_SIZE } from "./silero-graph.ts";

export const WINDOW_SAMPLES = 512;
const CONTEXT_SAMPLES = INPUT_SAMPLES - WINDOW_SAMPLES;
const STATE_SHAPE = [1, 1, STATE_SIZE];

export type VoiceActivityModel = ort.InferenceSession;

export async function loadVoiceActivityModel(): Promise<VoiceActivityModel> {
  const file = path.join(packageFolder("@ricky0123/vad-web"), "dist", "silero_vad_v6.onnx");
  return ort.InferenceSession.create(await buildSileroGraph(await readFile(file)), ONE_THREAD);
}

/** Audio at its beginning that a detector hears once more beforehand. */
export const WARM_UP_SAMPLES = 8 * WINDOW_SAMPLES;

/**
 * What a detector hears first: the beginning backwards. A cold one would miss the first sound of a voice; after silence it
 * would take the first of anything for one.
 * @param beginning  the first WARM_UP_SAMPLES samples; fewer where there are no more
 */
export function mirrored(beginning: Float32Array): Float32Array {
  const backwards = new Float32Array(WARM_UP_SAMPLES);
  const { length } = beginning;
  for (let at = 0; at < length; at++) backwards[WARM_UP_SAMPLES - 1 - at] = beginning[at] as number;
  return backwards;
}

/** What a detector remembers between windows; plain data, so that it can cross a process border. */
export interface VoiceActivityState {
  hidden: Float32Array;
  cell: Float32Array;
  /** The last samples before the next window. */
  context: Float32Array;
}

export function initialVoiceActivityState(): VoiceActivityState {
  return {
    hidden: new Float32Array(STATE_SIZE),
    cell: new Float32Array(STATE_SIZE),
    context: new Float32Array(CONTEXT_SAMPLES),
  };
}

/**
 * Probabilities of speech, one per whole window of `samples`; the remainder must come again with more audio.
 * @param samples  16 kHz mono in -1 to 1
 * @param state    where the stream stands; changed in place
 * @returns floor(samples / 512) probabilities in 0 to 1
 */
export async function speechProbabilities(
  model: ort.InferenceSession,
  samples: Float32Array,
  state: VoiceActivityState,
): Promise<Float32Array> {
  const windows = Math.floor(samples.length / WINDOW_SAMPLES);
  if (windows === 0) return new Float32Array();
  const input = new Float32Array(windows * INPUT_SAMPLES);
  input.set(state.context);
  input.set(samples.subarray(0, WINDOW_SAMPLES), CONTEXT_SAMPLES);
  for (let index = 1; index < windows; index++) {
    const start = index * WINDOW_SAMPLES;
    input.set(samples.subarray(start - CONTEXT_SAMPLES, start + WINDOW_SAMPLES), index * INPUT_SAMPLES);
  }
  const output = await model.run({
    input: new ort.Tensor("float32", input, [windows, INPUT_SAMPLES]),
    hidden: new ort.Tensor("float32", state.hidden, STATE_SHAPE),
    cell: new ort.Tensor("float32", state.cell, STATE_SHAPE),
  });
  const data = (name: string) => (output[name] as ort.Tensor).data as Float32Array;
  state.hidden = data("hidden_out");
  state.cell = data("cell_out");
  state.context = samples.slice(windows * WINDOW_SAMPLES - CONTEXT_SAMPLES, windows * WINDOW_SAMPLES);
  return data("probabilities");
}
