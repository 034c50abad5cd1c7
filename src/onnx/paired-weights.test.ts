import * as fc from "fast-check";
import * as ort from "onnxruntime-node";
import { expect, test } from "vitest";
import { ELEMENT } from "./graph.ts";
import { GraphBuilder, MICROSOFT } from "./graph-builder.ts";
import { pairedWeights } from "./paired-weights.ts";
import type { EvenMatrix, QuantizedMatrix } from "./row-product.ts";
import { ONE_THREAD } from "./session-options.ts";

const SCALE = 0.01;

/** Most of a matrix's bytes lie near the one that stands for zero, some as far away as they can. */
const spread = (byte: number, zeroPoint: number) =>
  byte >= 240 ? 255 * (byte % 2) : Math.min(255, Math.max(0, zeroPoint + Math.round((byte - 120) / 3)));

const published: fc.Arbitrary<EvenMatrix> = fc
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

/** Weights of an output, from zero. */
const weightsOf = ({ values, inputs, outputs, zeroPoint }: QuantizedMatrix, output: number) =>
  Array.from({ length: inputs }, (_, input) => (values[input * outputs + output] as number) - zeroPoint);

/** The most that weights 2n and 2n + 1 with the same sign come to. */
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

test("no two neighbours come to more than fits, and what fitted is as it was published", () => {
  fc.assert(
    fc.property(published, (matrix) => {
      const paired = pairedWeights(matrix);
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

/** What this machine makes of bytes [rows, inputs] times the weights. */
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

test("products with the largest bytes are exact on this machine, of one row as of many", async () => {
  const rows = fc.constantFrom(1, 3, 4, 9, 40);
  await fc.assert(
    fc.asyncProperty(
      published,
      rows,
      fc.infiniteStream(fc.constantFrom(0, 128, 255, 255)),
      async (matrix, count, bytes) => {
        const paired = pairedWeights(matrix);
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
