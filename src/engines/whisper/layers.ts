// What layers of encoder and decoder are made of alike.
import { floatAttribute, integerAttribute } from "../../onnx/graph.ts";
import { type GraphBuilder, MICROSOFT } from "../../onnx/graph-builder.ts";
import { type Precision, product, type Weights } from "./linear.ts";
import type { AttentionWeights, WeightReader } from "./weights.ts";

const EPSILON = 1e-5;

/** Where a part of a graph is written: names of its tensors begin with `name`, those of the checkpoint with `tensor`. */
export interface Place {
  graph: GraphBuilder;
  weights: WeightReader;
  name: string;
  tensor: string;
  precision: Precision;
}

export async function normalise(
  { graph, weights, name, tensor }: Omit<Place, "precision">,
  input: string,
  size: number,
): Promise<string> {
  const scale = await graph.constant(`${name}.scale`, [size], await weights.read(`${tensor}.weight`, [size]));
  const bias = await graph.constant(`${name}.bias`, [size], await weights.read(`${tensor}.bias`, [size]));
  return graph.add("LayerNormalization", [input, scale, bias], name, [floatAttribute("epsilon", EPSILON)]);
}

/** input [..., inputs] → input times weights, plus bias. @returns name of the output */
export async function affine(
  { graph, name, precision }: Pick<Place, "graph" | "name" | "precision">,
  input: string,
  weights: Weights,
  bias: Float32Array,
): Promise<string> {
  const without = await product(graph, input, weights, `${name}.product`, precision);
  const constant = await graph.constant(`${name}.bias`, [bias.length], bias);
  return graph.add("Add", [without, constant], name);
}

/** Queries (with their bias), keys and values of one self-attention. @returns their names */
export async function queryKeyValue(
  { graph, name, precision }: Place,
  input: string,
  attention: AttentionWeights,
): Promise<[query: string, key: string, value: string]> {
  const { queryKeyValue: weights, queryBias } = attention;
  const size = weights.inputs;
  const all = await product(graph, input, weights, `${name}.projected`, precision);
  const parts = ["query", "key", "value"].map((part) => `${name}.${part}`) as [string, string, string];
  graph.addMany("Split", [all, graph.integers(size, size, size)], parts, [integerAttribute("axis", 2)]);
  const bias = await graph.constant(`${name}.query_bias`, [size], queryBias);
  return [graph.add("Add", [parts[0], bias], `${name}.query.biased`), parts[1], parts[2]];
}

/** What comes out of an attention is mixed and added to its input. @returns name of the sum */
export async function mixIn(place: Place, input: string, attended: string, attention: AttentionWeights) {
  const mixed = await affine({ ...place, name: `${place.name}.mixed` }, attended, attention.out, attention.outBias);
  return place.graph.add("Add", [input, mixed], `${place.name}.out`);
}

/** The feed-forward part of a layer, with its input added. @returns name of the sum */
export async function feedForward(place: Place, input: string, size: number, wideSize: number): Promise<string> {
  const { graph, weights, name, tensor, precision } = place;
  const ready = await normalise(
    { graph, weights, name: `${name}.in`, tensor: `${tensor}.final_layer_norm` },
    input,
    size,
  );
  const wide = await product(
    graph,
    ready,
    await weights.matrix(`${tensor}.fc1`, wideSize, size),
    `${name}.wide`,
    precision,
  );
  const wideBias = await weights.read(`${tensor}.fc1.bias`, [wideSize]);
  const bias = await graph.constant(`${name}.wide_bias`, [wideSize], wideBias);
  graph.add("BiasGelu", [wide, bias], `${name}.active`, [], MICROSOFT);
  const narrow = await affine(
    { ...place, name: `${name}.narrow` },
    `${name}.active`,
    await weights.matrix(`${tensor}.fc2`, size, wideSize),
    await weights.read(`${tensor}.fc2.bias`, [size]),
  );
  return graph.add("Add", [input, narrow], `${name}.out`);
}
