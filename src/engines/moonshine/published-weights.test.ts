import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import type { QuantizedMatrix } from "../../onnx/row-product.ts";
import { modelFolder, TINY } from "./config.ts";
import { PublishedWeights } from "./published-weights.ts";

/** Row-major [inputs, outputs], ascending. */
function inOrder({ values, inputs, outputs, layout }: QuantizedMatrix): number[] {
  if (!layout) return [...values];
  const [, channels = 1, size = 1] = layout.dimensions;
  const at = (input: number, output: number) =>
    output * inputs + (input % channels) * size + Math.floor(input / channels);
  return Array.from(values, (_, index) => values[at(Math.floor(index / outputs), index % outputs)] as number);
}

test("saturation-safe weights match the published ones to half a step", async () => {
  const bytes = await readFile(path.join(modelFolder(TINY), "encoder_model.onnx"));
  const [published, paired] = [true, false].map((isExact) => PublishedWeights.read(bytes, isExact));
  const matrices: ((weights: PublishedWeights) => QuantizedMatrix)[] = [
    (weights) => weights.matrix("/layers.3/self_attn/v_proj"),
    (weights) => weights.matrix("/layers.0/mlp/fc2"),
    (weights) => weights.convolution("conv2"),
    (weights) => weights.convolution("conv3"),
  ];
  for (const pick of matrices) {
    const [expected, found] = [published, paired].map((weights) => pick(weights as PublishedWeights)) as [
      QuantizedMatrix,
      QuantizedMatrix,
    ];
    const scale = expected.scale as number;
    const scales = found.scale as Float32Array;
    const steps = inOrder(found);
    const errors = inOrder(expected).map((value, at) => {
      const step = scales[at % found.outputs] as number;
      return Math.abs((value - expected.zeroPoint) * scale - (steps[at] as number) * step) / step;
    });
    expect(errors.length).toBe(found.inputs * found.outputs);
    expect(errors.reduce((most, error) => Math.max(most, error), 0)).toBeLessThan(0.501);
    // Most outputs have no pair above the limit.
    expect(errors.filter((error) => error < 1e-4).length / errors.length).toBeGreaterThan(0.5);
  }
});
