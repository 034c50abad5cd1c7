// Writes parts of ONNX graphs. Field numbers are those of onnx.proto
// (https://github.com/onnx/onnx/blob/main/onnx/onnx.proto).
import { bytesField, type Field, fieldParts, floatField, readFields, stringsOf, varintField } from "./protobuf.ts";

const MODEL = { irVersion: 1, graph: 7, opsetImport: 8 };
export const GRAPH = { node: 1, name: 2, initializer: 5, input: 11, output: 12 };
const NODE = { input: 1, output: 2, name: 3, opType: 4, attribute: 5, domain: 7 };
export const ATTRIBUTE = { name: 1, float: 2, integer: 3, text: 4, tensor: 5, graph: 6, integers: 8, type: 20 };
export const TENSOR = {
  dimensions: 1,
  dataType: 2,
  floats: 4,
  integers: 5,
  name: 8,
  rawData: 9,
  externalData: 13,
  dataLocation: 14,
};
export const VALUE = { name: 1, type: 2 };
export const ELEMENT = { float: 1, uint8: 2, int8: 3, int32: 6, int64: 7, float16: 10 };
const ATTRIBUTE_TYPE = { float: 1, integer: 2, text: 3, integers: 7 };
const EXTERNAL_LOCATION = 1;

/**
 * A node field of a graph, named after its first output.
 * @param domain  of its operator set; default: ONNX
 */
export function node(
  opType: string,
  inputs: string[],
  outputs: string[],
  attributes: Uint8Array[] = [],
  domain = "",
): Uint8Array {
  return bytesField(GRAPH.node, [
    ...inputs.map((name) => bytesField(NODE.input, name)),
    ...outputs.map((name) => bytesField(NODE.output, name)),
    bytesField(NODE.name, `parlance/${outputs.find((name) => name !== "")}`),
    bytesField(NODE.opType, opType),
    ...attributes,
    ...(domain === "" ? [] : [bytesField(NODE.domain, domain)]),
  ]);
}

export function integerAttribute(name: string, value: number): Uint8Array {
  return bytesField(NODE.attribute, [
    bytesField(ATTRIBUTE.name, name),
    varintField(ATTRIBUTE.integer, value),
    varintField(ATTRIBUTE.type, ATTRIBUTE_TYPE.integer),
  ]);
}

export function integersAttribute(name: string, values: readonly number[]): Uint8Array {
  return bytesField(NODE.attribute, [
    bytesField(ATTRIBUTE.name, name),
    ...values.map((value) => varintField(ATTRIBUTE.integers, value)),
    varintField(ATTRIBUTE.type, ATTRIBUTE_TYPE.integers),
  ]);
}

export function floatAttribute(name: string, value: number): Uint8Array {
  return bytesField(NODE.attribute, [
    bytesField(ATTRIBUTE.name, name),
    floatField(ATTRIBUTE.float, value),
    varintField(ATTRIBUTE.type, ATTRIBUTE_TYPE.float),
  ]);
}

export function textAttribute(name: string, value: string): Uint8Array {
  return bytesField(NODE.attribute, [
    bytesField(ATTRIBUTE.name, name),
    bytesField(ATTRIBUTE.text, value),
    varintField(ATTRIBUTE.type, ATTRIBUTE_TYPE.text),
  ]);
}

/** An input or output of a graph; a dimension is a fixed size or the name of a dynamic one. */
export function tensorValue(
  kind: "input" | "output",
  name: string,
  element: number,
  dimensions: (number | string)[],
): Uint8Array {
  const shape = dimensions.map((size) =>
    bytesField(1, typeof size === "number" ? varintField(1, size) : bytesField(2, size)),
  );
  const tensor = bytesField(1, [varintField(1, element), bytesField(2, shape)]);
  return bytesField(GRAPH[kind], [bytesField(VALUE.name, name), bytesField(VALUE.type, tensor)]);
}

/** A constant of a graph. @param raw  little-endian values, row-major */
export function initializer(name: string, element: number, dimensions: number[], raw: Uint8Array): Uint8Array {
  return Buffer.concat(initializerParts(name, element, dimensions, raw));
}

/** The same without copying the values. */
export function initializerParts(
  name: string,
  element: number,
  dimensions: readonly number[],
  raw: Uint8Array,
): Uint8Array[] {
  return fieldParts(GRAPH.initializer, [
    ...dimensions.map((size) => varintField(TENSOR.dimensions, size)),
    varintField(TENSOR.dataType, element),
    bytesField(TENSOR.name, name),
    ...fieldParts(TENSOR.rawData, [raw]),
  ]);
}

/** Location of a constant's values in a file beside the graph. */
export interface ExternalData {
  file: string;
  offset: number;
  length: number;
}

/** A constant whose values are in a file beside the graph. */
export function externalInitializer(
  name: string,
  element: number,
  dimensions: readonly number[],
  { file, offset, length }: ExternalData,
): Uint8Array {
  const entries = Object.entries({ location: file, offset: String(offset), length: String(length) });
  return bytesField(GRAPH.initializer, [
    ...dimensions.map((size) => varintField(TENSOR.dimensions, size)),
    varintField(TENSOR.dataType, element),
    bytesField(TENSOR.name, name),
    ...entries.map(([key, value]) => bytesField(TENSOR.externalData, [bytesField(1, key), bytesField(2, value)])),
    varintField(TENSOR.dataLocation, EXTERNAL_LOCATION),
  ]);
}

/** A constant list of integers. */
export function integerList(name: string, values: number[]): Uint8Array {
  const raw = Buffer.from(BigInt64Array.from(values, BigInt).buffer);
  return initializer(name, ELEMENT.int64, [values.length], raw);
}

export interface ModelParts {
  /** Model fields other than the graph: versions. */
  header: Uint8Array[];
  graph: Field[];
}

/** @throws Error if the bytes contain no graph */
export function readModel(bytes: Uint8Array): ModelParts {
  const fields = readFields(bytes);
  const graph = fields.find((field) => field.number === MODEL.graph);
  if (!graph) throw new Error("the model contains no graph");
  const header = fields.filter(({ number }) => number === MODEL.irVersion || number === MODEL.opsetImport);
  return { header: header.map((field) => field.raw), graph: readFields(graph.payload) };
}

/** Version of an operator set, a field of a model. */
export const opsetImport = (domain: string, version: number): Uint8Array =>
  bytesField(MODEL.opsetImport, [bytesField(1, domain), varintField(2, version)]);

/** Version fields of a new model. @param opsets  version of each operator set by its domain */
export function modelHeader(irVersion: number, opsets: Readonly<Record<string, number>>): Uint8Array[] {
  return [
    varintField(MODEL.irVersion, irVersion),
    ...Object.entries(opsets).map(([domain, version]) => opsetImport(domain, version)),
  ];
}

export function writeModel(header: Uint8Array[], graphFields: Uint8Array[]): Uint8Array {
  return Buffer.concat([...header, ...fieldParts(MODEL.graph, graphFields)]);
}

export interface Node {
  field: Field;
  name: string;
  opType: string;
  inputs: string[];
  outputs: string[];
  attributes: Field[];
}

export function nodesOf(graph: Field[]): Node[] {
  return graph
    .filter((field) => field.number === GRAPH.node)
    .map((field) => {
      const parts = readFields(field.payload);
      return {
        field,
        name: stringsOf(parts, NODE.name)[0] ?? "",
        opType: stringsOf(parts, NODE.opType)[0] ?? "",
        inputs: stringsOf(parts, NODE.input),
        outputs: stringsOf(parts, NODE.output),
        attributes: parts.filter((part) => part.number === NODE.attribute),
      };
    });
}

/** The subgraph of a node's attribute (a branch of an If). @throws Error if there is none of that name */
export function branchOf({ attributes, name }: Node, branch: string): Field[] {
  for (const attribute of attributes) {
    const fields = readFields(attribute.payload);
    const graph = fields.find((field) => field.number === ATTRIBUTE.graph);
    if (graph && stringsOf(fields, ATTRIBUTE.name)[0] === branch) return readFields(graph.payload);
  }
  throw new Error(`the node ${name} has no branch ${branch}; this is not the expected version of the model`);
}

/** Raw bytes of a Constant node's tensor. */
export function constantBytes({ attributes, name }: Node): Uint8Array {
  for (const attribute of attributes) {
    const tensor = readFields(attribute.payload).find((field) => field.number === ATTRIBUTE.tensor);
    const raw = tensor && readFields(tensor.payload).find((field) => field.number === TENSOR.rawData);
    if (raw) return raw.payload;
  }
  throw new Error(`the node ${name} contains no raw tensor`);
}

/** The fields of a graph without its outputs and without the nodes that `output` does not depend on. */
export function cutAt(graph: Field[], output: string): Field[] {
  const nodes = nodesOf(graph);
  const maker = new Map(nodes.flatMap((node) => node.outputs.map((name) => [name, node] as const)));
  const needed = new Set<Field>();
  const open = [output];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const node = maker.get(name);
    if (!node || needed.has(node.field)) continue;
    needed.add(node.field);
    open.push(...node.inputs);
  }
  return graph.filter((field) => field.number !== GRAPH.output && (field.number !== GRAPH.node || needed.has(field)));
}
