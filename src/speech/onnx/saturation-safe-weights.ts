// Weights whose 8-bit products are exact on every processor. x86 without VNNI adds pairs of products in 16 bits, where larger sums
// saturate. Outputs with a pair of neighbours that could saturate are quantised with a larger step. All processors use
// these weights, so that these products do not depend on the processor. Rounding of floats still does.
import type { QuantizedMatrix, UniformMatrix } from "./row-product.ts";

/**
 * Limit for the sum of weights 2n and 2n + 1 of an output: 255 times the sum, plus half a rounding step for each, fits
 * in 16 bits.
 */
export const PAIR_LIMIT = 127;

/** Two weights of up to half the limit always fit, as nearly all do. */
const HALF = 64;
const BEYOND_HALF = ~(2 * HALF - 1);

/** Largest sum of weights 2n and 2n + 1 with the same sign, by output; 0 if all are small. */
function largestPairSums({ values, inputs, outputs, zeroPoint }: QuantizedMatrix): Int32Array {
  const largest = new Int32Array(outputs);
  for (let input = 0; input < inputs; input += 2) {
    const row = values.subarray(input * outputs, (input + 1) * outputs);
    // With an odd number of inputs, the last one has no pair.
    const next = values.subarray((input + 1) * outputs, (input + 2) * outputs);
    for (let output = 0; output < outputs; output++) {
      const first = (row[output] as number) - zeroPoint;
      const second = output < next.length ? (next[output] as number) - zeroPoint : 0;
      if ((((first + HALF) | (second + HALF)) & BEYOND_HALF) === 0) continue;
      const up = Math.max(first, 0) + Math.max(second, 0);
      largest[output] = Math.max(largest[output] as number, up, up - first - second);
    }
  }
  return largest;
}

/**
 * @param matrix  in unsigned bytes, row-major
 * @returns the same values in signed bytes with zero point 0; outputs with a pair above the limit are quantised again
 */
export function saturationSafeWeights(matrix: UniformMatrix): QuantizedMatrix {
  const { values, inputs, outputs, scale, zeroPoint } = matrix;
  const signed = new Int8Array(values.length);
  for (let at = 0; at < signed.length; at++) signed[at] = (values[at] as number) - zeroPoint;
  const scales = new Float32Array(outputs).fill(scale);
  for (const [output, pair] of largestPairSums(matrix).entries()) {
    if (pair <= PAIR_LIMIT) continue;
    const factor = PAIR_LIMIT / pair;
    for (let at = output; at < signed.length; at += outputs) {
      signed[at] = Math.round(((values[at] as number) - zeroPoint) * factor);
    }
    scales[output] = scale / factor;
  }
  return { values: signed, inputs, outputs, scale: scales, zeroPoint: 0 };
}

/** Rows of 8-bit values: value = values[row * size + at] * scales[row]. */
export interface QuantizedTable {
  values: Int8Array;
  rows: number;
  size: number;
  scales: Float32Array;
}

/**
 * For a table whose rows are the outputs of a product.
 * @param table  [rows, size] in unsigned bytes, row-major
 * @returns the same values in signed bytes; rows with a pair above the limit are quantised again
 */
export function saturationSafeRows({
  values,
  inputs: rows,
  outputs: size,
  scale,
  zeroPoint,
}: UniformMatrix): QuantizedTable {
  const signed = new Int8Array(values.length);
  const scales = new Float32Array(rows).fill(scale);
  for (let row = 0; row < rows; row++) {
    const [from, to] = [row * size, (row + 1) * size];
    let pair = 0;
    for (let at = from; at < to; at += 2) {
      const first = (values[at] as number) - zeroPoint;
      const second = at + 1 < to ? (values[at + 1] as number) - zeroPoint : 0;
      pair = Math.max(pair, Math.abs(first), Math.abs(second), Math.abs(first + second));
    }
    const factor = Math.min(1, PAIR_LIMIT / pair);
    for (let at = from; at < to; at++) signed[at] = Math.round(((values[at] as number) - zeroPoint) * factor);
    scales[row] = scale / factor;
  }
  return { values: signed, rows, size, scales };
}
