// Whether activations of 8 bits are exact enough for these weights: the encoder hears the same sound with them and with
// floats. Large models may have activations that a row's scale cannot hold; their encoder then multiplies floats.
import path from "node:path";
import * as ort from "onnxruntime-node";
import { ONE_THREAD } from "../../onnx/session-options.ts";
import { floatsOf } from "../../onnx/tensors.ts";
import { crossTensors } from "../../onnx/texts.ts";
import {
  HOP_SAMPLES,
  SAMPLE_RATE,
  SAMPLES_PER_FRAME,
  textShape,
  type WhisperConfig,
  WINDOW_SAMPLES,
} from "./config.ts";
import { encoderPass, nothingHeard } from "./encoder-pass.ts";

const FRAMES = 200;
/** Values for the decoder that differ by more of their size than this are heard as something else. */
export const MOST_DIFFERENCE = 0.2;

/** Something like a voice: a wavering tone with its overtones, in syllables, over a little noise. */
function voiceLike(length: number): Float32Array {
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

/** What the encoder of a graph makes of the sound: values of the last decoder layer. */
async function heard(file: string, config: WhisperConfig): Promise<Float32Array> {
  // Copies of the weights in another order would need as much memory again.
  const options = { ...ONE_THREAD, extra: { session: { disable_prepacking: "1" } } };
  const session = await ort.InferenceSession.create(file, options);
  const bordered = voiceLike(FRAMES * SAMPLES_PER_FRAME + WINDOW_SAMPLES - HOP_SAMPLES);
  const question = { bordered, heard: nothingHeard(config), settled: 0 };
  const cross = crossTensors(textShape(config), FRAMES, (length) => new Float32Array(length));
  await encoderPass(session, config, question, cross);
  const values = Float32Array.from(floatsOf(cross.at(-1)));
  await session.release();
  return values;
}

/** How far the values with 8-bit activations are from those with floats, as a share of their size. */
export async function integerDifference(
  folder: string,
  graphs: { integer: string; portable: string },
  config: WhisperConfig,
): Promise<number> {
  const right = await heard(path.join(folder, graphs.portable), config);
  const found = await heard(path.join(folder, graphs.integer), config);
  let [error, power] = [0, 0];
  for (const [at, value] of right.entries()) {
    error += (value - (found[at] as number)) ** 2;
    power += value ** 2;
  }
  return Math.sqrt(error / power);
}
