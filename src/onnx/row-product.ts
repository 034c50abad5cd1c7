// Products with 8-bit matrices whose activations are rounded to 8 bits, too, each row by a scale and an offset of its own:
// what comes of one row does not depend on the others.
import { ELEMENT, integerAttribute, integersAttribute } from "./graph.ts";
import type { GraphBuilder } from "./graph-builder.ts";

/** Weights in 8 bits: (value - zeroPoint) * scale. */
export interface QuantizedMatrix {
  /**
   * Row-major [inputs, outputs]. Products with signed values are three to seven times as fast, but exact only on machines
   * that multiply integers exactly.
   */
  values: Uint8Array | Int8Array;
  inputs: number;
  outputs: number;
  scale: number;
  zeroPoint: number;
}

/** Steps between the least and the largest value of a row. */
const STEPS = 255;
/** A row of the same values has no scale. */
const LEAST_SCALE = 1e-9;

/** By the first of the matrices: graphs of the same network put the same ones together. */
const together = new WeakMap<QuantizedMatrix, { matrices: readonly QuantizedMatrix[]; joined: Joined }>();

type Joined = ReturnType<typeof join>;

function sideBySide(matrices: readonly QuantizedMatrix[]): Joined {
  const [first] = matrices;
  const known = first && together.get(first);
  const isSame = known?.matrices.length === matrices.length && known.matrices.every((one, at) => one === matrices[at]);
  if (known && isSame) return known.joined;
  const joined = join(matrices);
  if (first) together.set(first, { matrices, joined });
  return joined;
}

/** Matrices side by side: what they make of the same input comes out one after another. */
function join(matrices: readonly QuantizedMatrix[]) {
  const inputs = matrices[0]?.inputs ?? 0;
  const outputs = matrices.reduce((sum, matrix) => sum + matrix.outputs, 0);
  const Bytes = matrices[0]?.values instanceof Int8Array ? Int8Array : Uint8Array;
  const [only, another] = matrices;
  const values = only && !another ? only.values : new Bytes(inputs * outputs);
  const scales = new Float32Array(outputs);
  const zeroPoints = new Bytes(outputs);
  /** What an input of ones makes. */
  const sums = new Float32Array(outputs);
  let column = 0;
  for (const matrix of matrices) {
    const own = new Float64Array(matrix.outputs);
    for (let row = 0; row < inputs; row++) {
      const from = row * matrix.outputs;
      if (another) values.set(matrix.values.subarray(from, from + matrix.outputs), row * outputs + column);
      for (let at = 0; at < own.length; at++) own[at] = (own[at] as number) + (matrix.values[from + at] as number);
    }
    sums.set(
      own.map((sum) => (sum - inputs * matrix.zeroPoint) * matrix.scale),
      column,
    );
    scales.fill(matrix.scale, column, column + matrix.outputs);
    zeroPoints.fill(matrix.zeroPoint, column, column + matrix.outputs);
    column += matrix.outputs;
  }
  return { values, inputs, outputs, scales, zeroPoints, sums };
}

/** input [rows, size] in steps from each row's least value. @returns names of the steps, their size and the least values */
function roundedRows(graph: GraphBuilder, input: string): { steps: string; scales: string; least: string } {
  const rows = { steps: `${input}.steps`, scales: `${input}.step_sizes`, least: `${input}.least` };
  if (graph.has(rows.steps)) return rows;
  const last = [integersAttribute("axes", [1]), integerAttribute("keepdims", 1)];
  graph.add("ReduceMax", [input], `${input}.largest`, last);
  graph.add("ReduceMin", [input], rows.least, last);
  graph.add("Sub", [`${input}.largest`, rows.least], `${input}.range`);
  graph.add("Mul", [`${input}.range`, graph.scalar(1 / STEPS)], `${input}.step`);
  graph.add("Max", [`${input}.step`, graph.scalar(LEAST_SCALE)], rows.scales);
  graph.add("Sub", [input, rows.least], `${input}.above`);
  graph.add("Div", [`${input}.above`, rows.scales], `${input}.scaled`);
  graph.add("QuantizeLinear", [`${input}.scaled`, graph.scalar(1), graph.byte(0)], rows.steps);
  return rows;
}

/**
 * input [rows, inputs] → output [rows, outputs of all matrices]. Names of constants begin with the output's.
 * @returns name of the output
 */
export async function rowProduct(
  graph: GraphBuilder,
  input: string,
  matrices: readonly QuantizedMatrix[],
  output: string,
): Promise<string> {
  const { values, inputs, outputs, scales, zeroPoints, sums } = sideBySide(matrices);
  const weights = await graph.constant(`${output}.weights`, [inputs, outputs], values);
  const rows = roundedRows(graph, input);
  const [only, another] = matrices;
  const isOne = only !== undefined && another === undefined;
  const points = isOne
    ? graph.byte(only.zeroPoint, only.values instanceof Int8Array)
    : await graph.constant(`${output}.zero_points`, [outputs], zeroPoints);
  graph.add("MatMulInteger", [rows.steps, weights, graph.byte(0), points], `${output}.integers`);
  graph.add("Cast", [`${output}.integers`], `${output}.floats`, [integerAttribute("to", ELEMENT.float)]);
  if (isOne) {
    graph.add("Mul", [rows.scales, graph.scalar(only.scale)], `${output}.scales`);
    graph.add("Mul", [`${output}.floats`, `${output}.scales`], `${output}.above`);
  } else {
    const columns = await graph.constant(`${output}.columns`, [outputs], scales);
    graph.add("Mul", [`${output}.floats`, rows.scales], `${output}.by_row`);
    graph.add("Mul", [`${output}.by_row`, columns], `${output}.above`);
  }
  const ones = await graph.constant(`${output}.sums`, [1, outputs], sums);
  return graph.add("Gemm", [rows.least, ones, `${output}.above`], output);
}
