// Silero's published model processes one window per call and selects one of two networks each time. This rebuilds its
// 16 kHz network so that any number of windows is processed in one call: the front part treats the windows as a batch,
// the recurrent part as a sequence. A window has so few positions that a convolution is faster as one dense matrix
// product. The results are identical.
import {
  branchOf,
  constantBytes,
  ELEMENT,
  integerAttribute,
  nodesOf,
  readModel,
  textAttribute,
} from "../../onnx/graph.ts";
import { GraphBuilder } from "../../onnx/graph-builder.ts";

export const STATE_SIZE = 128;
/** The recurrent part runs with this many states at once, over the same windows. */
export const MEMORIES = 2;
/** 64 samples of context before the window's 512. */
export const INPUT_SAMPLES = 576;
const PREFIX = "If_0_then_branch__Inline_0__";

/** The spectrum has four frames of 256 samples, 128 apart; the last one is padded by reflection. */
const STEP = 128;
const SPECTRUM_FRAMES = 4;
const MIRRORED = (SPECTRUM_FRAMES + 1) * STEP - INPUT_SAMPLES;
const FREQUENCIES = 129;
/** Convolutions with a kernel of three, zero-padded by one at each end. */
const KERNEL = 3;
const CONVOLUTIONS = [
  { inputs: FREQUENCIES, outputs: 128, stride: 1 },
  { inputs: 128, outputs: 64, stride: 2 },
  { inputs: 64, outputs: 64, stride: 2 },
  { inputs: 64, outputs: STATE_SIZE, stride: 1 },
] as const;

type Weights = (name: string, length: number) => Float32Array;

/** PyTorch orders the gates as input, forget, cell, output; ONNX as input, output, forget, cell. */
function reorderGates(values: Float32Array): Float32Array {
  const size = values.length / 4;
  const ordered = new Float32Array(values.length);
  for (const [to, from] of [0, 3, 1, 2].entries())
    ordered.set(values.subarray(from * size, (from + 1) * size), to * size);
  return ordered;
}

/**
 * A convolution as a dense matrix [places * inputs, placesOut * outputs].
 * @param kernel  [outputs, inputs, KERNEL]
 */
function denseConvolution(
  kernel: Float32Array,
  { inputs, outputs, stride }: (typeof CONVOLUTIONS)[number],
  places: number,
): Float32Array {
  const width = Math.ceil(places / stride) * outputs;
  const dense = new Float32Array(places * inputs * width);
  for (let output = 0; output < width; output++) {
    const to = Math.floor(output / outputs);
    for (let tap = 0; tap < KERNEL; tap++) {
      const from = to * stride + tap - 1;
      if (from < 0 || from >= places) continue;
      for (let input = 0; input < inputs; input++) {
        const value = kernel[((output % outputs) * inputs + input) * KERNEL + tap] as number;
        dense[(from * inputs + input) * width + output] = value;
      }
    }
  }
  return dense;
}

/** input [n, INPUT_SAMPLES] → magnitude of each frequency in each frame [n, STRETCHES * FREQUENCIES] */
async function spectrumOf(graph: GraphBuilder, weights: Weights): Promise<string> {
  const integers = (...values: number[]) => graph.integers(...values);
  graph.add("Pad", ["input", integers(0, 0, 0, MIRRORED)], "mirrored", [textAttribute("mode", "reflect")]);
  graph.add("Reshape", ["mirrored", integers(-1, SPECTRUM_FRAMES + 1, STEP)], "steps");
  graph.add("Slice", ["steps", integers(0), integers(SPECTRUM_FRAMES), integers(1)], "steps.first");
  graph.add("Slice", ["steps", integers(1), integers(SPECTRUM_FRAMES + 1), integers(1)], "steps.second");
  graph.add("Concat", ["steps.first", "steps.second"], "stretches.apart", [integerAttribute("axis", 2)]);
  graph.add("Reshape", ["stretches.apart", integers(-1, 2 * STEP)], "stretches");
  const basis = [2 * FREQUENCIES, 2 * STEP] as const;
  await graph.constant("basis", basis, weights("stft.forward_basis_buffer", basis[0] * basis[1]));
  graph.add("Gemm", ["stretches", "basis"], "waves", [integerAttribute("transB", 1)]);
  graph.addMany(
    "Split",
    ["waves", integers(FREQUENCIES, FREQUENCIES)],
    ["real", "imaginary"],
    [integerAttribute("axis", 1)],
  );
  graph.add("Mul", ["real", "real"], "real.squared");
  graph.add("Mul", ["imaginary", "imaginary"], "imaginary.squared");
  graph.add("Add", ["real.squared", "imaginary.squared"], "power");
  graph.add("Sqrt", ["power"], "loudness");
  return graph.add("Reshape", ["loudness", integers(-1, SPECTRUM_FRAMES * FREQUENCIES)], "spectrum");
}

async function featuresOf(graph: GraphBuilder, weights: Weights, spectrum: string): Promise<string> {
  let [last, places] = [spectrum, SPECTRUM_FRAMES];
  for (const [at, convolution] of CONVOLUTIONS.entries()) {
    const { inputs, outputs, stride } = convolution;
    const part = `encoder.${at}.reparam_conv`;
    const dense = denseConvolution(weights(`${part}.weight`, outputs * inputs * KERNEL), convolution, places);
    const from = places * inputs;
    places = Math.ceil(places / stride);
    const bias = weights(`${part}.bias`, outputs);
    const everyBias = Float32Array.from({ length: places * outputs }, (_, index) => bias[index % outputs] as number);
    const names = [
      await graph.constant(`${part}.dense`, [from, places * outputs], dense),
      await graph.constant(`${part}.biases`, [places * outputs], everyBias),
    ];
    graph.add("Gemm", [last, ...names], `${part}.sum`);
    last = graph.add("Relu", [`${part}.sum`], part);
  }
  return last;
}

/** Recurrent classifier over the features [n, STATE_SIZE] in time order. Probabilities are from the first state. */
async function addClassifier(graph: GraphBuilder, weights: Weights, features: string): Promise<void> {
  const gates = 4 * STATE_SIZE;
  const square = async (name: string, part: string) =>
    graph.constant(name, [1, gates, STATE_SIZE], reorderGates(weights(`decoder.rnn.${part}`, gates * STATE_SIZE)));
  const sequence = graph.add("Reshape", [features, graph.integers(-1, 1, STATE_SIZE)], "sequence");
  const biases = ["bias_ih", "bias_hh"].flatMap((part) => [...reorderGates(weights(`decoder.rnn.${part}`, gates))]);
  const recurrent = [
    graph.add("Concat", Array<string>(MEMORIES).fill(sequence), "sequences", [integerAttribute("axis", 1)]),
    await square("weights", "weight_ih"),
    await square("recurrence", "weight_hh"),
    await graph.constant("bias", [1, 2 * gates], Float32Array.from(biases)),
  ];
  const size = [integerAttribute("hidden_size", STATE_SIZE)];
  graph.addMany("LSTM", [...recurrent, "", "hidden", "cell"], ["all", "hidden_out", "cell_out"], size);
  graph.add("Reshape", ["all", graph.integers(-1, MEMORIES * STATE_SIZE)], "all_states");
  const first = [graph.integers(0), graph.integers(STATE_SIZE), graph.integers(1)];
  graph.add("Slice", ["all_states", ...first], "states");
  graph.add("Relu", ["states"], "active");
  const output = [
    await graph.constant("output_weights", [STATE_SIZE, 1], weights("decoder.decoder.2.weight", STATE_SIZE)),
    await graph.constant("output_bias", [1], weights("decoder.decoder.2.bias", 1)),
  ];
  graph.add("Gemm", ["active", ...output], "logit");
  graph.add("Sigmoid", ["logit"], "probabilities");
}

/**
 * @param published  bytes of silero_vad_v5.onnx or silero_vad_v6.onnx
 * @returns model with inputs windows [n, 576], hidden and cell [1, MEMORIES, 128]; outputs probabilities [n, 1] from the
 *   first memory, hidden_out and cell_out [1, MEMORIES, 128]
 * @throws Error for another kind of model
 */
export async function buildSileroGraph(published: Uint8Array): Promise<Uint8Array> {
  const choice = nodesOf(readModel(published).graph).find(({ opType }) => opType === "If");
  if (!choice) throw new Error("the voice activity model has no branches; is this Silero's v5 or v6?");
  const nodes = nodesOf(branchOf(choice, "then_branch"));
  const weights: Weights = (name, length) => {
    const found = nodes.find(({ outputs }) => outputs[0] === PREFIX + name);
    if (!found) throw new Error(`the voice activity model has no ${name}`);
    // Copied, because floats must be aligned to four bytes.
    const values = new Float32Array(Uint8Array.from(constantBytes(found)).buffer);
    if (values.length !== length) throw new Error(`${name} of the voice activity model has another size than expected`);
    return values;
  };
  const graph = new GraphBuilder("silero");
  graph.input("input", ELEMENT.float, ["windows", INPUT_SAMPLES]);
  for (const name of ["hidden", "cell"]) graph.input(name, ELEMENT.float, [1, MEMORIES, STATE_SIZE]);
  await addClassifier(graph, weights, await featuresOf(graph, weights, await spectrumOf(graph, weights)));
  graph.output("probabilities", ["windows", 1]);
  for (const name of ["hidden_out", "cell_out"]) graph.output(name, [1, MEMORIES, STATE_SIZE]);
  return graph.build();
}
