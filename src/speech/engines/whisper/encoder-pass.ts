// One pass of Whisper's encoder: its inputs and outputs by name.

import { crossNames } from "../../onnx/decoder-tensor-names.ts";
import * as ort from "../../onnx/runtime.ts";
import { emptyTensor, firstRows, integerTensor } from "../../onnx/tensors.ts";
import { decoderShape, memoryNames, type WhisperConfig } from "./config.ts";

/** Cached encoder output for the beginning of some audio: keys and values of its final frames. */
export interface EncoderCache {
  frames: number;
  memory: ort.Tensor[];
  cross: ort.Tensor[];
}

export function emptyCache(config: WhisperConfig): EncoderCache {
  const { heads, headSize } = decoderShape(config);
  return {
    frames: 0,
    memory: memoryNames(config, "past").map(() => emptyTensor([1, 0, config.hiddenSize])),
    cross: crossNames(decoderShape(config)).map(() => emptyTensor([1, heads, 0, headSize])),
  };
}

/**
 * @param bordered  all of the audio with its borders, as the first convolution requires
 * @param cached    output for the beginning of the same audio
 * @param settled   number of frames to cache, at least as many as are cached already
 * @param cross     tensors [1, decoderHeads, frames, headSize] for the keys and values of every decoder layer
 * @returns cache for the next pass
 */
export async function encoderPass(
  encoder: ort.InferenceSession,
  config: WhisperConfig,
  { bordered, cached, settled }: { bordered: Float32Array; cached: EncoderCache; settled: number },
  cross: readonly ort.Tensor[],
): Promise<EncoderCache> {
  const names = crossNames(decoderShape(config));
  const memories = memoryNames(config, "settled");
  const feeds: Record<string, ort.Tensor> = {
    samples: new ort.Tensor("float32", bordered, [1, 1, bordered.length]),
    past_frames: integerTensor([cached.frames], [1]),
    settled_frames: integerTensor([settled], [1]),
  };
  for (const [at, name] of memoryNames(config, "past").entries()) feeds[name] = cached.memory[at] as ort.Tensor;
  for (const [at, name] of names.entries()) feeds[`past.${name}`] = cached.cross[at] as ort.Tensor;
  const answers = [...names.map((name, at) => [name, cross[at]]), ...memories.map((name) => [name, null])];
  const output = await encoder.run(feeds, Object.fromEntries(answers));
  return {
    frames: settled,
    memory: memories.map((name) => output[name] as ort.Tensor),
    cross: settled === 0 ? cached.cross : cross.map((tensor) => firstRows(tensor, settled)),
  };
}
