// Silero's voice activity detector: one probability of speech per window of 512 samples at 16 kHz.
// State is carried from window to window, so one detector serves one stream of audio only.
import path from "node:path";
import * as ort from "onnxruntime-node";
import { packageFolder } from "../../recognition/package-folder.ts";

export const WINDOW_SAMPLES = 512;
const CONTEXT_SAMPLES = 64;
const STATE_SHAPE = [2, 1, 128];
const STATE_SIZE = 256;
const SAMPLE_RATE = new ort.Tensor("int64", BigInt64Array.of(16_000n), []);

export async function loadVoiceActivityModel(): Promise<ort.InferenceSession> {
  const file = path.join(packageFolder("@ricky0123/vad-web"), "dist", "silero_vad_v6.onnx");
  return ort.InferenceSession.create(file, { intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: 3 });
}

/** What a detector remembers between windows; plain data, so that it can cross a process border. */
export interface VoiceActivityState {
  recurrent: Float32Array;
  context: Float32Array;
}

export function initialVoiceActivityState(): VoiceActivityState {
  return { recurrent: new Float32Array(STATE_SIZE), context: new Float32Array(CONTEXT_SAMPLES) };
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
  const probabilities = new Float32Array(windows);
  for (let index = 0; index < windows; index++) {
    const window = new Float32Array(CONTEXT_SAMPLES + WINDOW_SAMPLES);
    window.set(state.context);
    window.set(samples.subarray(index * WINDOW_SAMPLES, (index + 1) * WINDOW_SAMPLES), CONTEXT_SAMPLES);
    const output = await model.run({
      input: new ort.Tensor("float32", window, [1, window.length]),
      state: new ort.Tensor("float32", state.recurrent, STATE_SHAPE),
      sr: SAMPLE_RATE,
    });
    probabilities[index] = (output["output"] as ort.Tensor).data[0] as number;
    state.recurrent = (output["stateN"] as ort.Tensor).data as Float32Array;
    state.context = window.slice(WINDOW_SAMPLES);
  }
  return probabilities;
}
