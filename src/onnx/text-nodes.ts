// What decoders of several texts at once are made of. All texts go through the weights together; each attends to what it has
// said and to its own audio with nodes of its own, so that what is heard does not depend on the others. `Texts` runs them.
import { inHeads, outOfHeads, scores } from "./attention.ts";
import { ELEMENT, integerAttribute } from "./graph.ts";
import { EVERYTHING, type GraphBuilder } from "./graph-builder.ts";
import { attentionName, crossNames, newNames, pastNames, slotName, type TextShape } from "./text-names.ts";

export interface TextPlace {
  graph: GraphBuilder;
  shape: TextShape;
  /** How many texts a pass goes on with at most. */
  slots: number;
}

/** Names of the shapes [texts, tokens, size] and [texts, tokens, heads, headSize]. */
export const FLAT_SHAPE = "shape.flat";
const HEADS_SHAPE = "shape.heads";

/** Of [texts, heads, tokens, frames]. */
const FRAME_AXIS = 3;

const alongTexts = () => [integerAttribute("axis", 0)];
const alongFrames = () => [integerAttribute("axis", FRAME_AXIS)];

/**
 * Inputs: tokens [texts, t] and their positions, mask [texts, 1, t, t + p] (what each attends to: the new tokens, then those
 * before them), lengths [2] (t and p), unanswered [1] (so many of the first rows get no logits), the tensors "past"
 * [texts, heads, p, headSize], for each slot the tensors of its audio [taken, heads, frames, headSize], and with several
 * slots taken [slots] (1 for the first ones, as many as there are texts, 0 for the others).
 */
export function textInputs({ graph, shape, slots }: TextPlace): void {
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
      graph.input(slotName(slot, name), ELEMENT.float, [`taken.${slot}`, heads, `frames.${slot}`, headSize]);
    }
  }
  graph.add("Shape", ["tokens"], "shape");
  graph.add("Concat", ["shape", graph.integers(heads * headSize)], FLAT_SHAPE, alongTexts());
  graph.add("Concat", ["shape", graph.integers(heads, headSize)], HEADS_SHAPE, alongTexts());
}

/**
 * What each token makes of those before it in its text, and of itself.
 * @param parts  names of query (with its scale), key and value, each as rows or [texts, tokens, size]
 * @returns name of the rows [texts * tokens, size]
 */
export function ownAttention(
  { graph, shape }: TextPlace,
  layer: number,
  name: string,
  parts: readonly [query: string, key: string, value: string],
): string {
  const [pastKey, pastValue] = pastNames(shape).slice(2 * layer) as [string, string];
  const [newKey, newValue] = newNames(shape).slice(2 * layer) as [string, string];
  const query = inHeads(graph, parts[0], HEADS_SHAPE);
  inHeads(graph, parts[1], HEADS_SHAPE, newKey);
  inHeads(graph, parts[2], HEADS_SHAPE, newValue);
  const fits = [newKey, pastKey].map((key, at) => scores(graph, query, key, `${name}.scores.${at}`));
  graph.add("Concat", fits, `${name}.scores`, alongFrames());
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
  return outOfHeads(graph, attended, shape.heads * shape.headSize);
}

/**
 * What each token makes of its text's audio.
 * @param query   name of the rows [texts * tokens, size], with their scale
 * @param chosen  heads of this layer that follow the speech
 * @returns name of the rows [texts * tokens, size]
 */
export function audioAttention(
  { graph, shape, slots }: TextPlace,
  layer: number,
  name: string,
  { query: flat, chosen }: { query: string; chosen: readonly number[] },
): string {
  const query = inHeads(graph, flat, HEADS_SHAPE);
  const queries = Array.from({ length: slots }, (_, slot) => `${name}.query.${slot}`);
  if (slots === 1) queries[0] = query;
  else graph.addMany("Split", [query, "taken"], queries, alongTexts());
  const [key, value] = crossNames(shape).slice(2 * layer) as [string, string];
  const attended = queries.map((own, slot) => {
    const text = `${name}.${slot}`;
    scores(graph, own, slotName(slot, key), `${text}.scores`);
    graph.add("Softmax", [`${text}.scores`], `${text}.shares`, alongFrames());
    if (chosen.length > 0) {
      const picked = [`${text}.shares`, graph.integers(...chosen)];
      graph.add("Gather", picked, `${attentionName(slot)}.${layer}`, [integerAttribute("axis", 1)]);
    }
    return graph.add("MatMul", [`${text}.shares`, slotName(slot, value)], `${text}.attended`);
  });
  const together =
    slots === 1 ? (attended[0] as string) : graph.add("Concat", attended, `${name}.attended`, alongTexts());
  return outOfHeads(graph, together, shape.heads * shape.headSize);
}

/** Rows that get logits. @returns their name */
export const answeredRows = ({ graph }: TextPlace, rows: string): string =>
  graph.add("Slice", [rows, "unanswered", graph.integers(EVERYTHING), graph.integers(0)], "answered");

/**
 * Outputs: logits [texts * t - unanswered, vocabularySize], the tensors "new" [texts, heads, t, headSize], and for each slot
 * its attention: the sum over the chosen heads [taken, t, frames], or each of them [taken, chosen, t, frames].
 * @param chosen  [layer, head] pairs, as they were handed to `audioAttention`
 */
export function textOutputs(
  { graph, shape, slots }: TextPlace,
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
