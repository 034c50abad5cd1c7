// Opens Smart Turn v3: a Whisper encoder with a classifier, whose published file takes log-mel features and has integer weights.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { HOP_SAMPLES } from "../../audio/mel.ts";
import { MelSpectrogram } from "../../audio/mel-spectrogram.ts";
import { SAMPLE_RATE } from "../../audio/sample-rate.ts";
import { runForFirst } from "../../onnx/run-network.ts";
import { InferenceSession } from "../../onnx/runtime.ts";
import { ONE_THREAD } from "../../onnx/session-options.ts";
import { MOST_TURN_SECONDS, type TurnDetector } from "../../turns/turn-detector.ts";
import { TURN_FILE } from "./files.ts";

const MEL_BINS = 80;
const SAMPLES = MOST_TURN_SECONDS * SAMPLE_RATE;
const FRAMES = SAMPLES / HOP_SAMPLES;
/** Added to the variance, as in the feature extractor that the network was trained with. */
const LEAST_VARIANCE = 1e-7;

/**
 * x86 without VNNI adds pairs of 8-bit products in 16 bits, where larger sums saturate; that changes probabilities by up to 0.6.
 * This setting has ONNX Runtime use wider products there. Other processors ignore it.
 */
const EXACT = { ...ONE_THREAD, extra: { session: { ...ONE_THREAD.extra.session, x64quantprecision: "1" } } };

/** The last samples with zeros in front, then zero mean and unit variance: in this order, as the network was trained. */
function normalised(samples: Float32Array): { all: Float32Array; silence: number } {
  const recent = samples.subarray(Math.max(0, samples.length - SAMPLES));
  let sum = 0;
  for (const sample of recent) sum += sample;
  const mean = Math.fround(sum / SAMPLES);
  const silence = SAMPLES - recent.length;
  let squares = silence * mean * mean;
  for (const sample of recent) squares += (sample - mean) ** 2;
  const deviation = Math.fround(Math.sqrt(squares / SAMPLES + LEAST_VARIANCE));
  const all = new Float32Array(SAMPLES).fill(-mean / deviation);
  for (let at = 0; at < recent.length; at++) all[silence + at] = Math.fround((recent[at] as number) - mean) / deviation;
  return { all, silence };
}

/** @throws Error if the file is missing, damaged or another kind of model */
export async function loadSmartTurn(folder: string): Promise<TurnDetector> {
  const network = await InferenceSession.create(await readFile(path.join(folder, TURN_FILE)), EXACT);
  const spectrogram = new MelSpectrogram(MEL_BINS);
  return {
    async judge(samples) {
      const { all, silence } = normalised(samples);
      const features = spectrogram.compute(all, silence);
      const { values } = await runForFirst(network, TURN_FILE, features, [1, MEL_BINS, FRAMES]);
      const [probability = Number.NaN] = values;
      if (values.length !== 1 || !(probability >= 0 && probability <= 1)) {
        throw new Error(`${TURN_FILE} returns no probability: it is another kind of model`);
      }
      return probability;
    },
    close: () => network.release(),
  };
}
