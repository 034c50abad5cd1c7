// One pass of Whisper's encoder: what goes in, by its names, and what comes out.
import * as ort from "onnxruntime-node";
import { emptyTensor, firstRows, integerTensor } from "../../onnx/tensors.ts";
import { crossNames, memoryNames, type WhisperConfig } from "./config.ts";

/** What the encoder remembers of the beginning of some audio: keys and values of settled frames. */
export interface Heard {
  frames: number;
  memory: ort.Tensor[];
  cross: ort.Tensor[];
}

/** [1, decoderHeads, 0, headSize] */
export const noRows = ({ hiddenSize, decoderHeads }: WhisperConfig): ort.Tensor =>
  emptyTensor([1, decoderHeads, 0, hiddenSize / decoderHeads]);

export function nothingHeard(config: WhisperConfig): Heard {
  return {
    frames: 0,
    memory: memoryNames(config, "past").map(() => emptyTensor([1, 0, config.hiddenSize])),
    cross: crossNames(config).map(() => noRows(config)),
  };
}

/**
 * @param bordered  all of the audio between its borders, as the first convolution wants it
 * @param heard     of the same audio's beginning
 * @param settled   frames that will not be worked out again, at least as many as were heard
 * @returns keys and values [1, decoderHeads, frames, headSize] of every decoder layer, and what the next pass may be given
 */
export async function encoderPass(
  encoder: ort.InferenceSession,
  config: WhisperConfig,
  { bordered, heard, settled }: { bordered: Float32Array; heard: Heard; settled: number },
): Promise<{ cross: ort.Tensor[]; memory: Heard }> {
  const feeds: Record<string, ort.Tensor> = {
    samples: new ort.Tensor("float32", bordered, [1, 1, bordered.length]),
    past_frames: integerTensor([heard.frames], [1]),
    settled_frames: integerTensor([settled], [1]),
  };
  for (const [at, name] of memoryNames(config, "past").entries()) feeds[name] = heard.memory[at] as ort.Tensor;
  for (const [at, name] of crossNames(config).entries()) feeds[`past.${name}`] = heard.cross[at] as ort.Tensor;
  const output = await encoder.run(feeds);
  const cross = crossNames(config).map((name) => output[name] as ort.Tensor);
  return {
    cross,
    memory: {
      frames: settled,
      memory: memoryNames(config, "settled").map((name) => output[name] as ort.Tensor),
      cross: settled === 0 ? heard.cross : cross.map((tensor) => firstRows(tensor, settled)),
    },
  };
}
