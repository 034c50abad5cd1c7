// Layer parts shared by encoder and decoder. Activations are rows [rows, hiddenSize].
import { floatAttribute, integerAttribute } from "../../onnx/graph.ts";
import { type GraphBuilder, MICROSOFT } from "../../onnx/graph-builder.ts";
import { type QuantizedMatrix, rowProduct, type StepsBelow } from "../../onnx/row-product.ts";
import type { MoonshineVariant } from "./config.ts";
import type { PublishedWeights } from "./published-weights.ts";

const EPSILON = 1e-5;

/** Graph under construction and the weights it uses. */
export interface LayerContext {
  graph: GraphBuilder;
  weights: PublishedWeights;
  variant: MoonshineVariant;
}

/** @param tensor  name of its weights */
export async function normalise(
  { graph, weights, variant }: LayerContext,
  input: string,
  output: string,
  tensor: string,
) {
  const scale = await graph.constant(
    `${output}.scale`,
    [variant.hiddenSize],
    weights.floats(`${tensor}.weight`, variant.hiddenSize),
  );
  return graph.add("LayerNormalization", [input, scale], output, [floatAttribute("epsilon", EPSILON)]);
}

/** A matrix and the name of its bias. */
export interface Linear {
  matrix: QuantizedMatrix;
  bias: string;
  /** Quantisation steps of its inputs below zero, if they are not symmetric. */
  below?: StepsBelow;
}

/** @returns names of the product without its bias, and of the bias */
async function productAndBias({ graph, weights }: LayerContext, input: string, output: string, linear: Linear) {
  const { matrix, bias, below } = linear;
  const product = await rowProduct(graph, input, matrix, `${output}.product`, below);
  return [product, await graph.constant(`${output}.bias`, [matrix.outputs], weights.floats(bias, matrix.outputs))];
}

/** Matrix product with a bias. */
export async function affine(place: LayerContext, input: string, output: string, linear: Linear): Promise<string> {
  return place.graph.add("Add", await productAndBias(place, input, output, linear), output);
}

/** The same followed by the encoder's activation. */
export async function activated(place: LayerContext, input: string, output: string, linear: Linear): Promise<string> {
  return place.graph.add("BiasGelu", await productAndBias(place, input, output, linear), output, [], MICROSOFT);
}

/**
 * Queries, keys and values of one self-attention.
 * @param path   of its projections
 * @param shape  name of [batch, length, hiddenSize]
 * @returns their names, each of that shape
 */
export async function queryKeyValue(
  place: LayerContext,
  input: string,
  { name, path, shape }: { name: string; path: string; shape: string },
): Promise<[query: string, key: string, value: string]> {
  const { graph, weights } = place;
  const project = async (part: string, matrix: QuantizedMatrix) => {
    const flat = await rowProduct(graph, input, matrix, `${name}.${part}.flat`);
    return graph.add("Reshape", [flat, shape], `${name}.${part}`);
  };
  return [
    await project("query", queryMatrix(place, path)),
    await project("key", weights.matrix(`${path}/k_proj`)),
    await project("value", weights.matrix(`${path}/v_proj`)),
  ];
}

/** The query projection, including the scale of the attention scores. */
export function queryMatrix({ weights, variant }: LayerContext, path: string): QuantizedMatrix {
  const matrix = weights.matrix(`${path}/q_proj`);
  const factor = variant.headSize ** -0.5;
  const { scale } = matrix;
  return { ...matrix, scale: typeof scale === "number" ? scale * factor : scale.map((one) => one * factor) };
}

/** Projects the attended rows and adds the input. @returns name of the sum */
export async function projectAndAdd(
  place: LayerContext,
  input: string,
  attended: string,
  { name, path }: { name: string; path: string },
): Promise<string> {
  const { graph, weights } = place;
  const dense = weights.matrix(`${path}/dense`);
  return graph.add("Add", [input, await rowProduct(graph, attended, dense, `${name}.mixed`)], `${name}.out`);
}

/** Rotary position embedding: cosines and sines [positions, pairs]. */
export async function rotaryTables({ graph, weights }: LayerContext, frequencies: string, places: number) {
  const frequenciesValues = weights.floats(frequencies);
  const table = (wave: (angle: number) => number) =>
    Float32Array.from({ length: places * frequenciesValues.length }, (_, at) =>
      wave(Math.floor(at / frequenciesValues.length) * (frequenciesValues[at % frequenciesValues.length] as number)),
    );
  const shape = [places, frequenciesValues.length];
  return {
    cosines: await graph.constant("cosines", shape, table(Math.cos)),
    sines: await graph.constant("sines", shape, table(Math.sin)),
    size: 2 * frequenciesValues.length,
  };
}

export type RotaryTables = Awaited<ReturnType<typeof rotaryTables>>;

/** Rotates input [batch, length, hiddenSize] by its positions [batch, length]. */
export function rotated(
  { graph, variant }: LayerContext,
  input: string,
  positions: string,
  { cosines, sines, size }: RotaryTables,
): string {
  return graph.add(
    "RotaryEmbedding",
    [input, positions, cosines, sines],
    `${input}.turned`,
    [
      integerAttribute("interleaved", 1),
      integerAttribute("num_heads", variant.heads),
      integerAttribute("rotary_embedding_dim", size),
    ],
    MICROSOFT,
  );
}
