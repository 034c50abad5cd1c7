import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import type { QuantizedMatrix } from "../../onnx/row-product.ts";
import { modelFolder, TINY } from "./config.ts";
import { PublishedWeights } from "./published-weights.ts";

const weights = PublishedWeights.read(await readFile(path.join(modelFolder(TINY), "encoder_model.onnx")));

/**
 * Compares a matrix with the published weights to half a step. @param published  row-major [inputs, outputs]
 * @returns share of the weights that are as published
 */
function unchangedShare({ values, inputs, outputs, scale, zeroPoint }: QuantizedMatrix, published: Float32Array) {
  const scales = scale as Float32Array;
  expect(zeroPoint).toBe(0);
  expect(published.length).toBe(inputs * outputs);
  const errors = Array.from(published, (weight, at) => {
    const step = scales[at % outputs] as number;
    return Math.abs(weight - (values[at] as number) * step) / step;
  });
  expect(errors.reduce((most, error) => Math.max(most, error), 0)).toBeLessThan(0.501);
  return errors.filter((error) => error < 1e-4).length / errors.length;
}

test.each(["/layers.3/self_attn/v_proj", "/layers.0/mlp/fc2"])("%s matches the published matrix", (place) => {
  const { values, scale, zeroPoint } = weights.publishedMatrix(place);
  const published = Float32Array.from(values, (value) => (value - zeroPoint) * scale);
  // Most outputs have no pair above the limit.
  expect(unchangedShare(weights.matrix(place), published)).toBeGreaterThan(0.5);
});

test.each(["conv2", "conv3"])("%s as a matrix matches the published kernel", (name) => {
  const matrix = weights.convolution(name);
  const { inputs, outputs } = matrix;
  const kernel = weights.kernel(name);
  const channels = name === "conv2" ? 288 : 576;
  const size = inputs / channels;
  const published = new Float32Array(kernel.length);
  for (let at = 0; at < kernel.length; at++) {
    const [output, input, place] = [Math.floor(at / inputs), Math.floor(at / size) % channels, at % size];
    published[(place * channels + input) * outputs + output] = kernel[at] as number;
  }
  expect(unchangedShare(matrix, published)).toBeGreaterThan(0.5);
});
