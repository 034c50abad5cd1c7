// Layer parts shared by encoder and decoder. Activations are rows [rows, hiddenSize].
import { floatAttribute, integerAttribute } from "../../onnx/graph.ts";
import { type GraphBuilder, MICROSOFT } from "../../onnx/graph-builder.ts";
import { BELOW_GELU, type StepsBelow } from "../../onnx/row-product.ts";
import { product, type Weights } from "./linear.ts";
import type { AttentionWeights, WeightReader } from "./weights.ts";

const EPSILON = 1e-5;

/**
 * Part of a graph under construction: names of its tensors begin with `name`, those of the checkpoint with `tensor`.
 */
export interface LayerContext {
  graph: GraphBuilder;
  weights: WeightReader;
  name: string;
  tensor: string;
}

export async function normalise(
  { graph, weights, name, tensor }: LayerContext,
  input: string,
  size: number,
): Promise<string> {
  const scale = await graph.constant(`${name}.scale`, [size], await weights.read(`${tensor}.weight`, [size]));
  const bias = await graph.constant(`${name}.bias`, [size], await weights.read(`${tensor}.bias`, [size]));
  return graph.add("LayerNormalization", [input, scale, bias], name, [floatAttribute("epsilon", EPSILON)]);
}

/** A matrix and its bias. */
export interface Linear {
  weights: Weights;
  bias: Float32Array;
  /** Quantisation steps of its inputs below zero, if they are not symmetric. */
  below?: StepsBelow;
}

/** input [rows, inputs] → input times weights, plus bias. @returns name of the output */
export async function affine(graph: GraphBuilder, input: string, name: string, linear: Linear): Promise<string> {
  const { weights, bias, below } = linear;
  const without = await product(graph, input, weights, `${name}.product`, below);
  return graph.add("Add", [without, await graph.constant(`${name}.bias`, [bias.length], bias)], name);
}

/**
 * Queries (with their bias), keys and values of one self-attention.
 * @param shape  name of the shape [.., .., hiddenSize] for each of them
 * @returns their names
 */
export async function queryKeyValue(
  { graph, name }: LayerContext,
  input: string,
  { queryKeyValue: weights, queryBias }: AttentionWeights,
  shape: string,
): Promise<[query: string, key: string, value: string]> {
  const size = weights.inputs;
  const all = await product(graph, input, weights, `${name}.projected`);
  const parts = ["query", "key", "value"].map((part) => `${name}.${part}.flat`);
  graph.addMany("Split", [all, graph.integers(size, size, size)], parts, [integerAttribute("axis", 1)]);
  const bias = await graph.constant(`${name}.query_bias`, [size], queryBias);
  const biased = graph.add("Add", [parts[0] as string, bias], `${name}.query.biased`);
  const [query, key, value] = [biased, ...parts.slice(1)].map((part) =>
    graph.add("Reshape", [part, shape], `${part}.shaped`),
  ) as [string, string, string];
  return [query, key, value];
}

/** Projects the attended rows and adds the input. @returns name of the sum */
export async function projectAndAdd(
  { graph, name }: LayerContext,
  input: string,
  attended: string,
  attention: AttentionWeights,
) {
  const linear = { weights: attention.out, bias: attention.outBias };
  return graph.add("Add", [input, await affine(graph, attended, `${name}.mixed`, linear)], `${name}.out`);
}

/** The feed-forward part of a layer, with its input added. @returns name of the sum */
export async function feedForward(place: LayerContext, input: string, size: number, wideSize: number): Promise<string> {
  const { graph, weights, name, tensor } = place;
  const norm = { ...place, name: `${name}.in`, tensor: `${tensor}.final_layer_norm` };
  const ready = await normalise(norm, input, size);
  const wide = await product(graph, ready, await weights.matrix(`${tensor}.fc1`, wideSize, size), `${name}.wide`);
  const wideBias = await weights.read(`${tensor}.fc1.bias`, [wideSize]);
  const bias = await graph.constant(`${name}.wide_bias`, [wideSize], wideBias);
  graph.add("BiasGelu", [wide, bias], `${name}.active`, [], MICROSOFT);
  const narrow = await affine(graph, `${name}.active`, `${name}.narrow`, {
    weights: await weights.matrix(`${tensor}.fc2`, size, wideSize),
    bias: await weights.read(`${tensor}.fc2.bias`, [size]),
    below: BELOW_GELU,
  });
  return graph.add("Add", [input, narrow], `${name}.out`);
}
