// One pass of Whisper's encoder: what goes in, by its names, and what comes out.
import * as ort from "onnxruntime-node";
import { emptyTensor, firstRows, integerTensor } from "../../onnx/tensors.ts";
import { crossNames } from "../../onnx/text-names.ts";
import {
  HOP_SAMPLES,
  memoryNames,
  SAMPLES_PER_FRAME,
  textShape,
  type WhisperConfig,
  WINDOW_SAMPLES,
} from "./config.ts";

/** What the encoder remembers of the beginning of some audio: keys and values of settled frames. */
export interface Heard {
  frames: number;
  memory: ort.Tensor[];
  cross: ort.Tensor[];
}

export function nothingHeard(config: WhisperConfig): Heard {
  const { heads, headSize } = textShape(config);
  return {
    frames: 0,
    memory: memoryNames(config, "past").map(() => emptyTensor([1, 0, config.hiddenSize])),
    cross: crossNames(textShape(config)).map(() => emptyTensor([1, heads, 0, headSize])),
  };
}

/** Frames of audio between its borders. */
export const framesOf = (bordered: Float32Array): number =>
  (bordered.length - WINDOW_SAMPLES + HOP_SAMPLES) / SAMPLES_PER_FRAME;

/**
 * @param bordered  all of the audio between its borders, as the first convolution wants it
 * @param heard     of the same audio's beginning
 * @param settled   frames that will not be worked out again, at least as many as were heard
 * @param take      where so many numbers of the answer are written
 * @returns keys and values [1, decoderHeads, frames, headSize] of every decoder layer, and what the next pass may be given
 */
export async function encoderPass(
  encoder: ort.InferenceSession,
  config: WhisperConfig,
  { bordered, heard, settled }: { bordered: Float32Array; heard: Heard; settled: number },
  take: (length: number) => Float32Array,
): Promise<{ cross: ort.Tensor[]; memory: Heard }> {
  const shape = textShape(config);
  const names = crossNames(shape);
  const memories = memoryNames(config, "settled");
  const feeds: Record<string, ort.Tensor> = {
    samples: new ort.Tensor("float32", bordered, [1, 1, bordered.length]),
    past_frames: integerTensor([heard.frames], [1]),
    settled_frames: integerTensor([settled], [1]),
  };
  for (const [at, name] of memoryNames(config, "past").entries()) feeds[name] = heard.memory[at] as ort.Tensor;
  for (const [at, name] of names.entries()) feeds[`past.${name}`] = heard.cross[at] as ort.Tensor;
  const size = [1, shape.heads, framesOf(bordered), shape.headSize];
  const length = size.reduce((product, one) => product * one, 1);
  const cross = names.map(() => new ort.Tensor("float32", take(length), size));
  const answers = [...names.map((name, at) => [name, cross[at]]), ...memories.map((name) => [name, null])];
  const output = await encoder.run(feeds, Object.fromEntries(answers));
  return {
    cross,
    memory: {
      frames: settled,
      memory: memories.map((name) => output[name] as ort.Tensor),
      cross: settled === 0 ? heard.cross : cross.map((tensor) => firstRows(tensor, settled)),
    },
  };
}
