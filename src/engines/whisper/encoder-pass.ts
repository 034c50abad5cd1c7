// One pass of Whisper's encoder: what goes in, by its names, and what comes out.
import * as ort from "onnxruntime-node";
import { emptyTensor, firstRows, integerTensor } from "../../onnx/tensors.ts";
import { crossNames } from "../../onnx/text-names.ts";
import { memoryNames, textShape, type WhisperConfig } from "./config.ts";

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

/**
 * @param bordered  all of the audio between its borders, as the first convolution wants it
 * @param heard     of the same audio's beginning
 * @param settled   frames that will not be worked out again, at least as many as were heard
 * @param cross     tensors [1, decoderHeads, frames, headSize] that the keys and values of every decoder layer are written to
 * @returns what the next pass may be given
 */
export async function encoderPass(
  encoder: ort.InferenceSession,
  config: WhisperConfig,
  { bordered, heard, settled }: { bordered: Float32Array; heard: Heard; settled: number },
  cross: readonly ort.Tensor[],
): Promise<Heard> {
  const names = crossNames(textShape(config));
  const memories = memoryNames(config, "settled");
  const feeds: Record<string, ort.Tensor> = {
    samples: new ort.Tensor("float32", bordered, [1, 1, bordered.length]),
    past_frames: integerTensor([heard.frames], [1]),
    settled_frames: integerTensor([settled], [1]),
  };
  for (const [at, name] of memoryNames(config, "past").entries()) feeds[name] = heard.memory[at] as ort.Tensor;
  for (const [at, name] of names.entries()) feeds[`past.${name}`] = heard.cross[at] as ort.Tensor;
  const answers = [...names.map((name, at) => [name, cross[at]]), ...memories.map((name) => [name, null])];
  const output = await encoder.run(feeds, Object.fromEntries(answers));
  return {
    frames: settled,
    memory: memories.map((name) => output[name] as ort.Tensor),
    cross: settled === 0 ? heard.cross : cross.map((tensor) => firstRows(tensor, settled)),
  };
}
