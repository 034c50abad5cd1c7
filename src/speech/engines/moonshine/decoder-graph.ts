// Graph of Moonshine's decoder, built from the published weights: one pass over a batch of sequences. Outputs the
// cross-attention of the alignment heads (for word times) besides the logits.

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
import { integerAttribute } from "../../onnx/graph.ts";
import { GraphBuilder } from "../../onnx/graph-builder.ts";
import { type QuantizedMatrix, rowProduct } from "../../onnx/row-product.ts";
import type { QuantizedTable } from "../../onnx/saturation-safe-weights.ts";
import { MOST_TOKENS, type MoonshineVariant } from "./config.ts";
import {
  affine,
  type LayerContext,
  normalise,
  projectAndAdd,
  queryKeyValue,
  queryMatrix,
  type RotaryTables,
  rotaryTables,
  rotated,
} from "./layers.ts";
import type { PublishedWeights } from "./published-weights.ts";

const EMBEDDING = "model.decoder.embed_tokens.weight";
/** Its name in this graph. */
const TABLE = "embedding";

type DecoderContext = LayerContext & DecoderGraph;

const layerTensor = (number: number) => `model.decoder.layers.${number}`;
const layerPath = (number: number) => `/model/decoder/layers.${number}`;

async function selfAttention(
  place: DecoderContext,
  number: number,
  input: string,
  tables: RotaryTables,
): Promise<string> {
  const name = `layer.${number}.self`;
  const normalised = await normalise(place, input, `${name}.heard`, `${layerTensor(number)}.input_layernorm`);
  const path = `${layerPath(number)}/self_attn`;
  const [query, key, value] = await queryKeyValue(place, normalised, { name, path, shape: FLAT_SHAPE });
  const rotate = (part: string) => rotated(place, part, "positions", tables);
  const attended = addSelfAttention(place, number, name, [rotate(query), rotate(key), value]);
  return projectAndAdd(place, input, attended, { name, path });
}

async function crossAttention(place: DecoderContext, number: number, input: string): Promise<string> {
  const name = `layer.${number}.cross`;
  const normalised = await normalise(place, input, `${name}.heard`, `${layerTensor(number)}.post_attention_layernorm`);
  const path = `${layerPath(number)}/encoder_attn`;
  const query = await rowProduct(place.graph, normalised, queryMatrix(place, path), `${name}.query`);
  const chosen = headsIn(place.variant.alignmentHeads, number);
  const attended = addCrossAttention(place, number, name, { query, chosen });
  return projectAndAdd(place, input, attended, { name, path });
}

async function feedForward(place: LayerContext, number: number, input: string): Promise<string> {
  const { graph, weights } = place;
  const name = `layer.${number}.forward`;
  const path = layerTensor(number);
  const ready = await normalise(place, input, `${name}.ready`, `${path}.final_layernorm`);
  const up = { matrix: weights.matrix(`${layerPath(number)}/mlp/up_proj`), bias: `${path}.mlp.up_proj.bias` };
  const wide = await affine(place, ready, `${name}.wide`, up);
  const half = up.matrix.outputs / 2;
  const parts = [`${name}.content`, `${name}.gate`] as const;
  graph.addMany("Split", [wide, graph.integers(half, half)], [...parts], [integerAttribute("axis", 1)]);
  graph.add("Sigmoid", [parts[1]], `${name}.opening`);
  graph.add("Mul", [parts[1], `${name}.opening`], `${name}.opened`);
  graph.add("Mul", [`${name}.opened`, parts[0]], `${name}.active`);
  const down = { matrix: weights.matrix(`${layerPath(number)}/mlp/down_proj`), bias: `${path}.mlp.down_proj.bias` };
  return graph.add("Add", [input, await affine(place, `${name}.active`, `${name}.narrow`, down)], `${name}.out`);
}

/** tokens → rows [slots * tokens, hiddenSize] */
async function embed({ graph }: LayerContext, { values, rows, size, scales }: QuantizedTable) {
  const table = await graph.constant(TABLE, [rows, size], values);
  const ofRows = await graph.constant(`${TABLE}.scales`, [rows], scales);
  graph.add("Reshape", ["tokens", graph.integers(-1)], "tokens.flat");
  graph.add("Gather", [table, "tokens.flat"], "embedded.rounded");
  graph.add("Gather", [ofRows, "tokens.flat"], "embedded.scales");
  return graph.add("DequantizeLinear", ["embedded.rounded", "embedded.scales"], "embedded", [
    integerAttribute("axis", 0),
  ]);
}

/** The embedding table, transposed. */
function transposedTable({ values, rows, size, scales }: QuantizedTable): QuantizedMatrix {
  const layout = { dimensions: [rows, size], order: [1, 0] };
  return { values, inputs: size, outputs: rows, scale: scales, zeroPoint: 0, layout, name: TABLE };
}

/**
 * @param slots  maximum batch size
 * @returns model with the inputs and outputs of `speech/onnx/decoder-nodes.ts`; attention is the sum over the alignment heads
 */
export async function buildDecoderGraph(
  weights: PublishedWeights,
  variant: MoonshineVariant,
  slots: number,
): Promise<Uint8Array> {
  const graph = new GraphBuilder("decoder");
  const place: DecoderContext = { graph, weights, variant, shape: variant, slots };
  addDecoderInputs(place);
  const vocabulary = weights.table(EMBEDDING);
  const tables = await rotaryTables(place, "/model/decoder/rotary_emb/Cast_1_output_0", MOST_TOKENS);
  let last = await embed(place, vocabulary);
  for (let number = 0; number < variant.layers; number++) {
    last = await selfAttention(place, number, last, tables);
    last = await crossAttention(place, number, last);
    last = await feedForward(place, number, last);
  }
  const hidden = await normalise(place, rowsWithLogits(place, last), "hidden", "model.decoder.norm");
  await rowProduct(graph, hidden, transposedTable(vocabulary), "logits");
  const { alignmentHeads: chosen } = variant;
  addDecoderOutputs(place, { vocabularySize: vocabulary.rows, chosen, areSummed: true });
  return graph.build();
}
