import * as fc from "fast-check";
import { expect, test } from "vitest";
import { quantizeByOutput } from "./linear.ts";

const weights = fc
  .record({ outputs: fc.integer({ min: 1, max: 5 }), inputs: fc.integer({ min: 1, max: 30 }) })
  .chain(({ outputs, inputs }) =>
    fc
      .array(fc.integer({ min: -3000, max: 3000 }), { minLength: outputs * inputs, maxLength: outputs * inputs })
      .map((values) => ({ values: Float32Array.from(values, (value) => value / 1000), outputs, inputs })),
  );

test("8 bits with a scale per output: the error is at most half a step, and no pair exceeds 16 bits", () => {
  fc.assert(
    fc.property(weights, (matrix) => {
      const { values, outputs, inputs } = matrix;
      const { quantized, scales } = quantizeByOutput(matrix);
      for (let output = 0; output < outputs; output++) {
        const scale = scales[output] as number;
        const steps = Array.from({ length: inputs }, (_, input) => quantized[output * inputs + input] as number);
        for (const [input, step] of steps.entries()) {
          const value = values[output * inputs + input] as number;
          expect(Math.abs(step * scale - value)).toBeLessThanOrEqual(0.501 * scale);
          if (input % 2 === 1) continue;
          const neighbour = steps[input + 1] ?? 0;
          const sums = [step + neighbour, step, neighbour].map(Math.abs);
          // The largest sum of a pair of products.
          expect(255 * Math.max(...sums)).toBeLessThan(2 ** 15);
        }
      }
    }),
  );
});
