// Silero's voice activity detector: one speech probability per window of 512 samples at 16 kHz. State is carried from
// window to window, so one state serves one audio stream.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { packageFolder } from "../../../platform/process/package-folder.ts";
import * as ort from "../../onnx/runtime.ts";
import { ONE_THREAD } from "../../onnx/session-options.ts";
import {
  coldVoiceActivityState,
  type DetectorMemory,
  MEMORY_WINDOWS,
  type VoiceActivityState,
} from "./detector-state.ts";
import { WARM_UP_SAMPLES, WINDOW_SAMPLES, warmUpSamples } from "./detector-windows.ts";
import { raiseWindow } from "./leveller.ts";
import { buildSileroGraph, INPUT_SAMPLES, MEMORIES, STATE_SIZE } from "./silero-graph.ts";

const CONTEXT_SAMPLES = INPUT_SAMPLES - WINDOW_SAMPLES;
const STATE_SHAPE = [1, MEMORIES, STATE_SIZE];

export type VoiceActivityModel = ort.InferenceSession;

export async function loadVoiceActivityModel(): Promise<VoiceActivityModel> {
  const file = path.join(packageFolder("@ricky0123/vad-web"), "dist", "silero_vad_v6.onnx");
  return ort.InferenceSession.create(await buildSileroGraph(await readFile(file)), ONE_THREAD);
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
  const input = levelledInput(samples, windows, state);
  const probabilities = new Float32Array(windows);
  for (let from = 0; from < windows; ) {
    renewMemories(state);
    const to = Math.min(windows, from + windowsUntilRenewal(state));
    probabilities.set(await runNetwork(model, input.subarray(from * INPUT_SAMPLES, to * INPUT_SAMPLES), state), from);
    if (state.warmUpWindows > 0) state.warmUpWindows -= to - from;
    else state.window += to - from;
    from = to;
  }
  return probabilities;
}

/** The levelled windows, each after the end of the one before it: [windows, INPUT_SAMPLES]. */
function levelledInput(samples: Float32Array, windows: number, state: VoiceActivityState): Float32Array {
  const input = new Float32Array(windows * INPUT_SAMPLES);
  let context = state.context ?? new Float32Array(CONTEXT_SAMPLES);
  for (let index = 0; index < windows; index++) {
    const at = index * INPUT_SAMPLES;
    const window = input.subarray(at + CONTEXT_SAMPLES, at + INPUT_SAMPLES);
    window.set(samples.subarray(index * WINDOW_SAMPLES, (index + 1) * WINDOW_SAMPLES));
    raiseWindow(window, state.level);
    input.set(context, at);
    context = window.subarray(-CONTEXT_SAMPLES);
  }
  state.context = context.slice();
  return input;
}

/** Windows that the current memories process. */
function windowsUntilRenewal({ warmUpWindows, window }: VoiceActivityState): number {
  return warmUpWindows > 0 ? warmUpWindows : MEMORY_WINDOWS - (window % MEMORY_WINDOWS);
}

/** Begins a memory where the stream has reached the place of one. */
function renewMemories(state: VoiceActivityState): void {
  const { warmUpWindows, window, older, younger } = state;
  if (warmUpWindows > 0 || window % MEMORY_WINDOWS !== 0) return;
  // A new one behaves differently in its first second: at the start of a stream, one that was warmed up is used.
  state.older = younger ?? older ?? emptyMemory();
  state.younger = emptyMemory();
}

const emptyMemory = (): DetectorMemory => ({
  hidden: new Float32Array(STATE_SIZE),
  cell: new Float32Array(STATE_SIZE),
});

/** @param input  [n, INPUT_SAMPLES] */
async function runNetwork(
  model: ort.InferenceSession,
  input: Float32Array,
  state: VoiceActivityState,
): Promise<Float32Array> {
  const { older = emptyMemory(), younger = emptyMemory() } = state;
  const both = (part: keyof DetectorMemory) => Float32Array.of(...older[part], ...younger[part]);
  const output = await model.run({
    input: new ort.Tensor("float32", input, [input.length / INPUT_SAMPLES, INPUT_SAMPLES]),
    hidden: new ort.Tensor("float32", both("hidden"), STATE_SHAPE),
    cell: new ort.Tensor("float32", both("cell"), STATE_SHAPE),
  });
  const data = (name: string) => (output[name] as ort.Tensor).data as Float32Array;
  const memory = (at: number): DetectorMemory => {
    const own = (name: string) => data(name).slice(at * STATE_SIZE, (at + 1) * STATE_SIZE);
    return { hidden: own("hidden_out"), cell: own("cell_out") };
  };
  state.older = memory(0);
  if (state.younger) state.younger = memory(1);
  return data("probabilities");
}

/** Probabilities for independent audio, one per whole window. */
export async function probabilitiesOf(model: ort.InferenceSession, samples: Float32Array): Promise<Float32Array> {
  const state = coldVoiceActivityState();
  await speechProbabilities(model, warmUpSamples(samples.subarray(0, WARM_UP_SAMPLES)), state);
  return speechProbabilities(model, samples, state);
}
