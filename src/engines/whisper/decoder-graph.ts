// Whisper's decoder as a graph of our own: one pass over one text or several at once. The cross-attention of the heads that
// follow the speech comes out beside the logits (word times).
import { ELEMENT, integerAttribute } from "../../onnx/graph.ts";
import type { GraphBuilder } from "../../onnx/graph-builder.ts";
import {
  answeredRows,
  audioAttention,
  FLAT_SHAPE,
  headsIn,
  ownAttention,
  type TextPlace,
  textInputs,
  textOutputs,
} from "../../onnx/text-nodes.ts";
import { textShape, type WhisperConfig } from "./config.ts";
import { affine, feedForward, mixIn, normalise, type Place, queryKeyValue } from "./layers.ts";
import { type Table, table, tableProduct, type Weights } from "./linear.ts";
import type { WeightReader } from "./weights.ts";

type DecoderPlace = Place & TextPlace;

async function selfAttention(place: DecoderPlace, number: number, input: string, size: number): Promise<string> {
  const { graph, weights, name, tensor, shape } = place;
  const heard = await normalise({ graph, weights, name: `${name}.in`, tensor: `${tensor}_layer_norm` }, input, size);
  const attention = await weights.attention(tensor, size, shape.headSize);
  const parts = await queryKeyValue(place, heard, attention, FLAT_SHAPE);
  return mixIn(place, input, ownAttention(place, number, name, parts), attention);
}

/** @param chosen  heads of this layer that follow the speech */
async function crossAttention(
  place: DecoderPlace,
  number: number,
  { input, size, chosen }: { input: string; size: number; chosen: readonly number[] },
): Promise<string> {
  const { graph, weights, name, tensor, shape } = place;
  const heard = await normalise({ graph, weights, name: `${name}.in`, tensor: `${tensor}_layer_norm` }, input, size);
  const attention = await weights.attention(tensor, size, shape.headSize);
  const linear = { weights: attention.query, bias: attention.queryBias };
  const query = await affine(graph, heard, `${name}.query`, linear);
  return mixIn(place, input, audioAttention(place, number, name, { query, chosen }), attention);
}

/** Rows of the vocabulary for tokens, with their positions: [texts * tokens, size]. */
async function embed(
  graph: GraphBuilder,
  { mostTokens }: WhisperConfig,
  weights: WeightReader,
  { name, scales, inputs: size }: Table,
): Promise<string> {
  graph.add("Gather", [name, "tokens"], "embedded.rounded");
  graph.add("Cast", ["embedded.rounded"], "embedded.float", [integerAttribute("to", ELEMENT.float)]);
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

/** Most checkpoints project to the vocabulary with the rows that embed it. */
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

/** With the inputs and outputs of `onnx/text-nodes.ts`; attention is a sum over the heads where they are known. */
export async function writeDecoder(
  graph: GraphBuilder,
  config: WhisperConfig,
  weights: WeightReader,
  { heads, areHeadsKnown, slots }: { heads: readonly [number, number][]; areHeadsKnown: boolean; slots: number },
  progress: (share: number) => void,
): Promise<void> {
  const { hiddenSize: size, decoderLayers, decoderFeedForward, vocabularySize } = config;
  const texts: TextPlace = { graph, shape: textShape(config), slots };
  textInputs(texts);
  const embedding = await weights.matrix("model.decoder.embed_tokens", vocabularySize, size);
  const vocabulary = await table(graph, "vocabulary", embedding);
  const projected = await projection(graph, weights, embedding, vocabulary);
  let last = await embed(graph, config, weights, vocabulary);
  for (let number = 0; number < decoderLayers; number++) {
    const tensor = `model.decoder.layers.${number}`;
    const place = (name: string, part: string): DecoderPlace => ({
      ...texts,
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
  const hidden = await normalise(norm, answeredRows(texts, last), size);
  tableProduct(graph, hidden, projected, "logits");
  textOutputs(texts, { vocabularySize, chosen: heads, areSummed: areHeadsKnown });
  progress(1);
}
