import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ELEMENT, GRAPH, initializer, modelHeader, node, tensorValue, writeModel } from "./graph.ts";
import { GraphBuilder, MICROSOFT } from "./graph-builder.ts";
import { bytesField } from "./protobuf.ts";
import type { QuantizedMatrix, UniformMatrix } from "./row-product.ts";
import * as ort from "./runtime.ts";
import { saturationSafeRows, saturationSafeWeights } from "./saturation-safe-weights.ts";
import { ONE_THREAD } from "./session-options.ts";

const SCALE = 0.01;

/** A matrix with most bytes near the zero point and some as far away as possible. */
const spread = (byte: number, zeroPoint: number) =>
  byte >= 240 ? 255 * (byte % 2) : Math.min(255, Math.max(0, zeroPoint + Math.round((byte - 120) / 3)));

const published: fc.Arbitrary<UniformMatrix> = fc
  .record({ inputs: fc.integer({ min: 1, max: 70 }), outputs: fc.integer({ min: 1, max: 40 }), zeroPoint: fc.nat(255) })
  .chain(({ inputs, outputs, zeroPoint }) =>
    fc.uint8Array({ minLength: inputs * outputs, maxLength: inputs * outputs }).map((bytes) => ({
      values: bytes.map((byte) => spread(byte, zeroPoint)),
      inputs,
      outputs,
      scale: SCALE,
      zeroPoint,
    })),
  );

/** Weights of an output, relative to the zero point. */
const weightsOf = ({ values, inputs, outputs, zeroPoint }: QuantizedMatrix, output: number) =>
  Array.from({ length: inputs }, (_, input) => (values[input * outputs + output] as number) - zeroPoint);

/** Largest sum of weights 2n and 2n + 1 with the same sign. */
function largestPair(weights: readonly number[]): number {
  const sums = weights
    .filter((_, at) => at % 2 === 0)
    .map((first, at) => [first, weights[2 * at + 1] ?? 0] as const)
    .flatMap(([first, second]) => [
      Math.max(first, 0) + Math.max(second, 0),
      Math.max(-first, 0) + Math.max(-second, 0),
    ]);
  return Math.max(...sums);
}

test("no pair of neighbours exceeds the limit, and outputs within it are unchanged", () => {
  fc.assert(
    fc.property(published, (matrix) => {
      const paired = saturationSafeWeights(matrix);
      for (let output = 0; output < matrix.outputs; output++) {
        const [before, after] = [weightsOf(matrix, output), weightsOf(paired, output)];
        expect(largestPair(after)).toBeLessThanOrEqual(128);
        const scale = (paired.scale as Float32Array)[output] as number;
        if (largestPair(before) <= 126) expect({ after, scale }).toEqual({ after: before, scale: Math.fround(SCALE) });
        for (const [at, weight] of after.entries()) {
          expect(Math.abs(weight * scale - (before[at] as number) * SCALE)).toBeLessThanOrEqual(0.501 * scale);
        }
      }
    }),
  );
});

/** The product of bytes [rows, inputs] and the weights on this machine. */
async function multiplied(steps: Uint8Array, rows: number, { values, inputs, outputs }: QuantizedMatrix) {
  const graph = new GraphBuilder("product");
  graph.input("steps", ELEMENT.uint8, [rows, inputs]);
  const weights = await graph.constant("weights", [inputs, outputs], values);
  graph.add("MatMulIntegerToFloat", ["steps", weights, graph.scalar(1), graph.scalar(1)], "sums", [], MICROSOFT);
  graph.output("sums", [rows, outputs]);
  const session = await ort.InferenceSession.create(graph.build(), ONE_THREAD);
  const { sums } = await session.run({ steps: new ort.Tensor("uint8", steps, [rows, inputs]) });
  await session.release();
  return [...((sums as ort.Tensor).data as Float32Array)];
}

test("products of the largest bytes are exact on this machine, for one row and for many", async () => {
  const rows = fc.constantFrom(1, 3, 4, 9, 40);
  await fc.assert(
    fc.asyncProperty(
      published,
      rows,
      fc.infiniteStream(fc.constantFrom(0, 128, 255, 255)),
      async (matrix, count, bytes) => {
        const paired = saturationSafeWeights(matrix);
        const steps = Uint8Array.from({ length: count * matrix.inputs }, () => bytes.next().value as number);
        const columns = Array.from({ length: matrix.outputs }, (_, output) => weightsOf(paired, output));
        const expected = Array.from({ length: count }, (_, row) => {
          const own = steps.subarray(row * matrix.inputs, (row + 1) * matrix.inputs);
          return columns.map((weights) => weights.reduce((sum, weight, at) => sum + weight * (own[at] as number), 0));
        });
        expect(await multiplied(steps, count, paired)).toEqual(expected.flat());
      },
    ),
    { numRuns: 60 },
  );
});

test("integer products of the worst rows are exact on this machine, by columns and by rows of a table", async () => {
  const [inputs, outputs, rows] = [1664, 48, 5];
  const largest = [0, 255, 128, 1, 254, 127];
  for (const zeroPoint of [0, 120, 128, 255]) {
    const values = Uint8Array.from(
      { length: inputs * outputs },
      (_, at) => largest[(Math.floor(at / outputs) * ((at % outputs) + 1) + (at % 7)) % largest.length] as number,
    );
    const byColumn = saturationSafeWeights({ values, inputs, outputs, scale: SCALE, zeroPoint });
    const table = saturationSafeRows({ values, inputs: outputs, outputs: inputs, scale: SCALE, zeroPoint });
    const turned = new Int8Array(inputs * outputs);
    for (let at = 0; at < turned.length; at++) {
      turned[(at % inputs) * outputs + Math.floor(at / inputs)] = table.values[at] as number;
    }
    const steps = Uint8Array.from({ length: rows * inputs }, (_, at) => (at % 11 === 3 ? 0 : 255));
    for (const weights of [byColumn.values, turned]) {
      const expected = Array.from({ length: rows * outputs }, (_, at) => {
        let sum = 0;
        for (let input = 0; input < inputs; input++) {
          const step = steps[Math.floor(at / outputs) * inputs + input] as number;
          sum += step * (weights[input * outputs + (at % outputs)] as number);
        }
        return sum;
      });
      expect(await integerProduct(steps, weights as Int8Array, { rows, inputs, outputs })).toEqual(expected);
    }
  }
});

/** MatMulInteger with constant weights, which the runtime packs. */
async function integerProduct(
  steps: Uint8Array,
  weights: Int8Array,
  { rows, inputs, outputs }: { rows: number; inputs: number; outputs: number },
): Promise<number[]> {
  const graph = writeModel(modelHeader(10, { "": 17 }), [
    node("MatMulInteger", ["steps", "weights"], ["sums"]),
    bytesField(GRAPH.name, "worst"),
    initializer("weights", ELEMENT.int8, [inputs, outputs], new Uint8Array(weights.buffer)),
    tensorValue("input", "steps", ELEMENT.uint8, [rows, inputs]),
    tensorValue("output", "sums", ELEMENT.int32, [rows, outputs]),
  ]);
  const session = await ort.InferenceSession.create(graph, ONE_THREAD);
  const { sums } = await session.run({ steps: new ort.Tensor("uint8", steps, [rows, inputs]) });
  await session.release();
  return [...((sums as ort.Tensor).data as Int32Array)];
}

test("the rows of a table match the published ones to half a step", () => {
  fc.assert(
    fc.property(published, (matrix) => {
      const { values, rows, size, scales } = saturationSafeRows(matrix);
      const errors = Array.from({ length: rows * size }, (_, at) => {
        const scale = scales[Math.floor(at / size)] as number;
        const expected = ((matrix.values[at] as number) - matrix.zeroPoint) * SCALE;
        return Math.abs((values[at] as number) * scale - expected) / scale;
      });
      expect(Math.max(...errors)).toBeLessThanOrEqual(0.501);
    }),
  );
});
