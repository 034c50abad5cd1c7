// Keys and values of the audio, which a decoder attends to.
import { crossNames, type DecoderShape } from "./decoder-tensor-names.ts";
import * as ort from "./runtime.ts";
import { float16Tensor } from "./tensors.ts";

/** Encoder output for cross-attention. */
export interface EncodedAudio {
  frames: number;
  /** Keys and values [1, heads, frames, headSize] of every decoder layer. */
  cross: readonly ort.Tensor[];
}

/**
 * Keys and values [1, heads, frames, headSize] of every decoder layer.
 * @param acquire  returns `length` floats with undefined content; new memory by default
 */
export function crossTensors(
  shape: DecoderShape,
  frames: number,
  acquire?: (length: number) => Float32Array,
): readonly ort.Tensor[] {
  return crossNames(shape).map(() => audioTensor(shape, 1, frames, acquire));
}

/**
 * Tensor [texts, heads, frames, headSize] for the keys or the values of one layer. It is empty for 0 texts.
 * @param acquire  returns `length` floats; two float16 values share a float
 */
export function audioTensor(
  { heads, headSize, audioPrecision }: DecoderShape,
  texts: number,
  frames: number,
  acquire: (length: number) => Float32Array = (length) => new Float32Array(length),
): ort.Tensor {
  const dimensions = [texts, heads, frames, headSize];
  const length = texts * heads * frames * headSize;
  if (audioPrecision === "float32") return new ort.Tensor("float32", acquire(length), dimensions);
  const memory = acquire(Math.ceil(length / 2));
  // A view of all of the memory, so that the tensor's constructor compares its length with the dimensions.
  const values = new Uint16Array(memory.buffer, memory.byteOffset, 2 * memory.length);
  return float16Tensor(values.subarray(0, length), dimensions);
}
