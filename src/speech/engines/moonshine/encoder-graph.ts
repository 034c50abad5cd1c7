// Graph of Moonshine's encoder, built from the published weights: samples in, keys and values for the decoder's
// cross-attention out. A pass can continue an earlier one over the beginning of the same audio: it takes the earlier
// frames with their keys and values from a cache and only computes the later ones.
import { cachedSelfAttention, splitHeads } from "../../onnx/attention.ts";
import { audioElement, crossNames } from "../../onnx/decoder-tensor-names.ts";
import { ELEMENT, integerAttribute, integersAttribute } from "../../onnx/graph.ts";
import { GraphBuilder, SLICE_END } from "../../onnx/graph-builder.ts";
import { BELOW_GELU, rowProduct } from "../../onnx/row-product.ts";
import { CONVOLUTIONS, type MoonshineVariant, memoryNames } from "./config.ts";
import {
  activated,
  affine,
  type LayerContext,
  type Linear,
  normalise,
  projectAndAdd,
  queryKeyValue,
  type RotaryTables,
  rotaryTables,
  rotated,
} from "./layers.ts";
import type { PublishedWeights } from "./published-weights.ts";

/** Number of frame positions: one and a half minutes. */
const MOST_FRAMES = 4_096;

/**
 * samples → rows [n, hiddenSize]: first convolution, normalised over the whole audio.
 * @param from  name of the index of the first row to return
 */
async function rowsOf({ graph, weights, variant }: LayerContext, from: string): Promise<string> {
  const { hiddenSize } = variant;
  const { size, stride } = CONVOLUTIONS[0];
  const weight = await graph.constant("conv1.weight", [hiddenSize, 1, size], weights.kernel("conv1"));
  graph.add("Conv", ["samples", weight], "waves", [integersAttribute("strides", [stride])]);
  graph.add("Tanh", ["waves"], "waves.bounded");
  graph.add("Reshape", ["waves.bounded", graph.integers(1, 1, -1)], "waves.flat");
  const unit = [
    await graph.constant("unit", [1], Float32Array.of(1)),
    await graph.constant("none", [1], Float32Array.of(0)),
  ];
  graph.add("InstanceNormalization", ["waves.flat", ...unit], "waves.even");
  graph.add("Reshape", ["waves.even", graph.integers(hiddenSize, -1)], "waves.split");
  graph.add("Slice", ["waves.split", from, graph.integers(SLICE_END), graph.integers(1)], "waves.recent");
  graph.add("Transpose", ["waves.recent"], "waves.rows", [integersAttribute("perm", [1, 0])]);
  const [gain, offset] = weights.groupNorm(hiddenSize);
  graph.add("Mul", ["waves.rows", await graph.constant("group.gain", [hiddenSize], gain)], "waves.scaled");
  return graph.add("Add", ["waves.scaled", await graph.constant("group.offset", [hiddenSize], offset)], "rows");
}

/** @returns name of the indices [windows, size] of the rows of each window. A window begins at every `stride`-th row. */
function windowIndices(graph: GraphBuilder, input: string, name: string, number: 1 | 2): string {
  const { size, stride } = CONVOLUTIONS[number];
  graph.add("Shape", [input], `${name}.rows`, [integerAttribute("start", 0), integerAttribute("end", 1)]);
  graph.add("Sub", [`${name}.rows`, graph.integers(size - 1)], `${name}.starts.end`);
  const bounds = [graph.integers(0), `${name}.starts.end`, graph.integers(stride)];
  const scalars = bounds.map((bound, at) => graph.add("Squeeze", [bound], `${name}.bound.${at}`));
  graph.add("Range", scalars, `${name}.starts`);
  graph.add("Reshape", [`${name}.starts`, graph.integers(-1, 1)], `${name}.starts.column`);
  const offsets = graph.integers(...Array.from({ length: size }, (_, at) => at));
  return graph.add("Add", [`${name}.starts.column`, offsets], `${name}.indices`);
}

/**
 * A convolution over time as one matrix product over windows of rows. A single Gather makes the windows, 24 MB for 25 s of audio. Joining slices
 * would need as much memory again.
 */
async function convolve(place: LayerContext, input: string, number: 1 | 2): Promise<string> {
  const { graph, weights } = place;
  const name = `conv${number + 1}`;
  const matrix = weights.convolution(name);
  graph.add("Gather", [input, windowIndices(graph, input, name, number)], `${name}.gathered`);
  const windows = graph.add("Reshape", [`${name}.gathered`, graph.integers(-1, matrix.inputs)], `${name}.windows`);
  const linear: Linear = { matrix, bias: `${name}.bias` };
  return activated(place, windows, name, number === 1 ? linear : { ...linear, below: BELOW_GELU });
}

/** Shape [1, frames, heads, headSize]. */
const headsShape = ({ graph, variant }: LayerContext) => graph.integers(1, -1, variant.heads, variant.headSize);

async function selfAttention(
  place: LayerContext,
  number: number,
  input: string,
  tables: RotaryTables,
): Promise<string> {
  const { graph } = place;
  const name = `layer.${number}.self`;
  const normalised = await normalise(place, input, `${name}.heard`, `layers.${number}.input_layernorm`);
  const path = `/layers.${number}/self_attn`;
  const { heads, hiddenSize } = place.variant;
  const shape = graph.integers(1, -1, hiddenSize);
  const [query, key, value] = await queryKeyValue(place, normalised, { name, path, shape });
  const attended = cachedSelfAttention(graph, {
    name,
    layer: number,
    heads,
    size: hiddenSize,
    query: rotated(place, query, "positions", tables),
    key: rotated(place, key, "positions", tables),
    value,
  });
  return projectAndAdd(place, input, attended, { name, path });
}

async function feedForward(place: LayerContext, number: number, input: string): Promise<string> {
  const { graph, weights } = place;
  const name = `layer.${number}`;
  const path = `layers.${number}`;
  const ready = await normalise(place, input, `${name}.ready`, `${path}.post_attention_layernorm`);
  const wide = { matrix: weights.matrix(`/${path}/mlp/fc1`), bias: `${path}.mlp.fc1.bias` };
  await activated(place, ready, `${name}.active`, wide);
  const narrow: Linear = {
    matrix: weights.matrix(`/${path}/mlp/fc2`),
    bias: `${path}.mlp.fc2.bias`,
    below: BELOW_GELU,
  };
  return graph.add("Add", [input, await affine(place, `${name}.active`, `${name}.narrow`, narrow)], `${name}.out`);
}

/** Cross-attention keys and values of all decoder layers, from the encoder's last hidden states. */
async function crossProjections(place: LayerContext, decoder: PublishedWeights, input: string): Promise<void> {
  const { graph, variant } = place;
  for (const [at, name] of crossNames(variant).entries()) {
    const part = at % 2 === 0 ? "k_proj" : "v_proj";
    const matrix = decoder.matrix(`/model/decoder/layers.${Math.floor(at / 2)}/encoder_attn/${part}`);
    const projected = await rowProduct(graph, input, matrix, `${name}.flat`);
    graph.cast(splitHeads(graph, projected, headsShape(place)), audioElement(variant), name);
  }
}

/**
 * @returns model with inputs samples [1, 1, n] (all of the audio), past_frames [1] with past_hidden [past, hiddenSize]
 *   and the tensors "past" [1, past, hiddenSize] (cached frames), settled_frames [1] (number of frames to cache
 *   after this pass), positions [1, recent] (of the frames to compute); outputs hidden [frames, hiddenSize], cross.* of
 *   all frames and the tensors "settled"
 */
export async function buildEncoderGraph(
  encoder: PublishedWeights,
  decoder: PublishedWeights,
  variant: MoonshineVariant,
): Promise<Uint8Array> {
  const { heads, headSize, hiddenSize } = variant;
  const graph = new GraphBuilder("encoder");
  const place: LayerContext = { graph, weights: encoder, variant };
  graph.input("samples", ELEMENT.float, [1, 1, "samples"]);
  graph.input("past_frames", ELEMENT.int64, [1]);
  graph.input("settled_frames", ELEMENT.int64, [1]);
  graph.input("positions", ELEMENT.int64, [1, "recent"]);
  graph.input("past_hidden", ELEMENT.float, ["past", hiddenSize]);
  for (const name of memoryNames(variant, "past")) graph.input(name, ELEMENT.float, [1, "past", hiddenSize]);

  const perFrame = graph.integers(CONVOLUTIONS[1].stride * CONVOLUTIONS[2].stride);
  graph.add("Mul", ["past_frames", perFrame], "past_rows");
  const rows = await rowsOf(place, "past_rows");
  let last = await convolve(place, await convolve(place, rows, 1), 2);
  const tables = await rotaryTables(place, "/rotary_emb/Cast_1_output_0", MOST_FRAMES);
  for (let number = 0; number < variant.layers; number++) {
    last = await feedForward(place, number, await selfAttention(place, number, last, tables));
  }
  const recent = await normalise(place, last, "hidden.recent", "layer_norm");
  graph.add("Concat", ["past_hidden", recent], "hidden", [integerAttribute("axis", 0)]);
  await crossProjections(place, decoder, "hidden");
  graph.output("hidden", ["frames", hiddenSize]);
  for (const name of crossNames(variant)) graph.output(name, [1, heads, "frames", headSize], audioElement(variant));
  for (const name of memoryNames(variant, "settled")) graph.output(name, [1, "settled", hiddenSize]);
  return graph.build();
}
