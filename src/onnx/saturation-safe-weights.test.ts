import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ELEMENT } from "./graph.ts";
import { GraphBuilder, MICROSOFT } from "./graph-builder.ts";
import type { QuantizedMatrix, UniformMatrix } from "./row-product.ts";
import * as ort from "./runtime.ts";
import { saturationSafeWeights } from "./saturation-safe-weights.ts";
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
