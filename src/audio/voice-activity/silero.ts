// Silero's voice activity detector: one speech probability per window of 512 samples at 16 kHz. State is carried from
// window to window, so one detector serves one audio stream.
import { readFile } from "node:fs/promises";
import path from "node:path";
import * as ort from "../../onnx/runtime.ts";
import { ONE_THREAD } from "../../onnx/session-options.ts";
import { packageFolder } from "../../process/package-folder.ts";
import { WARM_UP_SAMPLES, WINDOW_SAMPLES, warmUpSamples } from "./detector-windows.ts";
import { initialLevel, type LevelState, raiseWindow } from "./leveller.ts";
import { buildSileroGraph, INPUT_SAMPLES, STATE_SIZE } from "./silero-graph.ts";

const CONTEXT_SAMPLES = INPUT_SAMPLES - WINDOW_SAMPLES;
const STATE_SHAPE = [1, 1, STATE_SIZE];

export type VoiceActivityModel = ort.InferenceSession;

export async function loadVoiceActivityModel(): Promise<VoiceActivityModel> {
  const file = path.join(packageFolder("@ricky0123/vad-web"), "dist", "silero_vad_v6.onnx");
  return ort.InferenceSession.create(await buildSileroGraph(await readFile(file)), ONE_THREAD);
}

/** Detector state between windows; plain data, so that it can be sent between processes. */
export interface VoiceActivityState {
  hidden: Float32Array;
  cell: Float32Array;
  /** The last samples before the next window, as given to the detector. */
  context: Float32Array;
  level: LevelState;
}

export function initialVoiceActivityState(): VoiceActivityState {
  return {
    hidden: new Float32Array(STATE_SIZE),
    cell: new Float32Array(STATE_SIZE),
    context: new Float32Array(CONTEXT_SAMPLES),
    level: initialLevel(),
  };
}

/**
 * Speech probabilities, one per whole window of `samples`; the remainder must be passed again with more audio. The
 * detector gets a levelled copy.
 * @param samples  16 kHz mono in -1 to 1
 * @param state    of the stream; changed in place
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
  let { context } = state;
  for (let index = 0; index < windows; index++) {
    const at = index * INPUT_SAMPLES;
    const window = input.subarray(at + CONTEXT_SAMPLES, at + INPUT_SAMPLES);
    window.set(samples.subarray(index * WINDOW_SAMPLES, (index + 1) * WINDOW_SAMPLES));
    raiseWindow(window, state.level);
    input.set(context, at);
    context = window.subarray(-CONTEXT_SAMPLES);
  }
  state.context = context.slice();
  const output = await model.run({
    input: new ort.Tensor("float32", input, [windows, INPUT_SAMPLES]),
    hidden: new ort.Tensor("float32", state.hidden, STATE_SHAPE),
    cell: new ort.Tensor("float32", state.cell, STATE_SHAPE),
  });
  const data = (name: string) => (output[name] as ort.Tensor).data as Float32Array;
  state.hidden = data("hidden_out");
  state.cell = data("cell_out");
  return data("probabilities");
}

/** Probabilities for independent audio, one per whole window. */
export async function probabilitiesOf(model: ort.InferenceSession, samples: Float32Array): Promise<Float32Array> {
  const state = initialVoiceActivityState();
  await speechProbabilities(model, warmUpSamples(samples.subarray(0, WARM_UP_SAMPLES)), state);
  return speechProbabilities(model, samples, state);
}
