// Weights for machines that add products of bytes in pairs of 16 bits, as x86 processors without VNNI do: what does not fit
// is cut off there. Outputs that have two neighbours which could come to more get a coarser step, so that none do.
import type { EvenMatrix, QuantizedMatrix } from "./row-product.ts";

/** What weights 2n and 2n + 1 of an output may come to: 255 times as much, and half a step of rounding for each, fit in 16 bits. */
export const MOST_OF_PAIR = 127;

/** Two of up to half as much always fit: nearly all do. */
const HALF = 64;
const BEYOND_HALF = ~(2 * HALF - 1);

/** The most that weights of inputs 2n and 2n + 1 with the same sign come to, by output; 0 where all of them are small. */
function largestPairs({ values, inputs, outputs, zeroPoint }: QuantizedMatrix): Int32Array {
  const largest = new Int32Array(outputs);
  for (let input = 0; input < inputs; input += 2) {
    const row = values.subarray(input * outputs, (input + 1) * outputs);
    // The last one of an odd number stands alone.
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
 * @returns the same values in signed bytes from zero, but for outputs with pairs that would not fit, which are rounded anew
 */
export function pairedWeights(matrix: EvenMatrix): QuantizedMatrix {
  const { values, inputs, outputs, scale, zeroPoint } = matrix;
  const signed = new Int8Array(values.length);
  for (let at = 0; at < signed.length; at++) signed[at] = (values[at] as number) - zeroPoint;
  const scales = new Float32Array(outputs).fill(scale);
  for (const [output, pair] of largestPairs(matrix).entries()) {
    if (pair <= MOST_OF_PAIR) continue;
    const factor = MOST_OF_PAIR / pair;
    for (let at = output; at < signed.length; at += outputs) {
      signed[at] = Math.round(((values[at] as number) - zeroPoint) * factor);
    }
    scales[output] = scale / factor;
  }
  return { values: signed, inputs, outputs, scale: scales, zeroPoint: 0 };
}
