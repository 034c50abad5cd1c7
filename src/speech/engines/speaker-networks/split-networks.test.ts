// The split networks compute what the whole ones compute.
import fc from "fast-check";
import { expect, test } from "vitest";
import { randomOf } from "../../../../test/fixtures/random.ts";
import { ELEMENT, floatAttribute, integerAttribute, integersAttribute } from "../../onnx/graph.ts";
import { GraphBuilder } from "../../onnx/graph-builder.ts";
import { CLASS_SPEAKERS, STEP_SAMPLES, WINDOW_FRAMES, WINDOW_SAMPLES } from "../../speakers/speaker-networks.ts";
import { dotProduct } from "../../speakers/vectors.ts";
import { BANKS, HOP_SAMPLES } from "./filter-banks.ts";
import { splitVoices } from "./frame-features.ts";
import { Segmentation } from "./segmentation.ts";
import { splitSegmentation } from "./shared-filters.ts";
import { unitLength, Voices } from "./voice.ts";

/** The same values for the same seed. */
function randomsOf(seed: number) {
  const random = randomOf(seed);
  return (length: number, most = 1) => Float32Array.from({ length }, () => most * (2 * random() - 1));
}

/** Begins like the published segmentation, and ends with one convolution instead of the rest. */
async function segmentation(filters: number): Promise<Uint8Array> {
  const classes = CLASS_SPEAKERS.length;
  const randoms = randomsOf(3);
  const graph = new GraphBuilder("segmentation");
  graph.input("x", ELEMENT.float, ["N", 1, WINDOW_SAMPLES]);
  graph.output("y", ["N", WINDOW_FRAMES, classes]);
  await graph.constant("scale", [1], Float32Array.of(0.01));
  await graph.constant("bias", [1], Float32Array.of(0.05));
  await graph.constant("taps", [filters, 1, 251], randoms(filters * 251));
  await graph.constant("weights", [classes, filters, 33], randoms(classes * filters * 33, 0.1));
  graph.add("InstanceNormalization", ["x", "scale", "bias"], "normal", [floatAttribute("epsilon", 1e-5)]);
  graph.add("Conv", ["normal", "taps"], "filtered", [integersAttribute("strides", [10])]);
  graph.add("Abs", ["filtered"], "magnitudes");
  const pool = [integersAttribute("kernel_shape", [3]), integersAttribute("strides", [3])];
  graph.add("MaxPool", ["magnitudes"], "kept", pool);
  graph.add("Conv", ["kept", "weights"], "scores", [integersAttribute("strides", [9])]);
  graph.add("Transpose", ["scores"], "y", [integersAttribute("perm", [0, 2, 1])]);
  return graph.build("portable");
}

async function classesOf(network: Segmentation, samples: Float32Array, windows: number, stride: number) {
  const all: number[] = [];
  await network.classify(samples, windows, stride, (values) => all.push(...values));
  return all;
}

function expectClose(found: readonly number[], wanted: readonly number[]): void {
  expect(found).toHaveLength(wanted.length);
  const worst = wanted.reduce((most, value, at) => Math.max(most, Math.abs(value - (found[at] as number))), 0);
  expect(worst).toBeLessThan(2e-3 * Math.max(...wanted.map(Math.abs)));
}

test("windows that share filters have the classes of windows alone, whatever their level and offset", async () => {
  const model = await segmentation(80);
  expect(await splitSegmentation(model)).toBeDefined();
  const [whole, split] = [await Segmentation.open(model, true), await Segmentation.open(model)];
  // Three steps are a multiple of the samples of a pooled output: the start of a window is not rounded.
  const stride = 3;
  const randoms = randomsOf(13);
  const inputs = fc.record({
    windows: fc.integer({ min: 1, max: 4 }),
    // InstanceNormalization of ONNX Runtime is inexact if the offset is much greater than the level.
    signal: fc.constantFrom(
      { level: 0, offset: 0 },
      { level: 0.01, offset: 0 },
      { level: 0.1, offset: -0.02 },
      { level: 1, offset: 0.2 },
    ),
    quietFrom: fc.integer({ min: 0, max: 4 * stride * STEP_SAMPLES }),
  });
  try {
    await fc.assert(
      fc.asyncProperty(inputs, async ({ windows, signal: { level, offset }, quietFrom }) => {
        const length = WINDOW_SAMPLES + (windows - 1) * stride * STEP_SAMPLES;
        const samples = randoms(length, level).map((value, at) => (at < quietFrom ? value : value / 50) + offset);
        expectClose(await classesOf(split, samples, windows, stride), await classesOf(whole, samples, windows, stride));
      }),
      { numRuns: 12 },
    );
  } finally {
    await whole.release();
    await split.release();
  }
});

test("a segmentation with other filters is used as it is", async () => {
  const model = await segmentation(40);
  expect(await splitSegmentation(model)).toBeUndefined();
  const network = await Segmentation.open(model);
  const samples = randomsOf(17)(WINDOW_SAMPLES + 2 * STEP_SAMPLES);
  expect(await classesOf(network, samples, 2, 2)).toHaveLength(2 * WINDOW_FRAMES * CLASS_SPEAKERS.length);
  await network.release();
});

const [FEATURES, DIMENSIONS] = [12, 6] as const;

/** Types of ONNX tensors. */
const [FLOAT, DOUBLE] = [1, 11];

/**
 * Its features depend on single frames, so that an excerpt has the same ones alone.
 * @param hasDeviation  pooled besides the mean
 * @param type  of the features
 */
async function voices(hasDeviation: boolean, type = FLOAT): Promise<Uint8Array> {
  const randoms = randomsOf(5);
  const graph = new GraphBuilder("voices");
  graph.input("x", ELEMENT.float, ["N", "T", BANKS]);
  graph.output("voice", ["N", DIMENSIONS]);
  await graph.constant("projection", [FEATURES, BANKS, 1], randoms(FEATURES * BANKS));
  const pooled = hasDeviation ? 2 * FEATURES : FEATURES;
  await graph.constant("dense", [DIMENSIONS, pooled, 1], randoms(DIMENSIONS * pooled));
  graph.add("Transpose", ["x"], "banks", [integersAttribute("perm", [0, 2, 1])]);
  graph.add("Conv", ["banks", "projection"], "projected", [integersAttribute("strides", [2])]);
  graph.add("Relu", ["projected"], "rectified");
  graph.cast("rectified", type, "features");
  const last = [integersAttribute("axes", [2])];
  graph.add("ReduceMean", ["features"], "mean", last);
  graph.add("Sub", ["features", "mean"], "difference");
  graph.add("Mul", ["difference", "difference"], "square");
  graph.add("ReduceMean", ["square"], "variance", last);
  graph.add("Sqrt", ["variance"], "deviation");
  if (hasDeviation) graph.add("Concat", ["mean", "deviation"], "pooled", [integerAttribute("axis", 1)]);
  graph.cast(hasDeviation ? "pooled" : "mean", FLOAT, "statistics");
  graph.add("Conv", ["statistics", "dense"], "column");
  graph.add("Reshape", ["column", graph.integers(-1, DIMENSIONS)], "voice");
  return graph.build("portable");
}

test.each([
  ["from the features of the stretch", true, FLOAT],
  ["each alone, if the network pools in another way", false, FLOAT],
  ["each alone, if the features are no floats", true, DOUBLE],
])("the voices of excerpts are computed %s", async (_, hasDeviation, type) => {
  const model = await voices(hasDeviation, type);
  expect(splitVoices(model) !== undefined).toBe(hasDeviation);
  const network = await Voices.open(model);
  const samples = randomsOf(11)(48_000, 0.3);
  const frames = (count: number) => count * 2 * HOP_SAMPLES;
  // The window of the last filter bank extends 240 samples beyond its hop.
  const excerpts = [
    { start: 0, end: frames(40) + 240 },
    { start: frames(70), end: frames(140) + 240 },
  ];
  const [, ...found] = (await network.compute(samples, excerpts)) ?? [];
  expect(found).toHaveLength(2);
  const similarity = (left: Float32Array, right: Float32Array) => dotProduct(unitLength(left), unitLength(right));
  for (const [at, { start, end }] of excerpts.entries()) {
    const [alone] = (await network.compute(samples.slice(start, end))) ?? [];
    // The means of the filter banks are those of the stretch.
    const own = similarity(found[at] as Float32Array, alone as Float32Array);
    expect(own).toBeGreaterThan(0.9);
    expect(own).toBeGreaterThan(similarity(found[1 - at] as Float32Array, alone as Float32Array));
  }
  expect(await network.compute(samples.subarray(0, 100), [{ start: 0, end: 50 }])).toBeUndefined();
  // An excerpt of one sample, and one that ends after the stretch, have a voice, too.
  const odd = await network.compute(samples, [
    { start: 20_000, end: 20_001 },
    { start: 47_999, end: 60_000 },
  ]);
  expect(odd?.every((voice) => voice.length === DIMENSIONS && voice.every(Number.isFinite))).toBe(true);
  await network.release();
});
