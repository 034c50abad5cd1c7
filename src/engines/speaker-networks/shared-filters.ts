// Divides pyannote's segmentation into two graphs. The first one applies the filters of the waveform. Overlapping windows share its result,
// which is 40 % of the work for a window alone. The second one computes the classes of a window.
import {
  between,
  ELEMENT,
  GRAPH,
  integerAttribute,
  integersAttribute,
  nodesOf,
  readModel,
  TENSOR,
  tensorValue,
  writeModel,
} from "../../onnx/graph.ts";
import { GraphBuilder } from "../../onnx/graph-builder.ts";
import { type Field, integersOf, readFields, stringsOf } from "../../onnx/protobuf.ts";
import { STEP_SAMPLES, WINDOW_SAMPLES } from "../../speakers/speaker-networks.ts";

/** Of the published network: filters, their taps, samples from one value to the next, and consecutive values of which the highest is kept. */
export const FILTERS = 80;
const TAPS = 251;
const STRIDE = 10;
const POOLED = 3;
const POOLED_SAMPLES = STRIDE * POOLED;
/** Kept values of each filter. */
const keptValues = (samples: number) => Math.floor((Math.floor((samples - TAPS) / STRIDE) + 1) / POOLED);
export const WINDOW_VALUES = keptValues(WINDOW_SAMPLES);
/** Kept values of each filter in one run: four seconds, whose intermediate values fit in the processor's cache. */
const VALUES_OF_RUN = 2_134;
const EPSILON = 1e-5;
/** Outputs of the graph of filters. */
export const FILTER_OUTPUTS = ["centres", "spreads"] as const;

export interface DividedSegmentation {
  /** ONNX model: `samples` [1, 1, samples] to `centres` and `spreads`, both [1, FILTERS, keptValues(samples)]. */
  filters: Uint8Array;
  /** ONNX model: kept values [windows, FILTERS, WINDOW_VALUES] to the output of the whole network. */
  classes: Uint8Array;
  /** Sum of the taps of each filter. */
  sums: Float32Array;
  /** The network first normalises each window to mean 0 and variance 1, multiplies it by `scale` and adds `bias`. */
  scale: number;
  bias: number;
}

type IsWanted = (name: string, dimensions: readonly number[]) => boolean;

function floatsOf(graph: readonly Field[], isWanted: IsWanted): Float32Array | undefined {
  for (const { number, payload } of graph) {
    if (number !== GRAPH.initializer) continue;
    const fields = readFields(payload);
    const raw = fields.find((field) => field.number === TENSOR.rawData)?.payload;
    if (!raw || integersOf(fields, TENSOR.dataType)[0] !== ELEMENT.float) continue;
    if (!isWanted(stringsOf(fields, TENSOR.name)[0] ?? "", integersOf(fields, TENSOR.dimensions))) continue;
    return new Float32Array(Uint8Array.from(raw).buffer);
  }
  return undefined;
}

const hasDimensions = (wanted: readonly number[]): IsWanted => {
  return (_, dimensions) => wanted.join() === dimensions.join();
};

/**
 * Computes the POOLED values of which one is kept as channels of one convolution: it reads the samples a third as often as one that computes all
 * values of a filter in a row.
 */
async function filterGraph(taps: Float32Array): Promise<Uint8Array> {
  const length = TAPS + (POOLED - 1) * STRIDE;
  const shifted = new Float32Array(POOLED * FILTERS * length);
  for (let shift = 0; shift < POOLED; shift++) {
    for (let filter = 0; filter < FILTERS; filter++) {
      const own = taps.subarray(filter * TAPS, (filter + 1) * TAPS).map((tap) => tap / 2);
      shifted.set(own, (shift * FILTERS + filter) * length + shift * STRIDE);
    }
  }
  const graph = new GraphBuilder("filters");
  graph.input("samples", ELEMENT.float, [1, 1, "samples"]);
  for (const output of FILTER_OUTPUTS) graph.output(output, [1, FILTERS, "values"]);
  await graph.constant("taps", [POOLED * FILTERS, 1, length], shifted);
  graph.add("Conv", ["samples", "taps"], "halves", [integersAttribute("strides", [POOLED_SAMPLES])]);
  const pooled = Array.from({ length: POOLED }, (_, shift) => `halves.${shift}`);
  graph.addMany("Split", ["halves"], pooled, [integerAttribute("axis", 1)]);
  graph.add("Max", pooled, "highest");
  graph.add("Min", pooled, "lowest");
  graph.add("Add", ["highest", "lowest"], "centres");
  graph.add("Sub", ["highest", "lowest"], "spreads");
  return graph.build("portable");
}

/**
 * @param model  bytes of an ONNX model
 * @returns undefined if the model is not built like the published network
 * @throws Error if it is no ONNX model
 */
export async function dividedSegmentation(model: Uint8Array): Promise<DividedSegmentation | undefined> {
  const { header, graph } = readModel(model);
  const nodes = nodesOf(graph);
  const makerOf = (name: string | undefined) => nodes.find(({ outputs }) => outputs.some((output) => output === name));
  const norm = nodes[0];
  const pool = nodes.find(({ opType, inputs }) => opType === "MaxPool" && makerOf(inputs[0])?.opType === "Abs");
  const output = graph.find(({ number }) => number === GRAPH.output);
  const [kept] = pool?.outputs ?? [];
  const taps = floatsOf(graph, hasDimensions([FILTERS, 1, TAPS]));
  if (norm?.opType !== "InstanceNormalization" || kept === undefined || !output || !taps) return undefined;
  const [scale, bias] = [1, 2].map((at) => floatsOf(graph, (name) => name === norm.inputs[at])?.[0]);
  if (scale === undefined || bias === undefined) return undefined;
  const [result = ""] = stringsOf(readFields(output.payload), 1);
  const input = tensorValue("input", kept, ELEMENT.float, ["windows", FILTERS, WINDOW_VALUES]);
  const rest = between(graph, [kept], result).map(({ raw }) => raw);
  return {
    filters: await filterGraph(taps),
    classes: writeModel(header, [input, output.raw, ...rest]),
    sums: Float32Array.from({ length: FILTERS }, (_, filter) =>
      taps.subarray(filter * TAPS, (filter + 1) * TAPS).reduce((sum, tap) => sum + tap, 0),
    ),
    scale,
    bias,
  };
}

/**
 * Of POOLED consecutive values, the mean of the highest and the lowest and half of their distance, row-major [FILTERS, count]. The greatest
 * magnitude after a multiplication and an addition follows from these without a comparison.
 */
interface FilteredSamples {
  count: number;
  centres: Float32Array;
  spreads: Float32Array;
}

/** @returns FILTER_OUTPUTS of the graph of filters */
type RunFilters = (samples: Float32Array) => Promise<[centres: Float32Array, spreads: Float32Array]>;

/** Loops over indices: over values, they take five times as long. */
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

/** A large offset would cost the values of the filters their precision. */
export function withoutMean(samples: Float32Array): Float32Array {
  const mean = meanOf(samples);
  const centred = new Float32Array(samples.length);
  for (let at = 0; at < samples.length; at++) centred[at] = (samples[at] as number) - mean;
  return centred;
}

/** Filters a stretch in several runs. @param samples  at least those of a window */
export async function filtered(samples: Float32Array, run: RunFilters): Promise<FilteredSamples> {
  const count = keptValues(samples.length);
  const all = { count, centres: new Float32Array(FILTERS * count), spreads: new Float32Array(FILTERS * count) };
  for (let first = 0; first < count; first += VALUES_OF_RUN) {
    const own = Math.min(VALUES_OF_RUN, count - first);
    const start = first * POOLED_SAMPLES;
    const [centres, spreads] = await run(samples.subarray(start, start + own * POOLED_SAMPLES - STRIDE + TAPS));
    for (let filter = 0; filter < FILTERS; filter++) {
      const [from, to] = [filter * own, (filter + 1) * own];
      all.centres.set(centres.subarray(from, to), filter * count + first);
      all.spreads.set(spreads.subarray(from, to), filter * count + first);
    }
  }
  return all;
}

/**
 * The kept values of a window, as the network computes them from the normalised window: filters are linear, so that their values are
 * normalised instead. The network keeps the greatest magnitude of consecutive values.
 * @param step  steps from the start of `samples` to the window; its values begin at most 15 samples earlier or later
 * @param target  receives the values, row-major [FILTERS, WINDOW_VALUES]
 */
export function writeValues(
  samples: Float32Array,
  { count, centres, spreads }: FilteredSamples,
  { sums, scale, bias }: DividedSegmentation,
  step: number,
  target: Float32Array,
): void {
  const start = step * STEP_SAMPLES;
  const window = samples.subarray(start, start + WINDOW_SAMPLES);
  const mean = meanOf(window);
  const gain = scale / Math.sqrt(varianceOf(window, mean) + EPSILON);
  const first = Math.min(Math.round(start / POOLED_SAMPLES), count - WINDOW_VALUES);
  for (let filter = 0; filter < FILTERS; filter++) {
    const shift = (bias - gain * mean) * (sums[filter] as number);
    const [to, from] = [filter * WINDOW_VALUES, filter * count + first];
    for (let at = 0; at < WINDOW_VALUES; at++) {
      target[to + at] = gain * (spreads[from + at] as number) + Math.abs(gain * (centres[from + at] as number) + shift);
    }
  }
}
