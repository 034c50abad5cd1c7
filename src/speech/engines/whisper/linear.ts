// 8-bit products of activations with a matrix of a checkpoint: one scale per output of the matrix and one per row of
// activations, so that the result of a row does not depend on the others.
import { integerAttribute, integersAttribute } from "../../onnx/graph.ts";
import type { GraphBuilder } from "../../onnx/graph-builder.ts";
import { quantizedProduct, type StepsBelow } from "../../onnx/row-product.ts";
import { PAIR_LIMIT } from "../../onnx/saturation-safe-weights.ts";

export interface Weights {
  /** Row-major [outputs, inputs]. */
  values: Float32Array;
  outputs: number;
  inputs: number;
}

/** Largest sum of weights 2n and 2n + 1 of an output with the same sign, or of one weight alone. */
function largestPairSum(weights: Float32Array): number {
  let largest = 0;
  for (let at = 0; at < weights.length; at += 2) {
    const [first, second] = [weights[at] as number, weights[at + 1] ?? 0];
    largest = Math.max(largest, Math.abs(first), Math.abs(second), Math.abs(first + second));
  }
  return largest;
}

/**
 * Quantises the weights to 8 bits, row-major [outputs, inputs], with a scale per output. No pair of neighbours
 * saturates on processors that add pairs of products in 16 bits.
 */
export function quantizeByOutput({ values, outputs, inputs }: Weights): { quantized: Int8Array; scales: Float32Array } {
  const quantized = new Int8Array(values.length);
  const scales = new Float32Array(outputs);
  for (let row = 0; row < outputs; row++) {
    const [from, to] = [row * inputs, (row + 1) * inputs];
    const scale = largestPairSum(values.subarray(from, to)) / PAIR_LIMIT;
    scales[row] = scale;
    const inverse = scale > 0 ? 1 / scale : 0;
    for (let at = from; at < to; at++) quantized[at] = Math.round((values[at] as number) * inverse);
  }
  return { quantized, scales };
}

/** Transposes: row-major [rows, columns] → [columns, rows]. */
function transposed(values: Int8Array, rows: number, columns: number): Int8Array {
  const other = new Int8Array(values.length);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      other[column * rows + row] = values[row * columns + column] as number;
    }
  }
  return other;
}

/**
 * input [rows, inputs] → output [rows, outputs]. Names of constants begin with the output's name.
 * @returns name of the output
 */
export async function product(
  graph: GraphBuilder,
  input: string,
  matrix: Weights,
  output: string,
  below?: StepsBelow,
): Promise<string> {
  const { outputs, inputs } = matrix;
  const { quantized, scales: steps } = quantizeByOutput(matrix);
  const weights = await graph.constant(`${output}.weight`, [inputs, outputs], transposed(quantized, outputs, inputs));
  const scales = await graph.constant(`${output}.scales`, [outputs], steps);
  const zero = graph.byte(0, true);
  graph.only("integer", () => quantizedProduct(graph, input, { weights, scales, zero }, output, below));
  // The same weights as 32-bit floats, converted when the graph is loaded.
  graph.only("portable", () => {
    graph.add("DequantizeLinear", [weights, scales], `${output}.matrix`, [integerAttribute("axis", 1)]);
    graph.add("MatMul", [input, `${output}.matrix`], output);
  });
  return output;
}

/** The vocabulary table in a graph: names of its values [outputs, inputs] and of the scales of its rows. */
export interface Table {
  name: string;
  scales: string;
  outputs: number;
  inputs: number;
}

export async function table(graph: GraphBuilder, name: string, weights: Weights): Promise<Table> {
  const { outputs, inputs } = weights;
  const { quantized, scales } = quantizeByOutput(weights);
  await graph.constant(name, [outputs, inputs], quantized);
  return { name, scales: await graph.constant(`${name}.scales`, [outputs], scales), outputs, inputs };
}

/** input [rows, inputs] → output [rows, outputs]. The runtime transposes the table when it loads the graph. */
export function tableProduct(graph: GraphBuilder, input: string, { name, scales }: Table, output: string): string {
  const weights = graph.add("Transpose", [name], `${output}.turned`, [integersAttribute("perm", [1, 0])]);
  return quantizedProduct(graph, input, { weights, scales, zero: graph.byte(0, true) }, output);
}
