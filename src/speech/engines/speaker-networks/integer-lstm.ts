// Replaces the LSTM layers of a network by layers with 7-bit weights, which take half of the time. Figures in
// docs/decisions/2026-11-25-speaker-networks.md.
import {
  ELEMENT,
  GRAPH,
  initializerParts,
  node,
  nodesOf,
  opsetImport,
  readModel,
  writeModel,
} from "../../onnx/graph.ts";
import { MICROSOFT } from "../../onnx/graph-builder.ts";
import { constantNameOf, floatConstant } from "../../onnx/graph-queries.ts";
import type { Field } from "../../onnx/protobuf.ts";

/** Processors without VNNI add two products of bytes in 16 bits: of 7-bit weights their sum always fits. */
const HIGHEST = 63;
/** Inputs of LSTM and of DynamicQuantizeLSTM up to the peepholes. */
const COMMON_INPUTS = 8;
const [INPUT_WEIGHTS, STATE_WEIGHTS] = [1, 2];
const EMPTY = new Uint8Array(0);

interface Weights {
  /** Directions, gates of all units, inputs. */
  dimensions: [number, number, number];
  values: Float32Array;
}

/** @returns undefined for a constant of another kind */
function weightsOf(constant: Field | undefined): Weights | undefined {
  const found = constant && floatConstant(constant);
  if (found?.dimensions.length !== 3) return undefined;
  const [directions = 0, gates = 0, inputs = 0] = found.dimensions;
  if (found.values.length !== directions * gates * inputs) return undefined;
  return { dimensions: [directions, gates, inputs], values: found.values };
}

const floats = (values: Float32Array) => new Uint8Array(values.buffer, values.byteOffset, values.byteLength);

/** Constants of the weights in the layout of DynamicQuantizeLSTM: [directions, inputs, gates], a scale for each gate. */
function integerConstants(name: string, { dimensions: [directions, gates, inputs], values }: Weights): Uint8Array[] {
  const bytes = new Int8Array(values.length);
  const scales = new Float32Array(directions * gates);
  for (let row = 0; row < scales.length; row++) {
    const own = values.subarray(row * inputs, (row + 1) * inputs);
    const scale = own.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / HIGHEST || 1;
    scales[row] = scale;
    const [direction, gate] = [Math.floor(row / gates), row % gates];
    for (const [input, value] of own.entries()) {
      bytes[(direction * inputs + input) * gates + gate] = Math.round(value / scale);
    }
  }
  const zeros = new Uint8Array(scales.length);
  return [
    ...initializerParts(`${name}.bytes`, ELEMENT.int8, [directions, inputs, gates], new Uint8Array(bytes.buffer)),
    ...initializerParts(`${name}.scales`, ELEMENT.float, [directions, gates], floats(scales)),
    ...initializerParts(`${name}.zeros`, ELEMENT.int8, [directions, gates], zeros),
  ];
}

/**
 * @param model  bytes of an ONNX model
 * @returns the model with integer layers; `model` itself if it has no LSTM layer with constant weights
 * @throws Error if it is no ONNX model
 */
export function withIntegerLstm(model: Uint8Array): Uint8Array {
  const { header, graph } = readModel(model);
  const constants = new Map(
    graph.filter(({ number }) => number === GRAPH.initializer).map((field) => [constantNameOf(field), field]),
  );
  const replaced = new Map<Uint8Array, Uint8Array>();
  const added = new Map<string, Uint8Array[]>();
  for (const { field, opType, inputs, outputs, attributes } of nodesOf(graph)) {
    if (opType !== "LSTM") continue;
    const names = [inputs[INPUT_WEIGHTS] ?? "", inputs[STATE_WEIGHTS] ?? ""];
    const found = names.map((name) => weightsOf(constants.get(name)));
    if (found.some((one) => one === undefined)) continue;
    for (const [at, name] of names.entries()) added.set(name, integerConstants(name, found[at] as Weights));
    const common = Array.from({ length: COMMON_INPUTS }, (_, at) => inputs[at] ?? "");
    const given = common.map((name, at) => (at === INPUT_WEIGHTS || at === STATE_WEIGHTS ? `${name}.bytes` : name));
    const scales = names.flatMap((name) => [`${name}.scales`, `${name}.zeros`]);
    const kept = attributes.map(({ raw }) => raw);
    replaced.set(field.raw, node("DynamicQuantizeLSTM", [...given, ...scales], outputs, kept, MICROSOFT));
  }
  if (replaced.size === 0) return model;
  // The float weights are left out.
  const leftOut = new Set([...added.keys()].map((name) => constants.get(name)?.raw ?? EMPTY));
  const fields = graph.filter(({ raw }) => !leftOut.has(raw)).map(({ raw }) => replaced.get(raw) ?? raw);
  return writeModel([...header, opsetImport(MICROSOFT, 1)], [...fields, ...[...added.values()].flat()]);
}
