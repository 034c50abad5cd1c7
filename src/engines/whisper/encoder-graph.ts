// Whisper's encoder as a graph of our own: samples in, keys and values for the decoder's cross-attention out. It hears as
// much audio as it is given, and can go on where an earlier pass over the beginning of the same audio stopped: the
// frames that pass settled are handed in with their keys and values, and only those behind them are worked out.
import { inHeads } from "../../onnx/attention.ts";
import { ELEMENT, floatAttribute, integerAttribute, integersAttribute } from "../../onnx/graph.ts";
import { EVERYTHING, type GraphBuilder, MICROSOFT } from "../../onnx/graph-builder.ts";
import { crossNames } from "../../onnx/text-names.ts";
import { HOP_SAMPLES, memoryNames, textShape, type WhisperConfig, WINDOW_SAMPLES } from "./config.ts";
import { feedForward, mixIn, normalise, type Place, queryKeyValue } from "./layers.ts";
import { product } from "./linear.ts";
import { FREQUENCIES, fourierKernel, melFilters } from "./mel.ts";
import type { WeightReader } from "./weights.ts";

/** Lowest power of a band, and how far below the loudest band the quietest may lie (decades). */
const LOWEST_POWER = 1e-10;
const RANGE = 8;
const TIME_AXIS = 1;

/** samples → [1, melBins, windows], scaled as the model knows it */
async function spectrogram(graph: GraphBuilder, { melBins }: WhisperConfig): Promise<string> {
  const kernel = await graph.constant("fourier", [2 * FREQUENCIES, 1, WINDOW_SAMPLES], fourierKernel());
  const filters = await graph.constant("mel_filters", [melBins, FREQUENCIES], melFilters(melBins));
  graph.add("Conv", ["samples", kernel], "waves", [integersAttribute("strides", [HOP_SAMPLES])]);
  graph.add("Reshape", ["waves", graph.integers(1, 2, FREQUENCIES, -1)], "complex");
  const squares = [integersAttribute("axes", [1]), integerAttribute("keepdims", 0)];
  graph.add("ReduceSumSquare", ["complex"], "power", squares);
  graph.add("MatMul", [filters, "power"], "bands");
  graph.add("Max", ["bands", graph.scalar(LOWEST_POWER)], "bands.heard");
  graph.add("Log", ["bands.heard"], "bands.log");
  graph.add("Mul", ["bands.log", graph.scalar(1 / Math.LN10)], "bands.decades");
  graph.add("ReduceMax", ["bands.decades"], "loudest", [integerAttribute("keepdims", 0)]);
  graph.add("Sub", ["loudest", graph.scalar(RANGE)], "quietest");
  graph.add("Max", ["bands.decades", "quietest"], "bands.floored");
  graph.add("Mul", ["bands.floored", graph.scalar(1 / 4)], "bands.quarter");
  return graph.add("Add", ["bands.quarter", graph.scalar(1)], "spectrogram");
}

/** Two convolutions and positions: rows [frames, hiddenSize] of all frames behind the settled ones. */
async function embed(graph: GraphBuilder, config: WhisperConfig, weights: WeightReader): Promise<string> {
  const { hiddenSize, melBins, mostFrames } = config;
  let last = await spectrogram(graph, config);
  for (const [name, inputs, stride] of [
    ["conv1", melBins, 1],
    ["conv2", hiddenSize, 2],
  ] as const) {
    const prefix = `model.encoder.${name}`;
    const kernel = await graph.constant(
      `${name}.weight`,
      [hiddenSize, inputs, 3],
      await weights.read(`${prefix}.weight`, [hiddenSize, inputs, 3]),
    );
    const bias = await graph.constant(`${name}.bias`, [hiddenSize], await weights.read(`${prefix}.bias`, [hiddenSize]));
    const attributes = [integersAttribute("strides", [stride]), integersAttribute("pads", [1, 1])];
    graph.add("Conv", [last, kernel, bias], name, attributes);
    last = graph.add("Gelu", [name], `${name}.active`, [], MICROSOFT);
  }
  graph.add("Transpose", [last], "embedded", [integersAttribute("perm", [0, 2, 1])]);
  const positions = await weights.read("model.encoder.embed_positions.weight", [mostFrames, hiddenSize]);
  await graph.constant("positions", [1, mostFrames, hiddenSize], positions);
  graph.add("Shape", ["embedded"], "frames", [integerAttribute("start", 1), integerAttribute("end", 2)]);
  const axis = graph.integers(TIME_AXIS);
  graph.add("Slice", ["positions", "past_frames", "frames", axis], "positions.recent");
  graph.add("Slice", ["embedded", "past_frames", graph.integers(EVERYTHING), axis], "embedded.recent");
  graph.add("Add", ["embedded.recent", "positions.recent"], "placed");
  return graph.add("Reshape", ["placed", graph.integers(-1, hiddenSize)], "placed.rows");
}

async function layer(place: Place, config: WhisperConfig, number: number, input: string): Promise<string> {
  const { graph, weights, name, tensor } = place;
  const { hiddenSize: size, encoderHeads, encoderFeedForward } = config;
  const own = { ...place, name: `${name}.self`, tensor: `${tensor}.self_attn` };
  const heard = await normalise({ ...own, name: `${own.name}.in`, tensor: `${own.tensor}_layer_norm` }, input, size);
  const attention = await weights.attention(own.tensor, size, size / encoderHeads);
  const shape = graph.integers(1, -1, size);
  const [query, ...recent] = await queryKeyValue(own, heard, attention, shape);
  const joined = (["key", "value"] as const).map((part, at) => {
    const whole = `${own.name}.${part}.all`;
    graph.add("Concat", [`past.${number}.${part}`, recent[at] as string], whole, [integerAttribute("axis", TIME_AXIS)]);
    const ends = [graph.integers(0), "settled_frames", graph.integers(TIME_AXIS)];
    graph.add("Slice", [whole, ...ends], `settled.${number}.${part}`);
    return whole;
  });
  const attributes = [integerAttribute("num_heads", encoderHeads), floatAttribute("scale", 1)];
  graph.add("MultiHeadAttention", [query, ...joined], `${own.name}.attended`, attributes, MICROSOFT);
  const rows = graph.integers(-1, size);
  const attended = graph.add("Reshape", [`${own.name}.attended`, rows], `${own.name}.attended.rows`);
  const between = await mixIn(own, input, attended, attention);
  return feedForward({ ...place, name: `${name}.forward` }, between, size, encoderFeedForward);
}

/** Keys and values of all decoder layers out of the encoder's last hidden states. */
async function crossProjections(
  graph: GraphBuilder,
  config: WhisperConfig,
  weights: WeightReader,
  input: string,
): Promise<void> {
  const { hiddenSize, decoderHeads } = config;
  const headSize = hiddenSize / decoderHeads;
  for (const [at, name] of crossNames(textShape(config)).entries()) {
    const part = at % 2 === 0 ? "k_proj" : "v_proj";
    const tensor = `model.decoder.layers.${Math.floor(at / 2)}.encoder_attn.${part}`;
    const matrix = await weights.matrix(tensor, hiddenSize, hiddenSize);
    const projected = await product(graph, input, matrix, `${name}.flat`);
    const recent = inHeads(graph, projected, graph.integers(1, -1, decoderHeads, headSize), `${name}.recent`);
    graph.add("Concat", [`past.${name}`, recent], name, [integerAttribute("axis", 2)]);
  }
}

/**
 * Inputs: samples [1, 1, n] (all of the audio between its borders, see borderedSamples), past_frames [1] with the tensors
 * "past" [1, past, hiddenSize] and past.cross.* [1, heads, past, headSize] (frames that are settled already),
 * settled_frames [1] (how many shall be after this pass). Outputs: cross.* of all frames and the tensors "settled".
 */
export async function writeEncoder(
  graph: GraphBuilder,
  config: WhisperConfig,
  weights: WeightReader,
  progress: (share: number) => void,
): Promise<void> {
  const { hiddenSize, encoderLayers, decoderHeads } = config;
  const headSize = hiddenSize / decoderHeads;
  graph.input("samples", ELEMENT.float, [1, 1, "samples"]);
  graph.input("past_frames", ELEMENT.int64, [1]);
  graph.input("settled_frames", ELEMENT.int64, [1]);
  for (const name of memoryNames(config, "past")) graph.input(name, ELEMENT.float, [1, "past", hiddenSize]);
  for (const name of crossNames(textShape(config))) {
    graph.input(`past.${name}`, ELEMENT.float, [1, decoderHeads, "past", headSize]);
  }
  let last = await embed(graph, config, weights);
  for (let number = 0; number < encoderLayers; number++) {
    const place = { graph, weights, name: `layer.${number}`, tensor: `model.encoder.layers.${number}` };
    last = await layer(place, config, number, last);
    progress((number + 1) / (encoderLayers + 1));
  }
  const hidden = await normalise(
    { graph, weights, name: "hidden", tensor: "model.encoder.layer_norm" },
    last,
    hiddenSize,
  );
  await crossProjections(graph, config, weights, hidden);
  for (const name of crossNames(textShape(config))) graph.output(name, [1, decoderHeads, "frames", headSize]);
  for (const name of memoryNames(config, "settled")) graph.output(name, [1, "settled", hiddenSize]);
  progress(1);
}
