// Products of activations with a matrix of weights, in the number formats that were measured (see docs/decisions).
import { ELEMENT, integerAttribute, integersAttribute } from "../../onnx/graph.ts";
import { type GraphBuilder, MICROSOFT } from "../../onnx/graph-builder.ts";
import { MOST_OF_PAIR } from "../../onnx/paired-weights.ts";

/**
 * - blocks: 8 bits with a scale for every 32 weights, activations likewise: exact enough for decoders, fast for few rows;
 * - rows: 8 bits with a scale for every output, and for every row of activations: fast for many rows. What comes of one
 *   row does not depend on the others.
 */
export type Precision = "blocks" | "rows";

export interface Weights {
  /** Row-major [outputs, inputs]. */
  values: Float32Array;
  outputs: number;
  inputs: number;
}

export const BLOCK = 32;
const BITS = 8;
/** Stands for zero. */
export const MIDDLE = 128;
const LARGEST = 127;
/** Activations are rounded to 8 bits, too, block by block. */
const INTEGER_ACTIVATIONS = 4;

export interface Blocks {
  /** [outputs, inputs / BLOCK, BLOCK]. */
  quantized: Uint8Array;
  /** [outputs, inputs / BLOCK]. */
  scales: Float32Array;
}

export function inBlocks({ values, outputs, inputs }: Weights): Blocks {
  const quantized = new Uint8Array(values.length);
  const scales = new Float32Array((outputs * inputs) / BLOCK);
  for (let block = 0; block < scales.length; block++) {
    const from = block * BLOCK;
    let largest = 0;
    for (let at = from; at < from + BLOCK; at++) largest = Math.max(largest, Math.abs(values[at] as number));
    const scale = largest / LARGEST;
    scales[block] = scale;
    const inverse = scale > 0 ? 1 / scale : 0;
    for (let at = from; at < from + BLOCK; at++) quantized[at] = Math.round((values[at] as number) * inverse) + MIDDLE;
  }
  return { quantized, scales };
}

/** Row-major [inputs, outputs]. */
function transposed({ values, outputs, inputs }: Weights): Float32Array {
  const turned = new Float32Array(values.length);
  for (let row = 0; row < outputs; row++) {
    for (let column = 0; column < inputs; column++) {
      turned[column * outputs + row] = values[row * inputs + column] as number;
    }
  }
  return turned;
}

/** The product with weights that are quantised already. @returns name of the output */
export function blockProduct(
  graph: GraphBuilder,
  input: string,
  { quantized, scales, outputs, inputs }: { quantized: string; scales: string; outputs: number; inputs: number },
  output: string,
): string {
  const attributes = Object.entries({
    K: inputs,
    N: outputs,
    bits: BITS,
    block_size: BLOCK,
    accuracy_level: INTEGER_ACTIVATIONS,
  }).map(([name, value]) => integerAttribute(name, value));
  return graph.add("MatMulNBits", [input, quantized, scales], output, attributes, MICROSOFT);
}

/** The most that weights 2n and 2n + 1 of an output with the same sign come to, or one of them alone. */
function largestPair(weights: Float32Array): number {
  let largest = 0;
  for (let at = 0; at < weights.length; at += 2) {
    const [first, second] = [weights[at] as number, weights[at + 1] ?? 0];
    largest = Math.max(largest, Math.abs(first), Math.abs(second), Math.abs(first + second));
  }
  return largest;
}

/**
 * Row-major [inputs, outputs] in 8 bits, and a scale for each output. No pair of neighbours is too large for machines that
 * add pairs of products in 16 bits.
 */
export function byOutput(weights: Weights): { quantized: Int8Array; scales: Float32Array } {
  const { values, outputs, inputs } = weights;
  const quantized = new Int8Array(values.length);
  const scales = new Float32Array(outputs);
  for (let row = 0; row < outputs; row++) {
    const scale = largestPair(values.subarray(row * inputs, (row + 1) * inputs)) / MOST_OF_PAIR;
    scales[row] = scale;
    const inverse = scale > 0 ? 1 / scale : 0;
    for (let column = 0; column < inputs; column++) {
      quantized[column * outputs + row] = Math.round((values[row * inputs + column] as number) * inverse);
    }
  }
  return { quantized, scales };
}

/** A row of zeros has no scale. */
const LEAST_SCALE = 1e-9;

/** input in 8 bits with a scale for each row. @returns names of both */
function rowsOf(graph: GraphBuilder, input: string): { quantized: string; scales: string } {
  const name = `${input}.rows`;
  const rows = { quantized: `${name}.quantized`, scales: `${name}.scales` };
  if (graph.has(rows.quantized)) return rows;
  graph.add("Abs", [input], `${name}.sizes`);
  const last = [integersAttribute("axes", [2]), integerAttribute("keepdims", 1)];
  graph.add("ReduceMax", [`${name}.sizes`], `${name}.largest`, last);
  graph.add("Max", [`${name}.largest`, graph.scalar(LEAST_SCALE)], `${name}.range`);
  graph.add("Mul", [`${name}.range`, graph.scalar(1 / LARGEST)], rows.scales);
  graph.add("Div", [input, rows.scales], `${name}.scaled`);
  graph.add("Round", [`${name}.scaled`], `${name}.rounded`);
  graph.add("Add", [`${name}.rounded`, graph.scalar(MIDDLE)], `${name}.positive`);
  graph.add("Cast", [`${name}.positive`], rows.quantized, [integerAttribute("to", ELEMENT.uint8)]);
  return rows;
}

async function rowProduct(graph: GraphBuilder, input: string, weights: Weights, output: string): Promise<string> {
  const { quantized, scales } = byOutput(weights);
  const matrix = await graph.constant(`${output}.weight`, [weights.inputs, weights.outputs], quantized);
  const outputScales = await graph.constant(`${output}.scales`, [weights.outputs], scales);
  graph.only("integer", () => {
    const rows = rowsOf(graph, input);
    graph.add("MatMulInteger", [rows.quantized, matrix, graph.byte(MIDDLE)], `${output}.integers`);
    graph.add("Cast", [`${output}.integers`], `${output}.floats`, [integerAttribute("to", ELEMENT.float)]);
    graph.add("Mul", [`${output}.floats`, rows.scales], `${output}.by_row`);
    graph.add("Mul", [`${output}.by_row`, outputScales], output);
  });
  // The same weights in 32-bit floats, made once when the graph is loaded.
  graph.only("portable", () => {
    graph.add("DequantizeLinear", [matrix, outputScales], `${output}.matrix`, [integerAttribute("axis", 1)]);
    graph.add("MatMul", [input, `${output}.matrix`], output);
  });
  return output;
}

/**
 * input [..., inputs] → output [..., outputs]. The names of constants begin with the output's.
 * @returns name of the output
 */
export async function product(
  graph: GraphBuilder,
  input: string,
  weights: Weights,
  output: string,
  precision: Precision,
): Promise<string> {
  const { outputs, inputs } = weights;
  if (precision === "rows") return rowProduct(graph, input, weights, output);
  if (inputs % BLOCK !== 0) {
    const matrix = await graph.constant(`${output}.weight`, [inputs, outputs], transposed(weights));
    return graph.add("MatMul", [input, matrix], output);
  }
  const blocks = inBlocks(weights);
  const quantized = await graph.constant(`${output}.quantized`, [outputs, inputs / BLOCK, BLOCK], blocks.quantized);
  const scales = await graph.constant(`${output}.scales`, [outputs * (inputs / BLOCK)], blocks.scales);
  return blockProduct(graph, input, { quantized, scales, outputs, inputs }, output);
}
