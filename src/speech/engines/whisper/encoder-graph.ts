// Graph of Whisper's encoder: samples in, keys and values for the decoder's cross-attention out. Processes audio of any
// length, and can continue an earlier pass over the beginning of the same audio: it takes the earlier frames with their
// keys and values from a cache and only computes the later ones.
import {
  FREQUENCIES,
  fourierKernel,
  HOP_SAMPLES,
  LOWEST_POWER,
  melFilters,
  RANGE_DECADES,
  WINDOW_SAMPLES,
} from "../../audio/mel.ts";
import { cachedSelfAttention, splitHeads } from "../../onnx/attention.ts";
import { crossNames } from "../../onnx/decoder-tensor-names.ts";
import { ELEMENT, integerAttribute, integersAttribute } from "../../onnx/graph.ts";
import { type GraphBuilder, MICROSOFT, SLICE_END } from "../../onnx/graph-builder.ts";
import { decoderShape, memoryNames, type WhisperConfig } from "./config.ts";
import { feedForward, type LayerContext, normalise, projectAndAdd, queryKeyValue } from "./layers.ts";
import { product } from "./linear.ts";
import type { WeightReader } from "./weights.ts";

const TIME_AXIS = 1;

/** samples → [1, melBins, windows], scaled as in training */
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
  graph.add("Sub", ["loudest", graph.scalar(RANGE_DECADES)], "quietest");
  graph.add("Max", ["bands.decades", "quietest"], "bands.floored");
  graph.add("Mul", ["bands.floored", graph.scalar(1 / 4)], "bands.quarter");
  return graph.add("Add", ["bands.quarter", graph.scalar(1)], "spectrogram");
}

/** Two convolutions and positions: rows [frames, hiddenSize] of the frames after the cached ones. */
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
  graph.add("Slice", ["embedded", "past_frames", graph.integers(SLICE_END), axis], "embedded.recent");
  graph.add("Add", ["embedded.recent", "positions.recent"], "placed");
  return graph.add("Reshape", ["placed", graph.integers(-1, hiddenSize)], "placed.rows");
}

async function layer(place: LayerContext, config: WhisperConfig, number: number, input: string): Promise<string> {
  const { graph, weights, name, tensor } = place;
  const { hiddenSize: size, encoderHeads, encoderFeedForward } = config;
  const own = { ...place, name: `${name}.self`, tensor: `${tensor}.self_attn` };
  const normalised = await normalise(
    { ...own, name: `${own.name}.in`, tensor: `${own.tensor}_layer_norm` },
    input,
    size,
  );
  const attention = await weights.attention(own.tensor, size, size / encoderHeads);
  const shape = graph.integers(1, -1, size);
  const [query, key, value] = await queryKeyValue(own, normalised, attention, shape);
  const attended = cachedSelfAttention(graph, {
    name: own.name,
    layer: number,
    heads: encoderHeads,
    size,
    query,
    key,
    value,
  });
  const between = await projectAndAdd(own, input, attended, attention);
  return feedForward({ ...place, name: `${name}.forward` }, between, size, encoderFeedForward);
}

/** Cross-attention keys and values of all decoder layers, from the encoder's last hidden states. */
async function crossProjections(
  graph: GraphBuilder,
  config: WhisperConfig,
  weights: WeightReader,
  input: string,
): Promise<void> {
  const { hiddenSize, decoderHeads } = config;
  const headSize = hiddenSize / decoderHeads;
  for (const [at, name] of crossNames(decoderShape(config)).entries()) {
    const part = at % 2 === 0 ? "k_proj" : "v_proj";
    const tensor = `model.decoder.layers.${Math.floor(at / 2)}.encoder_attn.${part}`;
    const matrix = await weights.matrix(tensor, hiddenSize, hiddenSize);
    const projected = await product(graph, input, matrix, `${name}.flat`);
    const recent = splitHeads(graph, projected, graph.integers(1, -1, decoderHeads, headSize), `${name}.recent`);
    graph.add("Concat", [`past.${name}`, recent], name, [integerAttribute("axis", 2)]);
  }
}

/**
 * Inputs: samples [1, 1, n] (all of the audio with its borders, see borderedSamples), past_frames [1] with the tensors
 * "past" [1, past, hiddenSize] and past.cross.* [1, heads, past, headSize] (cached frames), settled_frames [1] (number
 * of frames to cache after this pass). Outputs: cross.* of all frames and the tensors "settled".
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
  for (const name of crossNames(decoderShape(config))) {
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
  for (const name of crossNames(decoderShape(config))) graph.output(name, [1, decoderHeads, "frames", headSize]);
  for (const name of memoryNames(config, "settled")) graph.output(name, [1, "settled", hiddenSize]);
  progress(1);
}
