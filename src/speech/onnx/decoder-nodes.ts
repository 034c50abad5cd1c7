// Graph nodes of a batched decoder. All sequences go through the weights together; each one attends to its own tokens
// and audio with separate nodes, so that its result does not depend on the others. `BatchedDecoder` runs the graph.
import { attentionScores, mergeHeads, splitHeads } from "./attention.ts";
import {
  attentionName,
  audioElement,
  crossNames,
  type DecoderShape,
  newNames,
  pastNames,
  slotName,
} from "./decoder-tensor-names.ts";
import { ELEMENT, integerAttribute } from "./graph.ts";
import { type GraphBuilder, SLICE_END } from "./graph-builder.ts";

export interface DecoderGraph {
  graph: GraphBuilder;
  shape: DecoderShape;
  /** Maximum batch size. */
  slots: number;
}

/** Names of the shapes [sequences, tokens, size] and [sequences, tokens, heads, headSize]. */
export const FLAT_SHAPE = "shape.flat";
const HEADS_SHAPE = "shape.heads";

/** Axis of the frames in [sequences, heads, tokens, frames]. */
const FRAME_AXIS = 3;

const alongSequences = () => [integerAttribute("axis", 0)];
const alongFrames = () => [integerAttribute("axis", FRAME_AXIS)];

/**
 * Inputs: tokens [sequences, t] and their positions; mask [sequences, 1, t, t + p] (attended tokens: the new ones, then
 * the past ones); lengths [2] (t and p); unanswered [1] (number of leading rows without logits); the tensors "past"
 * [sequences, heads, p, headSize]; for each slot the cross-attention tensors [taken, heads, frames, headSize]; and with
 * several slots taken [slots] (1 for used slots, which come first, 0 for the others).
 */
export function addDecoderInputs({ graph, shape, slots }: DecoderGraph): void {
  const { heads, headSize } = shape;
  graph.input("tokens", ELEMENT.int64, ["texts", "tokens"]);
  graph.input("positions", ELEMENT.int64, ["texts", "tokens"]);
  graph.input("mask", ELEMENT.float, ["texts", 1, "tokens", "all"]);
  graph.input("lengths", ELEMENT.int64, [2]);
  graph.input("unanswered", ELEMENT.int64, [1]);
  if (slots > 1) graph.input("taken", ELEMENT.int64, [slots]);
  for (const name of pastNames(shape)) graph.input(name, ELEMENT.float, ["texts", heads, "past", headSize]);
  for (let slot = 0; slot < slots; slot++) {
    for (const name of crossNames(shape)) {
      graph.input(slotName(slot, name), audioElement(shape), [`taken.${slot}`, heads, `frames.${slot}`, headSize]);
    }
  }
  graph.add("Shape", ["tokens"], "shape");
  graph.add("Concat", ["shape", graph.integers(heads * headSize)], FLAT_SHAPE, alongSequences());
  graph.add("Concat", ["shape", graph.integers(heads, headSize)], HEADS_SHAPE, alongSequences());
}

/**
 * Self-attention over the past tokens and the new ones.
 * @param parts  names of query (scaled), key and value, each as rows or [sequences, tokens, size]
 * @returns name of the rows [sequences * tokens, size]
 */
export function addSelfAttention(
  { graph, shape }: DecoderGraph,
  layer: number,
  name: string,
  parts: readonly [query: string, key: string, value: string],
): string {
  const [pastKey, pastValue] = pastNames(shape).slice(2 * layer) as [string, string];
  const [newKey, newValue] = newNames(shape).slice(2 * layer) as [string, string];
  const query = splitHeads(graph, parts[0], HEADS_SHAPE);
  splitHeads(graph, parts[1], HEADS_SHAPE, newKey);
  splitHeads(graph, parts[2], HEADS_SHAPE, newValue);
  const scores = [newKey, pastKey].map((key, at) => attentionScores(graph, query, key, `${name}.scores.${at}`));
  graph.add("Concat", scores, `${name}.scores`, alongFrames());
  graph.add("Add", [`${name}.scores`, "mask"], `${name}.masked`);
  graph.add("Softmax", [`${name}.masked`], `${name}.shares`, alongFrames());
  const shares = [`${name}.shares.new`, `${name}.shares.past`] as const;
  graph.addMany("Split", [`${name}.shares`, "lengths"], [...shares], alongFrames());
  const attended = graph.add(
    "Add",
    [
      graph.add("MatMul", [shares[0], newValue], `${name}.attended.new`),
      graph.add("MatMul", [shares[1], pastValue], `${name}.attended.past`),
    ],
    `${name}.attended`,
  );
  return mergeHeads(graph, attended, shape.heads * shape.headSize);
}

/**
 * Cross-attention over the audio of each sequence.
 * @param query   name of the rows [sequences * tokens, size], scaled
 * @param chosen  alignment heads of this layer
 * @returns name of the rows [sequences * tokens, size]
 */
export function addCrossAttention(
  { graph, shape, slots }: DecoderGraph,
  layer: number,
  name: string,
  { query: flat, chosen }: { query: string; chosen: readonly number[] },
): string {
  const query = splitHeads(graph, flat, HEADS_SHAPE);
  const queries = Array.from({ length: slots }, (_, slot) => `${name}.query.${slot}`);
  if (slots === 1) queries[0] = query;
  else graph.addMany("Split", [query, "taken"], queries, alongSequences());
  const [key, value] = crossNames(shape).slice(2 * layer) as [string, string];
  const attended = queries.map((own, slot) => {
    const text = `${name}.${slot}`;
    const [keys, values] = [key, value].map((part) => {
      const input = slotName(slot, part);
      return shape.audioPrecision === "float32" ? input : graph.cast(input, ELEMENT.float, `${input}.float32`);
    }) as [string, string];
    attentionScores(graph, own, keys, `${text}.scores`);
    graph.add("Softmax", [`${text}.scores`], `${text}.shares`, alongFrames());
    if (chosen.length > 0) {
      const picked = [`${text}.shares`, graph.integers(...chosen)];
      graph.add("Gather", picked, `${attentionName(slot)}.${layer}`, [integerAttribute("axis", 1)]);
    }
    return graph.add("MatMul", [`${text}.shares`, values], `${text}.attended`);
  });
  const together =
    slots === 1 ? (attended[0] as string) : graph.add("Concat", attended, `${name}.attended`, alongSequences());
  return mergeHeads(graph, together, shape.heads * shape.headSize);
}

/** Selects the rows that need logits. @returns their name */
export const rowsWithLogits = ({ graph }: DecoderGraph, rows: string): string =>
  graph.add("Slice", [rows, "unanswered", graph.integers(SLICE_END), graph.integers(0)], "answered");

/**
 * Outputs: logits [sequences * t - unanswered, vocabularySize]; the tensors "new" [sequences, heads, t, headSize]; and
 * for each slot its attention: the sum over the alignment heads [taken, t, frames], or each of them [taken, chosen, t,
 * frames].
 * @param chosen  alignment heads as [layer, head], as given to `crossAttention`
 */
export function addDecoderOutputs(
  { graph, shape, slots }: DecoderGraph,
  {
    vocabularySize,
    chosen,
    areSummed,
  }: { vocabularySize: number; chosen: readonly (readonly [number, number])[]; areSummed: boolean },
): void {
  graph.output("logits", ["rows", vocabularySize]);
  for (const name of newNames(shape)) graph.output(name, ["texts", shape.heads, "tokens", shape.headSize]);
  const layers = [...new Set(chosen.map(([layer]) => layer))];
  for (let slot = 0; slot < slots; slot++) {
    const name = attentionName(slot);
    const parts = layers.map((layer) => `${name}.${layer}`);
    graph.add("Concat", parts, areSummed ? `${name}.all` : name, [integerAttribute("axis", 1)]);
    if (areSummed) graph.add("ReduceSum", [`${name}.all`, graph.integers(1)], name, [integerAttribute("keepdims", 0)]);
    const size = [`taken.${slot}`, ...(areSummed ? [] : [chosen.length]), "tokens", `frames.${slot}`];
    graph.output(name, size);
  }
}

/** [layer, head] pairs → heads of one layer. */
export const headsIn = (chosen: readonly (readonly [number, number])[], layer: number): number[] =>
  chosen.filter(([own]) => own === layer).map(([, head]) => head);
