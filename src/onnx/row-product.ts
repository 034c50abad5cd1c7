// Products with 8-bit matrices whose activations are rounded to 8 bits, too, each row by a scale of its own: what comes of
// one row does not depend on the others.
import { integerAttribute, integersAttribute } from "./graph.ts";
import { type GraphBuilder, MICROSOFT } from "./graph-builder.ts";

/** Weights in 8 bits: (value - zeroPoint) * scale. */
export interface QuantizedMatrix {
  /**
   * Row-major [inputs, outputs]. Products with signed values are up to seven times as fast, but exact only on machines
   * that multiply integers exactly, or where no pair of neighbours comes to more than 128 (`pairedWeights`).
   */
  values: Uint8Array | Int8Array;
  inputs: number;
  outputs: number;
  /** Of all weights, or one for each output. */
  scale: number | Float32Array;
  zeroPoint: number;
  /**
   * Where the values lie otherwise: their dimensions, and the order of those in which they lie as above. The runtime turns
   * them when it opens the graph, many times as fast as a loop here.
   */
  layout?: { dimensions: readonly number[]; order: readonly number[] };
  /** Name of the values, where the graph holds them already. */
  name?: string;
}

/** Weights that all have the same scale. */
export type EvenMatrix = QuantizedMatrix & { scale: number };

/** Steps below zero of what a GELU made. */
export const BELOW_GELU = 24;
/** How many of a row's steps lie below zero: as many as above, or no more than a GELU's least value needs. */
export type StepsBelow = 128 | typeof BELOW_GELU;

const STEPS = 255;
/** A row of zeros has no scale. */
const LEAST_SCALE = 1e-9;

/** input [rows, size] in steps from zero. @returns names of the steps and of their sizes [rows, 1] */
function roundedRows(graph: GraphBuilder, input: string, below: StepsBelow): { steps: string; sizes: string } {
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

/** Names of a matrix in 8 bits [inputs, outputs], of its scale or scales, and of what stands for zero in it. */
export interface MatrixNames {
  weights: string;
  scales: string;
  zero: string;
}

/** input [rows, inputs] → output [rows, outputs]. @returns name of the output */
export function roundedProduct(
  graph: GraphBuilder,
  input: string,
  { weights, scales, zero }: MatrixNames,
  output: string,
  below: StepsBelow = 128,
): string {
  const { steps, sizes } = roundedRows(graph, input, below);
  const factors = [steps, weights, sizes, scales, graph.byte(below), zero];
  return graph.add("MatMulIntegerToFloat", factors, output, [], MICROSOFT);
}

/**
 * input [rows, inputs] → output [rows, outputs]. Names of constants begin with the output's.
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
  return roundedProduct(graph, input, { weights, scales, zero }, output, below);
}
