// Moonshine's decoder as a graph of our own on the published weights: one pass over one text or several at once. The
// cross-attention of the heads that follow the speech comes out beside the logits (word times).
import { integerAttribute } from "../../onnx/graph.ts";
import { GraphBuilder } from "../../onnx/graph-builder.ts";
import { type EvenMatrix, type QuantizedMatrix, rowProduct } from "../../onnx/row-product.ts";
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
import { MOST_TOKENS, type MoonshineVariant } from "./config.ts";
import {
  affine,
  mixIn,
  normalise,
  type Place,
  queryKeyValue,
  queryMatrix,
  type Turns,
  turned,
  turns,
} from "./layers.ts";
import type { PublishedWeights } from "./published-weights.ts";

const EMBEDDING = "model.decoder.embed_tokens.weight";
/** Its name here. */
const TABLE = "embedding";

type DecoderPlace = Place & TextPlace;

const layerTensor = (number: number) => `model.decoder.layers.${number}`;
const layerPath = (number: number) => `/model/decoder/layers.${number}`;

async function selfAttention(place: DecoderPlace, number: number, input: string, turning: Turns): Promise<string> {
  const name = `layer.${number}.self`;
  const heard = await normalise(place, input, `${name}.heard`, `${layerTensor(number)}.input_layernorm`);
  const path = `${layerPath(number)}/self_attn`;
  const [query, key, value] = await queryKeyValue(place, heard, { name, path, shape: FLAT_SHAPE });
  const turn = (part: string) => turned(place, part, "positions", turning);
  const attended = ownAttention(place, number, name, [turn(query), turn(key), value]);
  return mixIn(place, input, attended, { name, path });
}

async function crossAttention(place: DecoderPlace, number: number, input: string): Promise<string> {
  const name = `layer.${number}.cross`;
  const heard = await normalise(place, input, `${name}.heard`, `${layerTensor(number)}.post_attention_layernorm`);
  const path = `${layerPath(number)}/encoder_attn`;
  const query = await rowProduct(place.graph, heard, queryMatrix(place, path), `${name}.query`);
  const chosen = headsIn(place.variant.alignmentHeads, number);
  const attended = audioAttention(place, number, name, { query, chosen });
  return mixIn(place, input, attended, { name, path });
}

async function feedForward(place: Place, number: number, input: string): Promise<string> {
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
async function embed({ graph }: Place, { values, inputs, outputs, scale, zeroPoint }: EvenMatrix) {
  const table = await graph.constant(TABLE, [inputs, outputs], values);
  graph.add("Reshape", ["tokens", graph.integers(-1)], "tokens.flat");
  graph.add("Gather", [table, "tokens.flat"], "embedded.rounded");
  return graph.add(
    "DequantizeLinear",
    ["embedded.rounded", graph.scalar(scale), graph.byte(zeroPoint, values instanceof Int8Array)],
    "embedded",
  );
}

/** The embedding's table with rows and columns exchanged. */
function turnedTable({ inputs, outputs, ...table }: QuantizedMatrix): QuantizedMatrix {
  const layout = { dimensions: [inputs, outputs], order: [1, 0] };
  return { ...table, inputs: outputs, outputs: inputs, layout, name: TABLE };
}

/**
 * @param slots  how many texts a pass goes on with at most
 * @returns model with the inputs and outputs of `onnx/text-nodes.ts`; attention is the sum over the heads that follow the speech
 */
export async function buildDecoderGraph(
  weights: PublishedWeights,
  variant: MoonshineVariant,
  slots: number,
): Promise<Uint8Array> {
  const graph = new GraphBuilder("decoder");
  const place: DecoderPlace = { graph, weights, variant, shape: variant, slots };
  textInputs(place);
  const vocabulary = weights.table(EMBEDDING);
  const turning = await turns(place, "/model/decoder/rotary_emb/Cast_1_output_0", MOST_TOKENS);
  let last = await embed(place, vocabulary);
  for (let number = 0; number < variant.layers; number++) {
    last = await selfAttention(place, number, last, turning);
    last = await crossAttention(place, number, last);
    last = await feedForward(place, number, last);
  }
  const hidden = await normalise(place, answeredRows(place, last), "hidden", "model.decoder.norm");
  await rowProduct(graph, hidden, turnedTable(vocabulary), "logits");
  const { alignmentHeads: chosen } = variant;
  textOutputs(place, { vocabularySize: vocabulary.inputs, chosen, areSummed: true });
  return graph.build();
}
