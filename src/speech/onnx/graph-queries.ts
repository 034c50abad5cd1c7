// Finds names, constants, attributes and subgraphs in an ONNX graph.
import { ATTRIBUTE, cutAt, ELEMENT, GRAPH, type Node, nodesOf, TENSOR, VALUE } from "./graph.ts";
import { type Field, integersOf, readFields, stringsOf } from "./protobuf.ts";

/**
 * The nodes that compute one tensor of a graph from another one, with their constants; without inputs and outputs.
 * @returns undefined if `output` does not depend on `input` alone, or if one of the nodes contains a graph
 */
export function between(graph: Field[], input: string, output: string): Field[] | undefined {
  const producer = producerOf(nodesOf(graph), input)?.field;
  const nodes = cutAt(
    graph.filter((field) => field !== producer),
    output,
  );
  const own = nodesOf(nodes);
  if (own.some(({ opType }) => NESTED.includes(opType))) return undefined;
  const used = new Set(own.flatMap((node) => node.inputs));
  const isConstant = (field: Field) => field.number === GRAPH.initializer && used.has(constantNameOf(field));
  const constants = graph.filter(isConstant);
  const known = new Set([input, "", ...constants.map(constantNameOf), ...own.flatMap((node) => node.outputs)]);
  if (!known.has(output) || ![...used].every((name) => known.has(name))) return undefined;
  return [...nodes.filter((field) => field.number === GRAPH.node), ...constants];
}

/** Operators that contain graphs. These graphs may read tensors of the outer one, which the inputs of the node do not name. */
const NESTED = ["If", "Loop", "Scan"];

/** The node that computes a tensor. @returns undefined for an input, a constant or no name */
export const producerOf = (nodes: readonly Node[], name: string | undefined): Node | undefined =>
  nodes.find(({ outputs }) => name !== undefined && outputs.includes(name));

const nameOf = (number: number) => (field: Field) => stringsOf(readFields(field.payload), number)[0] ?? "";

/** @param constant  a field of a graph */
export const constantNameOf = nameOf(TENSOR.name);

/** Name of the first output of a graph. */
export const outputNameOf = (graph: readonly Field[]): string | undefined =>
  graph.filter(({ number }) => number === GRAPH.output).map(nameOf(VALUE.name))[0];

/** Names of the inputs of a graph, without constants that are also listed there. */
export function inputNamesOf(graph: readonly Field[]): string[] {
  const ofKind = (kind: number) => graph.filter(({ number }) => number === kind);
  const constants = new Set(ofKind(GRAPH.initializer).map(constantNameOf));
  return ofKind(GRAPH.input)
    .map(nameOf(VALUE.name))
    .filter((name) => !constants.has(name));
}

/** The values of a constant of floats that are stored as bytes. @returns undefined for another field or constant */
export function floatConstant(field: Field): { name: string; dimensions: number[]; values: Float32Array } | undefined {
  if (field.number !== GRAPH.initializer) return undefined;
  const fields = readFields(field.payload);
  const raw = fields.find(({ number }) => number === TENSOR.rawData)?.payload;
  if (!raw || integersOf(fields, TENSOR.dataType)[0] !== ELEMENT.float) return undefined;
  return {
    name: constantNameOf(field),
    dimensions: integersOf(fields, TENSOR.dimensions),
    values: new Float32Array(Uint8Array.from(raw).buffer),
  };
}

function attributeOf({ attributes }: Node, name: string): Field[] {
  const all = attributes.map(({ payload }) => readFields(payload));
  return all.find((fields) => stringsOf(fields, ATTRIBUTE.name)[0] === name) ?? [];
}

/** An attribute with a list of integers. @returns empty if the node has none of this name */
export const integersAttributeOf = (node: Node, name: string): number[] =>
  integersOf(attributeOf(node, name), ATTRIBUTE.integers);

/** @returns undefined if the node has no such attribute */
export function floatAttributeOf(node: Node, name: string): number | undefined {
  const field = attributeOf(node, name).find(({ number }) => number === ATTRIBUTE.float);
  return field && Buffer.from(field.payload).readFloatLE();
}
