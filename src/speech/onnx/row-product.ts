// Products with 8-bit matrices. Activations are quantised to 8 bits with one scale per row, so that the result of a row
// does not depend on the others.
import { integerAttribute, integersAttribute } from "./graph.ts";
import { type GraphBuilder, MICROSOFT } from "./graph-builder.ts";

/** An 8-bit matrix: weight = (value - zeroPoint) * scale. */
export interface QuantizedMatrix {
  /**
   * Row-major [inputs, outputs]. Products with signed values are up to seven times as fast. Without VNNI, they are exact
   * only with `saturationSafeWeights`.
   */
  values: Uint8Array | Int8Array;
  inputs: number;
  outputs: number;
  /** One scale for all weights, or one per output. */
  scale: number | Float32Array;
  zeroPoint: number;
  /**
   * Other memory layout of the values: its dimensions, and the permutation to the layout above. The runtime transposes
   * them when it loads the graph, much faster than a loop in JavaScript.
   */
  layout?: { dimensions: readonly number[]; order: readonly number[] };
  /** Name of the values, if they are already in the graph. */
  name?: string;
}

/** A matrix with one scale. */
export type UniformMatrix = QuantizedMatrix & { scale: number };

/** Quantisation steps below zero for outputs of a GELU. */
export const BELOW_GELU = 24;
/** Quantisation steps below zero: symmetric, or as few as the minimum of a GELU needs. */
export type StepsBelow = 128 | typeof BELOW_GELU;

const STEPS = 255;
/** Avoids a scale of 0 for a row of zeros. */
const LEAST_SCALE = 1e-9;

/** Quantises input [rows, size]. @returns names of the quantised rows and of their scales [rows, 1] */
function quantizeRows(graph: GraphBuilder, input: string, below: StepsBelow): { steps: string; sizes: string } {
  const rows = { steps: `${input}.steps`, sizes: `${input}.step_sizes` };
  if (graph.has(rows.steps)) return rows;
  const last = [integersAttribute("axes", [1]), integerAttribute("keepdims", 0)];
  const largest = graph.add("ReduceMax", [input], `${input}.largest`, last);
  const least = graph.add("ReduceMin", [input], `${input}.least`, last);
  const up = graph.add("Mul", [largest, graph.scalar(1 / (STEPS - below))], `${input}.up`);
  const down = graph.add("Mul", [least, graph.scalar(-1 / below)], `${input}.down`);
  const sizes = graph.add("Max", [up, down, graph.scalar(LEAST_SCALE)], `${input}.sizes`);
  const count = graph.add("Shape", [sizes], `${input}.rows`);
  const zeros = graph.add("Expand", [graph.byte(below), count], `${input}.zeros`);
  graph.add("QuantizeLinear", [input, sizes, zeros], rows.steps, [integerAttribute("axis", 0)]);
  graph.add("Reshape", [sizes, graph.integers(-1, 1)], rows.sizes);
  return rows;
}

/** @returns name of the weights [inputs, outputs] */
async function weightsOf(graph: GraphBuilder, { name, layout, ...matrix }: QuantizedMatrix, output: string) {
  const { values, inputs, outputs } = matrix;
  const dimensions = layout?.dimensions ?? [inputs, outputs];
  const weights = name ?? (await graph.constant(`${output}.weights`, dimensions, values));
  if (!layout) return weights;
  graph.add("Transpose", [weights], `${output}.turned`, [integersAttribute("perm", layout.order)]);
  return graph.add("Reshape", [`${output}.turned`, graph.integers(inputs, outputs)], `${output}.matrix`);
}

/** Names of an 8-bit matrix [inputs, outputs], its scale or scales, and its zero point. */
export interface MatrixNames {
  weights: string;
  scales: string;
  zero: string;
}

/** input [rows, inputs] → output [rows, outputs]. @returns name of the output */
export function quantizedProduct(
  graph: GraphBuilder,
  input: string,
  { weights, scales, zero }: MatrixNames,
  output: string,
  below: StepsBelow = 128,
): string {
  const { steps, sizes } = quantizeRows(graph, input, below);
  const factors = [steps, weights, sizes, scales, graph.byte(below), zero];
  return graph.add("MatMulIntegerToFloat", factors, output, [], MICROSOFT);
}

/**
 * input [rows, inputs] → output [rows, outputs]. Names of constants begin with the output's name.
 * @returns name of the output
 */
export async function rowProduct(
  graph: GraphBuilder,
  input: string,
  matrix: QuantizedMatrix,
  output: string,
  below?: StepsBelow,
): Promise<string> {
  const { values, outputs, scale, zeroPoint } = matrix;
  const weights = await weightsOf(graph, matrix, output);
  const scales =
    typeof scale === "number" ? graph.scalar(scale) : await graph.constant(`${output}.scales`, [outputs], scale);
  const zero = graph.byte(zeroPoint, values instanceof Int8Array);
  return quantizedProduct(graph, input, { weights, scales, zero }, output, below);
}
