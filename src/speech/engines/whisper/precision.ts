// Checks whether 8-bit activations are accurate enough for these weights, by comparing the encoder's output with that
// of float products. Large models may have activations that one scale per row cannot represent; their encoder then uses
// float products.
import path from "node:path";
import { HOP_SAMPLES, WINDOW_SAMPLES } from "../../audio/mel.ts";
import { SAMPLE_RATE } from "../../audio/sample-rate.ts";
import { crossTensors } from "../../onnx/encoded-audio.ts";
import * as ort from "../../onnx/runtime.ts";
import { ONE_THREAD } from "../../onnx/session-options.ts";
import { floatsOf } from "../../onnx/tensors.ts";
import { decoderShape, SAMPLES_PER_FRAME, type WhisperConfig } from "./config.ts";
import { emptyCache, encoderPass } from "./encoder-pass.ts";

const FRAMES = 200;
/** Largest relative difference in the decoder's inputs that leaves the words unchanged. */
export const MOST_DIFFERENCE = 0.2;

/** A synthetic voice: a wavering tone with overtones, in syllables, over a little noise. */
function syntheticVoice(length: number): Float32Array {
  let seed = 1;
  return Float32Array.from({ length }, (_, at) => {
    const seconds = at / SAMPLE_RATE;
    seed = (seed * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    const pitch = 2 * Math.PI * (140 * seconds + 8 * Math.sin(5 * seconds));
    const syllable = Math.max(0, Math.sin(2 * Math.PI * 3.5 * seconds)) ** 0.5;
    const overtones = [1, 2, 3, 4, 6, 9, 14].reduce(
      (sum, factor) => sum + (Math.sin(factor * pitch) * (1.2 + Math.sin(factor + 9 * seconds))) / factor,
      0,
    );
    return 0.08 * syllable * overtones + 0.004 * (seed / 4_294_967_296 - 0.5);
  });
}

/** Output of an encoder graph for the synthetic voice: values of the last decoder layer. */
async function encode(file: string, config: WhisperConfig): Promise<Float32Array> {
  // Prepacking would need as much memory again as the weights.
  const options = { ...ONE_THREAD, extra: { session: { disable_prepacking: "1" } } };
  const session = await ort.InferenceSession.create(file, options);
  const bordered = syntheticVoice(FRAMES * SAMPLES_PER_FRAME + WINDOW_SAMPLES - HOP_SAMPLES);
  const input = { bordered, cached: emptyCache(config), settled: 0 };
  const cross = crossTensors(decoderShape(config), FRAMES);
  await encoderPass(session, config, input, cross);
  const values = Float32Array.from(floatsOf(cross.at(-1)));
  await session.release();
  return values;
}

/** Relative difference between the values with 8-bit activations and those with floats. */
export async function integerDifference(
  folder: string,
  graphs: { integer: string; portable: string },
  config: WhisperConfig,
): Promise<number> {
  const right = await encode(path.join(folder, graphs.portable), config);
  const found = await encode(path.join(folder, graphs.integer), config);
  let [error, power] = [0, 0];
  for (const [at, value] of right.entries()) {
    error += (value - (found[at] as number)) ** 2;
    power += value ** 2;
  }
  return Math.sqrt(error / power);
}
