// What layers of encoder and decoder are made of alike. Activations are rows [rows, hiddenSize].
import { floatAttribute, integerAttribute } from "../../onnx/graph.ts";
import { type GraphBuilder, MICROSOFT } from "../../onnx/graph-builder.ts";
import { type QuantizedMatrix, rowProduct, type StepsBelow } from "../../onnx/row-product.ts";
import type { MoonshineVariant } from "./config.ts";
import type { PublishedWeights } from "./published-weights.ts";

const EPSILON = 1e-5;

/** Where a graph is written, and from what. */
export interface Place {
  graph: GraphBuilder;
  weights: PublishedWeights;
  variant: MoonshineVariant;
}

/** @param tensor  name of its weights */
export async function normalise({ graph, weights, variant }: Place, input: string, output: string, tensor: string) {
  const scale = await graph.constant(
    `${output}.scale`,
    [variant.hiddenSize],
    weights.floats(`${tensor}.weight`, variant.hiddenSize),
  );
  return graph.add("LayerNormalization", [input, scale], output, [floatAttribute("epsilon", EPSILON)]);
}

/** A matrix, and the name of its bias. */
export interface Linear {
  matrix: QuantizedMatrix;
  bias: string;
  /** Of its inputs, where they are not spread about zero. */
  below?: StepsBelow;
}

/** @returns names of the product without its bias, and of the bias */
async function productAndBias({ graph, weights }: Place, input: string, output: string, linear: Linear) {
  const { matrix, bias, below } = linear;
  const product = await rowProduct(graph, input, matrix, `${output}.product`, below);
  return [product, await graph.constant(`${output}.bias`, [matrix.outputs], weights.floats(bias, matrix.outputs))];
}

/** The product with a bias. */
export async function affine(place: Place, input: string, output: string, linear: Linear): Promise<string> {
  return place.graph.add("Add", await productAndBias(place, input, output, linear), output);
}

/** The same with the encoder's activation behind it. */
export async function activated(place: Place, input: string, output: string, linear: Linear): Promise<string> {
  return place.graph.add("BiasGelu", await productAndBias(place, input, output, linear), output, [], MICROSOFT);
}

/**
 * Queries, keys and values of one self-attention.
 * @param path   of its projections
 * @param shape  name of [batch, length, hiddenSize]
 * @returns their names, each of that shape
 */
export async function queryKeyValue(
  place: Place,
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

/** A projection to queries, which carry the scale of what they are held against. */
export function queryMatrix({ weights, variant }: Place, path: string): QuantizedMatrix {
  const matrix = weights.matrix(`${path}/q_proj`);
  const factor = variant.headSize ** -0.5;
  const { scale } = matrix;
  return { ...matrix, scale: typeof scale === "number" ? scale * factor : scale.map((one) => one * factor) };
}

/** Rows of what was attended to, mixed and added to the input. @returns name of the sum */
export async function mixIn(
  place: Place,
  input: string,
  attended: string,
  { name, path }: { name: string; path: string },
): Promise<string> {
  const { graph, weights } = place;
  const dense = weights.matrix(`${path}/dense`);
  return graph.add("Add", [input, await rowProduct(graph, attended, dense, `${name}.mixed`)], `${name}.out`);
}

/** How far each place turns the pairs of a head: cosines and sines [places, pairs]. */
export async function turns({ graph, weights }: Place, frequencies: string, places: number) {
  const speeds = weights.floats(frequencies);
  const table = (wave: (angle: number) => number) =>
    Float32Array.from({ length: places * speeds.length }, (_, at) =>
      wave(Math.floor(at / speeds.length) * (speeds[at % speeds.length] as number)),
    );
  const shape = [places, speeds.length];
  return {
    cosines: await graph.constant("cosines", shape, table(Math.cos)),
    sines: await graph.constant("sines", shape, table(Math.sin)),
    size: 2 * speeds.length,
  };
}

export type Turns = Awaited<ReturnType<typeof turns>>;

/** input [batch, length, hiddenSize], turned by its positions [batch, length]. */
export function turned(
  { graph, variant }: Place,
  input: string,
  positions: string,
  { cosines, sines, size }: Turns,
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
