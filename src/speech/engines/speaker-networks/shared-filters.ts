// Splits pyannote's segmentation into two graphs. The first one applies the filters of the waveform. Overlapping windows share its result,
// which is 40 % of the work for a window alone. The second one computes the classes of a window.
import { SAMPLE_RATE } from "../../audio/sample-rate.ts";
import {
  branchOf,
  ELEMENT,
  integerAttribute,
  integersAttribute,
  type Node,
  nodesOf,
  readModel,
  tensorValue,
  writeModel,
} from "../../onnx/graph.ts";
import { GraphBuilder } from "../../onnx/graph-builder.ts";
import {
  between,
  floatAttributeOf,
  floatConstant,
  inputNamesOf,
  integersAttributeOf,
  outputNameOf,
  producerOf,
} from "../../onnx/graph-queries.ts";
import { STEP_SAMPLES, WINDOW_FRAMES, WINDOW_SAMPLES } from "../../speakers/speaker-networks.ts";

// Of the published network.
export const FILTERS = 80;
/** Length of a filter. */
const TAPS = 251;
/** Samples from one output of a filter to the next. */
const STRIDE = 10;
/** Consecutive outputs of which max pooling keeps one. */
const POOLED = 3;
const POOLED_SAMPLES = STRIDE * POOLED;
/** Pooled outputs of a filter. */
const pooledLength = (samples: number) => Math.floor((Math.floor((samples - TAPS) / STRIDE) + 1) / POOLED);
export const WINDOW_POOLED_LENGTH = pooledLength(WINDOW_SAMPLES);
/** Pooled outputs of one run: those of four seconds, whose intermediate values fit in the processor's cache. */
const RUN_POOLED_LENGTH = Math.ceil((4 * SAMPLE_RATE) / POOLED_SAMPLES);
/** Default of ONNX for InstanceNormalization. */
const DEFAULT_EPSILON = 1e-5;
/** Outputs of the graph of filters. */
export const FILTER_OUTPUTS = ["midpoints", "halfRanges"] as const;

/** The first layers of the network: they normalise a window to mean 0 and variance 1, multiply it by `scale` and add `bias`. */
export interface WindowNormalization {
  /** Added to the variance. */
  epsilon: number;
  scale: number;
  bias: number;
  /** Sum of the taps of each filter. */
  sums: Float32Array;
}

export interface SplitSegmentation {
  /** ONNX model: `samples` [1, 1, samples] to FILTER_OUTPUTS, each [1, FILTERS, pooledLength(samples)]. */
  filters: Uint8Array;
  /** ONNX model: pooled outputs [windows, FILTERS, WINDOW_POOLED_LENGTH] to the output of the whole network. */
  classes: Uint8Array;
  normalization: WindowNormalization;
}

/**
 * Max pooling keeps one of POOLED consecutive outputs. One convolution computes these as channels. It reads the samples a third as often as a
 * convolution with STRIDE.
 */
async function filterGraph(taps: Float32Array): Promise<Uint8Array> {
  const length = TAPS + (POOLED - 1) * STRIDE;
  const shifted = new Float32Array(POOLED * FILTERS * length);
  for (let shift = 0; shift < POOLED; shift++) {
    for (let filter = 0; filter < FILTERS; filter++) {
      const halved = taps.subarray(filter * TAPS, (filter + 1) * TAPS).map((tap) => tap / 2);
      shifted.set(halved, (shift * FILTERS + filter) * length + shift * STRIDE);
    }
  }
  const graph = new GraphBuilder("filters");
  graph.input("samples", ELEMENT.float, [1, 1, "samples"]);
  for (const output of FILTER_OUTPUTS) graph.output(output, [1, FILTERS, "length"]);
  await graph.constant("taps", [POOLED * FILTERS, 1, length], shifted);
  graph.add("Conv", ["samples", "taps"], "halves", [integersAttribute("strides", [POOLED_SAMPLES])]);
  const pooled = Array.from({ length: POOLED }, (_, shift) => `halves.${shift}`);
  graph.addMany("Split", ["halves"], pooled, [integerAttribute("axis", 1)]);
  graph.add("Max", pooled, "highest");
  graph.add("Min", pooled, "lowest");
  graph.add("Add", ["highest", "lowest"], "midpoints");
  graph.add("Sub", ["highest", "lowest"], "halfRanges");
  return graph.build("portable");
}

const isAttribute = (node: Node, name: string, value: number) => integersAttributeOf(node, name).join() === `${value}`;

/** The published network chooses between two convolutions, which differ in the shape of their input. */
const convolutionsOf = (node: Node): Node[] =>
  node.opType === "If" ? nodesOf(branchOf(node, "then_branch")) : node.opType === "Conv" ? [node] : [];

/** Whether a convolution applies the taps, without a bias or padding, to the normalised samples. */
const isFilterOf = (node: Node, norm: Node, taps: string | undefined) =>
  node.inputs.join() === [norm.outputs[0], taps].join() &&
  isAttribute(node, "strides", STRIDE) &&
  integersAttributeOf(node, "pads").every((pad) => pad === 0);

/**
 * @param model  bytes of an ONNX model
 * @returns undefined if the model does not begin like the published network
 * @throws Error if it is no ONNX model
 */
export async function splitSegmentation(model: Uint8Array): Promise<SplitSegmentation | undefined> {
  const { header, graph } = readModel(model);
  const nodes = nodesOf(graph);
  const floats = graph.flatMap((field) => floatConstant(field) ?? []);
  const taps = floats.find(({ dimensions }) => dimensions.join() === `${FILTERS},1,${TAPS}`);
  const [input = ""] = inputNamesOf(graph);
  const output = outputNameOf(graph);
  const norm = nodes.find(({ opType, inputs }) => opType === "InstanceNormalization" && inputs[0] === input);
  const [scale, bias] = [1, 2].map((at) => floats.find(({ name }) => name === norm?.inputs[at])?.values[0]);
  const absolute = nodes.find(({ opType }) => opType === "Abs");
  const pool = nodes.find(({ opType, inputs }) => opType === "MaxPool" && inputs[0] === absolute?.outputs[0]);
  const isPool = pool && ["kernel_shape", "strides"].every((name) => isAttribute(pool, name, POOLED));
  const filter = producerOf(nodes, absolute?.inputs[0]);
  const isFilter = filter && norm && convolutionsOf(filter).some((one) => isFilterOf(one, norm, taps?.name));
  const [pooled] = pool?.outputs ?? [];
  if (!taps || !norm || scale === undefined || bias === undefined || output === undefined) return undefined;
  if (!isPool || !isFilter || pooled === undefined) return undefined;
  const classes = between(graph, pooled, output);
  if (!classes) return undefined;
  return {
    filters: await filterGraph(taps.values),
    classes: writeModel(header, [
      tensorValue("input", pooled, ELEMENT.float, ["windows", FILTERS, WINDOW_POOLED_LENGTH]),
      tensorValue("output", output, ELEMENT.float, ["windows", WINDOW_FRAMES, "classes"]),
      ...classes.map(({ raw }) => raw),
    ]),
    normalization: {
      epsilon: floatAttributeOf(norm, "epsilon") ?? DEFAULT_EPSILON,
      scale,
      bias,
      sums: Float32Array.from({ length: FILTERS }, (_, at) =>
        taps.values.subarray(at * TAPS, (at + 1) * TAPS).reduce((sum, tap) => sum + tap, 0),
      ),
    },
  };
}

/**
 * Midpoint and half range of the outputs that max pooling compares, row-major [FILTERS, length]. The greatest magnitude of gain * output +
 * shift is |gain * midpoint + shift| + |gain| * halfRange.
 */
interface FilteredSamples {
  length: number;
  midpoints: Float32Array;
  halfRanges: Float32Array;
}

/** @returns FILTER_OUTPUTS of the graph of filters */
type RunFilters = (samples: Float32Array) => Promise<[midpoints: Float32Array, halfRanges: Float32Array]>;

/** A loop over indices: for...of over a Float32Array takes five times as long. */
function meanOf(samples: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < samples.length; at++) sum += samples[at] as number;
  return sum / samples.length;
}

function varianceOf(samples: Float32Array, mean: number): number {
  let squares = 0;
  for (let at = 0; at < samples.length; at++) {
    const difference = (samples[at] as number) - mean;
    squares += difference * difference;
  }
  return squares / samples.length;
}

/**
 * Subtracts the mean: with a large offset, the outputs of the filters would lose precision. Adds silence at the end, so that the last window has
 * all its outputs although its start is rounded.
 */
export function prepared(samples: Float32Array): Float32Array {
  const mean = meanOf(samples);
  const centred = new Float32Array(samples.length + POOLED_SAMPLES);
  for (let at = 0; at < samples.length; at++) centred[at] = (samples[at] as number) - mean;
  return centred;
}

/** Applies the filters in several runs. @param samples  prepared, at least those of a window */
export async function applyFilters(samples: Float32Array, run: RunFilters): Promise<FilteredSamples> {
  const length = pooledLength(samples.length);
  const all = {
    length,
    midpoints: new Float32Array(FILTERS * length),
    halfRanges: new Float32Array(FILTERS * length),
  };
  for (let first = 0; first < length; first += RUN_POOLED_LENGTH) {
    const count = Math.min(RUN_POOLED_LENGTH, length - first);
    const start = first * POOLED_SAMPLES;
    const [midpoints, halfRanges] = await run(samples.subarray(start, start + count * POOLED_SAMPLES - STRIDE + TAPS));
    for (let filter = 0; filter < FILTERS; filter++) {
      const [from, to] = [filter * count, (filter + 1) * count];
      all.midpoints.set(midpoints.subarray(from, to), filter * length + first);
      all.halfRanges.set(halfRanges.subarray(from, to), filter * length + first);
    }
  }
  return all;
}

/**
 * Writes the pooled outputs of a window, as the network computes them from the normalised window: filters are linear, so that their outputs are
 * normalised instead.
 * @param samples  prepared
 * @param step  steps from the start of `samples` to the window; its outputs begin at most 15 samples earlier or later
 * @param target  row-major [FILTERS, WINDOW_POOLED_LENGTH]
 */
export function writePooled(
  samples: Float32Array,
  { length, midpoints, halfRanges }: FilteredSamples,
  { epsilon, sums, scale, bias }: WindowNormalization,
  step: number,
  target: Float32Array,
): void {
  const start = step * STEP_SAMPLES;
  const window = samples.subarray(start, start + WINDOW_SAMPLES);
  const mean = meanOf(window);
  const gain = scale / Math.sqrt(varianceOf(window, mean) + epsilon);
  const magnitude = Math.abs(gain);
  const first = Math.round(start / POOLED_SAMPLES);
  for (let filter = 0; filter < FILTERS; filter++) {
    const shift = (bias - gain * mean) * (sums[filter] as number);
    const [to, from] = [filter * WINDOW_POOLED_LENGTH, filter * length + first];
    for (let at = 0; at < WINDOW_POOLED_LENGTH; at++) {
      target[to + at] =
        magnitude * (halfRanges[from + at] as number) + Math.abs(gain * (midpoints[from + at] as number) + shift);
    }
  }
}
