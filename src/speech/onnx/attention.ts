// Graph nodes for attention. Activations are rows [batch * length, heads * headSize].
import { floatAttribute, integerAttribute, integersAttribute } from "./graph.ts";
import { type GraphBuilder, MICROSOFT } from "./graph-builder.ts";

/** Axis of the frames in [1, frames, size]. */
const FRAMES_AXIS = 1;

/**
 * [batch * length, size] or [batch, length, size] → [batch, heads, length, headSize]
 * @param shape  name of [batch, length, heads, headSize]
 */
export function splitHeads(graph: GraphBuilder, input: string, shape: string, output = `${input}.heads`): string {
  graph.add("Reshape", [input, shape], `${output}.split`);
  return graph.add("Transpose", [`${output}.split`], output, [integersAttribute("perm", [0, 2, 1, 3])]);
}

/** [batch, heads, length, headSize] → [batch * length, size] */
export function mergeHeads(graph: GraphBuilder, input: string, size: number): string {
  graph.add("Transpose", [input], `${input}.turned_back`, [integersAttribute("perm", [0, 2, 1, 3])]);
  return graph.add("Reshape", [`${input}.turned_back`, graph.integers(-1, size)], `${input}.rows`);
}

/** Attention scores [batch, heads, queries, keys]. The queries must be scaled already. */
export function attentionScores(graph: GraphBuilder, query: string, key: string, output: string): string {
  // No alpha attribute: with one, a single query takes twice as long.
  return graph.add("FusedMatMul", [query, key], output, [integerAttribute("transB", 1)], MICROSOFT);
}

/** Self-attention of a layer of an encoder. */
export interface EncoderAttention {
  /** Of its tensors. */
  name: string;
  layer: number;
  heads: number;
  /** heads * headSize */
  size: number;
  /** Names of tensors [1, recent, size]. The queries must be scaled already. */
  query: string;
  key: string;
  value: string;
}

/**
 * Attention of the recent frames to the cached and the recent ones. ONNX Runtime computes it in blocks: all scores of 25 s of audio at once
 * would take 35 MB with Moonshine base, and their softmax as much again. Inputs past.LAYER.key and .value [1, past, size] hold the cached
 * frames; outputs settled.LAYER.key and .value [1, settled_frames, size] are the next cache.
 * @returns name of the attended rows [recent, size]
 */
export function cachedSelfAttention(graph: GraphBuilder, attention: EncoderAttention): string {
  const { name, layer, heads, size, query } = attention;
  const keysAndValues = (["key", "value"] as const).map((part) => {
    const whole = `${name}.${part}.all`;
    const axis = integerAttribute("axis", FRAMES_AXIS);
    graph.add("Concat", [`past.${layer}.${part}`, attention[part]], whole, [axis]);
    const ends = [graph.integers(0), "settled_frames", graph.integers(FRAMES_AXIS)];
    graph.add("Slice", [whole, ...ends], `settled.${layer}.${part}`);
    return whole;
  });
  const attributes = [integerAttribute("num_heads", heads), floatAttribute("scale", 1)];
  graph.add("MultiHeadAttention", [query, ...keysAndValues], `${name}.attended`, attributes, MICROSOFT);
  return graph.add("Reshape", [`${name}.attended`, graph.integers(-1, size)], `${name}.attended.rows`);
}
