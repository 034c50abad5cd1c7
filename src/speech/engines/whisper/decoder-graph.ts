// Graph of Whisper's decoder: one pass over a batch of sequences. Outputs the cross-attention of the alignment heads
// (for word times) besides the logits.

import {
  addCrossAttention,
  addDecoderInputs,
  addDecoderOutputs,
  addSelfAttention,
  type DecoderGraph,
  FLAT_SHAPE,
  headsIn,
  rowsWithLogits,
} from "../../onnx/decoder-nodes.ts";
import { ELEMENT } from "../../onnx/graph.ts";
import type { GraphBuilder } from "../../onnx/graph-builder.ts";
import { decoderShape, type WhisperConfig } from "./config.ts";
import { affine, feedForward, type LayerContext, normalise, projectAndAdd, queryKeyValue } from "./layers.ts";
import { type Table, table, tableProduct, type Weights } from "./linear.ts";
import type { WeightReader } from "./weights.ts";

type DecoderContext = LayerContext & DecoderGraph;

async function selfAttention(place: DecoderContext, number: number, input: string, size: number): Promise<string> {
  const { graph, weights, name, tensor, shape } = place;
  const normalised = await normalise(
    { graph, weights, name: `${name}.in`, tensor: `${tensor}_layer_norm` },
    input,
    size,
  );
  const attention = await weights.attention(tensor, size, shape.headSize);
  const parts = await queryKeyValue(place, normalised, attention, FLAT_SHAPE);
  return projectAndAdd(place, input, addSelfAttention(place, number, name, parts), attention);
}

/** @param chosen  alignment heads of this layer */
async function crossAttention(
  place: DecoderContext,
  number: number,
  { input, size, chosen }: { input: string; size: number; chosen: readonly number[] },
): Promise<string> {
  const { graph, weights, name, tensor, shape } = place;
  const normalised = await normalise(
    { graph, weights, name: `${name}.in`, tensor: `${tensor}_layer_norm` },
    input,
    size,
  );
  const attention = await weights.attention(tensor, size, shape.headSize);
  const linear = { weights: attention.query, bias: attention.queryBias };
  const query = await affine(graph, normalised, `${name}.query`, linear);
  return projectAndAdd(place, input, addCrossAttention(place, number, name, { query, chosen }), attention);
}

/** Embeds tokens and adds their positions: [sequences * tokens, size]. */
async function embed(
  graph: GraphBuilder,
  { mostTokens }: WhisperConfig,
  weights: WeightReader,
  { name, scales, inputs: size }: Table,
): Promise<string> {
  graph.add("Gather", [name, "tokens"], "embedded.rounded");
  graph.cast("embedded.rounded", ELEMENT.float, "embedded.float");
  graph.add("Gather", [scales, "tokens"], "embedded.scales");
  graph.add("Unsqueeze", ["embedded.scales", graph.integers(-1)], "embedded.scales.each");
  graph.add("Mul", ["embedded.float", "embedded.scales.each"], "embedded");
  const positions = await weights.read("model.decoder.embed_positions.weight", [mostTokens, size]);
  await graph.constant("places", [mostTokens, size], positions);
  graph.add("Gather", ["places", "positions"], "placed");
  graph.add("Add", ["embedded", "placed"], "begun");
  return graph.add("Reshape", ["begun", graph.integers(-1, size)], "begun.rows");
}

const isSame = (left: Float32Array, right: Float32Array) => left.every((value, at) => value === right[at]);

/** Most checkpoints use the embedding table for the output projection. */
async function projection(
  graph: GraphBuilder,
  weights: WeightReader,
  embedding: Weights,
  shared: Table,
): Promise<Table> {
  if (!weights.has("proj_out.weight")) return shared;
  const own = await weights.matrix("proj_out", embedding.outputs, embedding.inputs);
  return isSame(own.values, embedding.values) ? shared : table(graph, "projection", own);
}

/**
 * With the inputs and outputs of `speech/onnx/decoder-nodes.ts`; attention is summed over the alignment heads if they are
 * known.
 */
export async function writeDecoder(
  graph: GraphBuilder,
  config: WhisperConfig,
  weights: WeightReader,
  { heads, areHeadsKnown, slots }: { heads: readonly [number, number][]; areHeadsKnown: boolean; slots: number },
  progress: (share: number) => void,
): Promise<void> {
  const { hiddenSize: size, decoderLayers, decoderFeedForward, vocabularySize } = config;
  const decoder: DecoderGraph = { graph, shape: decoderShape(config), slots };
  addDecoderInputs(decoder);
  const embedding = await weights.matrix("model.decoder.embed_tokens", vocabularySize, size);
  const vocabulary = await table(graph, "vocabulary", embedding);
  const projected = await projection(graph, weights, embedding, vocabulary);
  let last = await embed(graph, config, weights, vocabulary);
  for (let number = 0; number < decoderLayers; number++) {
    const tensor = `model.decoder.layers.${number}`;
    const place = (name: string, part: string): DecoderContext => ({
      ...decoder,
      weights,
      name: `layer.${number}.${name}`,
      tensor: `${tensor}${part}`,
    });
    last = await selfAttention(place("self", ".self_attn"), number, last, size);
    const chosen = headsIn(heads, number);
    last = await crossAttention(place("cross", ".encoder_attn"), number, { input: last, size, chosen });
    last = await feedForward(place("forward", ""), last, size, decoderFeedForward);
    progress((number + 1) / (decoderLayers + 1));
  }
  const norm = { graph, weights, name: "hidden", tensor: "model.decoder.layer_norm" };
  const hidden = await normalise(norm, rowsWithLogits(decoder, last), size);
  tableProduct(graph, hidden, projected, "logits");
  addDecoderOutputs(decoder, { vocabularySize, chosen: heads, areSummed: areHeadsKnown });
  progress(1);
}
