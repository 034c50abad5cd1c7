import * as ort from "./runtime.ts";

export function integerTensor(values: readonly number[], shape: readonly number[]): ort.Tensor {
  return new ort.Tensor("int64", BigInt64Array.from(values, BigInt), shape);
}

/** @param shape  one dimension must be 0 */
export const emptyTensor = (shape: readonly number[]): ort.Tensor =>
  new ort.Tensor("float32", new Float32Array(0), shape);

/**
 * A float16 tensor over existing memory.
 *
 * The native part of onnxruntime-node 1.30 reads float16 only from a Uint16Array. From Node 24 on, the constructor of a float16 tensor
 * replaces it with a Float16Array, and a run fails ("not enough space"). The tensor is therefore made as uint16, and its type is
 * changed afterwards.
 * @param values  the bits of the values
 */
export const float16Tensor = (values: Uint16Array, shape: readonly number[]): ort.Tensor =>
  Object.assign(new ort.Tensor("uint16", values, shape), { type: "float16" });

/** The data of a float32 tensor. */
export const floatsOf = (tensor: ort.Tensor | undefined): Float32Array => (tensor as ort.Tensor).data as Float32Array;

/** A copy of the first `count` rows of a tensor [1, heads, rows, size]. */
export function firstRows(tensor: ort.Tensor, count: number): ort.Tensor {
  const [, heads, rows, size] = tensor.dims as [number, number, number, number];
  const from = floatsOf(tensor);
  const to = new Float32Array(heads * count * size);
  for (let head = 0; head < heads; head++) {
    const start = head * rows * size;
    to.set(from.subarray(start, start + count * size), head * count * size);
  }
  return new ort.Tensor("float32", to, [1, heads, count, size]);
}
