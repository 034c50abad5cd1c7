// Graph nodes for attention. Activations are rows [batch * length, heads * headSize].
import { integerAttribute, integersAttribute } from "./graph.ts";
import { type GraphBuilder, MICROSOFT } from "./graph-builder.ts";

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
