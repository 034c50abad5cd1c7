// What layers of encoder and decoder are made of alike. Activations are rows [rows, hiddenSize].
import { floatAttribute, integerAttribute, integersAttribute } from "../../onnx/graph.ts";
import { type GraphBuilder, MICROSOFT } from "../../onnx/graph-builder.ts";
import { type QuantizedMatrix, rowProduct } from "../../onnx/row-product.ts";
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

/** The product with a bias. */
export async function affine(
  { graph, weights }: Place,
  input: string,
  output: string,
  { matrix, bias }: { matrix: QuantizedMatrix; bias: string },
): Promise<string> {
  const without = await rowProduct(graph, input, [matrix], `${output}.product`);
  const constant = await graph.constant(`${output}.bias`, [matrix.outputs], weights.floats(bias, matrix.outputs));
  return graph.add("Add", [without, constant], output);
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

/** [batch * length, hiddenSize] or [batch, length, hiddenSize] → [batch, heads, length, headSize] */
export function inHeads({ graph, variant }: Place, input: string, batch: number, output = `${input}.heads`): string {
  graph.add("Reshape", [input, graph.integers(batch, -1, variant.heads, variant.headSize)], `${output}.split`);
  return graph.add("Transpose", [`${output}.split`], output, [integersAttribute("perm", [0, 2, 1, 3])]);
}

/** [batch, heads, length, headSize] → [batch * length, hiddenSize] */
export function outOfHeads({ graph, variant }: Place, input: string): string {
  graph.add("Transpose", [input], `${input}.turned_back`, [integersAttribute("perm", [0, 2, 1, 3])]);
  return graph.add("Reshape", [`${input}.turned_back`, graph.integers(-1, variant.hiddenSize)], `${input}.rows`);
}
