// Moonshine's decoder as a graph of our own on the published weights: one pass over one text or several at once. All texts go
// through the weights together; each attends to its own audio, so that what is heard does not depend on the others. The
// cross-attention of the heads that follow the speech comes out beside the logits (word times).
import { ELEMENT, integerAttribute } from "../../onnx/graph.ts";
import { EVERYTHING, GraphBuilder } from "../../onnx/graph-builder.ts";
import { type EvenMatrix, type QuantizedMatrix, rowProduct } from "../../onnx/row-product.ts";
import { cacheNames, crossNames, MOST_TOKENS, type MoonshineVariant } from "./config.ts";
import {
  affine,
  inHeads,
  mixIn,
  normalise,
  type Place,
  queryKeyValue,
  queryMatrix,
  scores,
  type Turns,
  turned,
  turns,
} from "./layers.ts";
import type { PublishedWeights } from "./published-weights.ts";

const EMBEDDING = "model.decoder.embed_tokens.weight";
/** Its name here. */
const TABLE = "embedding";
/** Of [1, heads, tokens, frames]. */
const FRAME_AXIS = 3;

/** Name of a text's attention [1, tokens, frames]: the sum over the heads that follow the speech. */
export const attentionName = (slot: number) => `attention.${slot}`;
/** Name of one of the tensors that a text's audio became. */
export const slotName = (slot: number, cross: string) => `${slot}.${cross}`;

/** Shapes [texts, tokens, hiddenSize] and [texts, tokens, heads, headSize]. */
const FLAT_SHAPE = "shape.flat";
const HEADS_SHAPE = "shape.heads";

interface DecoderPlace extends Place {
  slots: number;
}

const layerTensor = (number: number) => `model.decoder.layers.${number}`;
const layerPath = (number: number) => `/model/decoder/layers.${number}`;

async function selfAttention(place: DecoderPlace, number: number, input: string, turning: Turns): Promise<string> {
  const { graph, variant } = place;
  const name = `layer.${number}.self`;
  const heard = await normalise(place, input, `${name}.heard`, `${layerTensor(number)}.input_layernorm`);
  const path = `${layerPath(number)}/self_attn`;
  const parts = await queryKeyValue(place, heard, { name, path, shape: FLAT_SHAPE });
  const query = inHeads(place, turned(place, parts[0], "positions", turning), HEADS_SHAPE);
  const [pastKey, pastValue] = cacheNames(variant, "past").slice(2 * number) as [string, string];
  const [newKey, newValue] = cacheNames(variant, "new").slice(2 * number) as [string, string];
  inHeads(place, turned(place, parts[1], "positions", turning), HEADS_SHAPE, newKey);
  inHeads(place, parts[2], HEADS_SHAPE, newValue);
  const fits = [newKey, pastKey].map((key, at) => scores(place, query, key, `${name}.scores.${at}`));
  graph.add("Concat", fits, `${name}.scores`, [integerAttribute("axis", FRAME_AXIS)]);
  graph.add("Add", [`${name}.scores`, "mask"], `${name}.masked`);
  graph.add("Softmax", [`${name}.masked`], `${name}.shares`, [integerAttribute("axis", FRAME_AXIS)]);
  const shares = [`${name}.shares.new`, `${name}.shares.past`] as const;
  graph.addMany("Split", [`${name}.shares`, "lengths"], [...shares], [integerAttribute("axis", FRAME_AXIS)]);
  const attended = graph.add(
    "Add",
    [
      graph.add("MatMul", [shares[0], newValue], `${name}.attended.new`),
      graph.add("MatMul", [shares[1], pastValue], `${name}.attended.past`),
    ],
    `${name}.attended`,
  );
  return mixIn(place, input, attended, { name, path });
}

async function crossAttention(place: DecoderPlace, number: number, input: string): Promise<string> {
  const { graph, variant, slots } = place;
  const name = `layer.${number}.cross`;
  const heard = await normalise(place, input, `${name}.heard`, `${layerTensor(number)}.post_attention_layernorm`);
  const path = `${layerPath(number)}/encoder_attn`;
  const flat = await rowProduct(graph, heard, queryMatrix(place, path), `${name}.query`);
  const query = inHeads(place, flat, HEADS_SHAPE);
  const queries = Array.from({ length: slots }, (_, slot) => `${name}.query.${slot}`);
  if (slots === 1) queries[0] = query;
  else graph.addMany("Split", [query, "taken"], queries, [integerAttribute("axis", 0)]);
  const [key, value] = crossNames(variant).slice(2 * number) as [string, string];
  const heads = variant.alignmentHeads.filter(([layer]) => layer === number).map(([, head]) => head);
  const attended = queries.map((own, slot) => {
    const text = `${name}.${slot}`;
    scores(place, own, slotName(slot, key), `${text}.scores`);
    graph.add("Softmax", [`${text}.scores`], `${text}.shares`, [integerAttribute("axis", FRAME_AXIS)]);
    if (heads.length > 0) {
      const chosen = [`${text}.shares`, graph.integers(...heads)];
      graph.add("Gather", chosen, `${attentionName(slot)}.${number}`, [integerAttribute("axis", 1)]);
    }
    return graph.add("MatMul", [`${text}.shares`, slotName(slot, value)], `${text}.attended`);
  });
  const together =
    slots === 1
      ? (attended[0] as string)
      : graph.add("Concat", attended, `${name}.attended`, [integerAttribute("axis", 0)]);
  return mixIn(place, input, together, { name, path });
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
 * @returns model with inputs tokens [texts, t] and their positions, mask [texts, 1, t, t + p] (what each attends to: the
 *          new tokens, then those before them), lengths [2] (t and p), unanswered [1] (so many of the first rows get no
 *          logits), the tensors "past" [texts, heads, p, headSize], for each slot the tensors of its audio
 *          [taken, heads, frames, headSize], and with several slots taken [slots] (1 for the first ones, as many as there
 *          are texts, 0 for the others); outputs logits [texts * t - unanswered, vocabulary], the tensors "new"
 *          [texts, heads, t, headSize], and for each slot its attention [taken, t, frames]
 */
export async function buildDecoderGraph(
  weights: PublishedWeights,
  variant: MoonshineVariant,
  slots: number,
): Promise<Uint8Array> {
  const { heads, headSize, hiddenSize } = variant;
  const graph = new GraphBuilder("decoder");
  const place: DecoderPlace = { graph, weights, variant, slots };
  graph.input("tokens", ELEMENT.int64, ["texts", "tokens"]);
  graph.input("positions", ELEMENT.int64, ["texts", "tokens"]);
  graph.input("mask", ELEMENT.float, ["texts", 1, "tokens", "all"]);
  graph.input("lengths", ELEMENT.int64, [2]);
  graph.input("unanswered", ELEMENT.int64, [1]);
  if (slots > 1) graph.input("taken", ELEMENT.int64, [slots]);
  for (const name of cacheNames(variant, "past")) graph.input(name, ELEMENT.float, ["texts", heads, "past", headSize]);
  for (let slot = 0; slot < slots; slot++) {
    for (const name of crossNames(variant)) {
      graph.input(slotName(slot, name), ELEMENT.float, [`taken.${slot}`, heads, `frames.${slot}`, headSize]);
    }
  }
  graph.add("Shape", ["tokens"], "shape");
  graph.add("Concat", ["shape", graph.integers(hiddenSize)], FLAT_SHAPE, [integerAttribute("axis", 0)]);
  graph.add("Concat", ["shape", graph.integers(heads, headSize)], HEADS_SHAPE, [integerAttribute("axis", 0)]);
  const vocabulary = weights.table(EMBEDDING);
  const turning = await turns(place, "/model/decoder/rotary_emb/Cast_1_output_0", MOST_TOKENS);
  let last = await embed(place, vocabulary);
  for (let number = 0; number < variant.layers; number++) {
    last = await selfAttention(place, number, last, turning);
    last = await crossAttention(place, number, last);
    last = await feedForward(place, number, last);
  }
  const answered = ["unanswered", graph.integers(EVERYTHING), graph.integers(0)];
  last = graph.add("Slice", [last, ...answered], "answered");
  const hidden = await normalise(place, last, "hidden", "model.decoder.norm");
  await rowProduct(graph, hidden, turnedTable(vocabulary), "logits");
  graph.output("logits", ["rows", vocabulary.inputs]);
  for (const name of cacheNames(variant, "new")) graph.output(name, ["texts", heads, "tokens", headSize]);
  const layers = [...new Set(variant.alignmentHeads.map(([layer]) => layer))];
  for (let slot = 0; slot < slots; slot++) {
    const name = attentionName(slot);
    graph.add(
      "Concat",
      layers.map((layer) => `${name}.${layer}`),
      `${name}.all`,
      [integerAttribute("axis", 1)],
    );
    graph.add("ReduceSum", [`${name}.all`, graph.integers(1)], name, [integerAttribute("keepdims", 0)]);
    graph.output(name, [`taken.${slot}`, "tokens", `frames.${slot}`]);
  }
  return graph.build();
}
