// Turns Moonshine's published decoder (one ONNX "If" over two branches) into two plain graphs: one for the first
// pass over a text, one for each further token. Three things are gained, all measured in docs/decisions:
// the cross-attention becomes readable (word times), shapes of a single token are constant (fewer nodes run),
// and the output projection stays 8-bit instead of being expanded to 54 MB of floats for every single token.
import type { MoonshineVariant } from "./config.ts";
import { bytesField, type Field, readFields, stringsOf, varintField } from "./protobuf.ts";

// Field numbers of onnx.proto (https://github.com/onnx/onnx/blob/main/onnx/onnx.proto).
const MODEL = { irVersion: 1, graph: 7, opsetImport: 8 };
const GRAPH = { node: 1, name: 2, initializer: 5, input: 11, output: 12 };
const NODE = { input: 1, output: 2, name: 3, opType: 4, attribute: 5 };
const ATTRIBUTE = { name: 1, integer: 3, graph: 6, type: 20 };
const TENSOR = { name: 8 };
const VALUE = { name: 1, type: 2 };
const ELEMENT = { float: 1, int64: 7 };
const ATTRIBUTE_TYPE_INTEGER = 2;

const HIDDEN = "/model/decoder/norm/Mul_output_0";
const EMBEDDING = "model.decoder.embed_tokens.weight";
const PROJECTION_NODES = new Set(["/proj_out/MatMul", `${EMBEDDING}_transposed_DequantizeLinear`]);

/** Name of the tensor [1, heads, tokens, frames] with the attention of one layer over the encoder's frames. */
export function crossAttentionName(layer: number): string {
  return `/model/decoder/layers.${layer}/encoder_attn/Softmax_output_0`;
}

export interface DecoderGraphs {
  /** Inputs input_ids [1, tokens], encoder_hidden_states; outputs logits, present.* and cross-attention. */
  first: Uint8Array;
  /** Inputs input_ids [1, 1], past_key_values.*; outputs logits, present.*.decoder.* and cross-attention. */
  step: Uint8Array;
}

function node(opType: string, inputs: string[], output: string[], attributes: Uint8Array[] = []): Uint8Array {
  return bytesField(GRAPH.node, [
    ...inputs.map((name) => bytesField(NODE.input, name)),
    ...output.map((name) => bytesField(NODE.output, name)),
    bytesField(NODE.name, `parlance/${output[0]}`),
    bytesField(NODE.opType, opType),
    ...attributes,
  ]);
}

/** ValueInfoProto of a tensor; a dimension is a fixed size or the name of a free one. */
function tensorValue(name: string, element: number, dimensions: (number | string)[]): Uint8Array[] {
  const shape = dimensions.map((size) =>
    bytesField(1, typeof size === "number" ? varintField(1, size) : bytesField(2, size)),
  );
  const tensor = bytesField(1, [varintField(1, element), bytesField(2, shape)]);
  return [bytesField(VALUE.name, name), bytesField(VALUE.type, tensor)];
}

/**
 * Logits from the last hidden state with 8-bit weights: the published graph dequantises its 32768 × 416 matrix
 * anew for each token, which took more than half of a step.
 */
function projection(): Uint8Array[] {
  const toFloat = bytesField(NODE.attribute, [
    bytesField(ATTRIBUTE.name, "to"),
    varintField(ATTRIBUTE.integer, ELEMENT.float),
    varintField(ATTRIBUTE.type, ATTRIBUTE_TYPE_INTEGER),
  ]);
  return [
    node("DynamicQuantizeLinear", [HIDDEN], ["hidden_quantized", "hidden_scale", "hidden_zero_point"]),
    node(
      "MatMulInteger",
      [
        "hidden_quantized",
        `${EMBEDDING}_transposed_quantized`,
        "hidden_zero_point",
        `${EMBEDDING}_merged_0_zero_point`,
      ],
      ["logits_integer"],
    ),
    node("Cast", ["logits_integer"], ["logits_unscaled"], [toFloat]),
    node("Mul", ["hidden_scale", `${EMBEDDING}_merged_0_scale`], ["logits_scale"]),
    node("Mul", ["logits_unscaled", "logits_scale"], ["logits"]),
  ];
}

interface GraphParts {
  nodes: Field[];
  used: Set<string>;
}

function branchParts(ifNode: Field[], branchName: string): GraphParts {
  for (const attribute of ifNode.filter((field) => field.number === NODE.attribute)) {
    const fields = readFields(attribute.payload);
    if (stringsOf(fields, ATTRIBUTE.name)[0] !== branchName) continue;
    const graph = fields.find((field) => field.number === ATTRIBUTE.graph);
    if (!graph) break;
    const nodes = readFields(graph.payload).filter((field) => field.number === GRAPH.node);
    const kept: Field[] = [];
    const used = new Set<string>();
    for (const field of nodes) {
      const parts = readFields(field.payload);
      if (PROJECTION_NODES.has(stringsOf(parts, NODE.name)[0] ?? "")) continue;
      kept.push(field);
      for (const input of stringsOf(parts, NODE.input)) used.add(input);
    }
    for (const suffix of ["zero_point", "scale"]) used.add(`${EMBEDDING}_merged_0_${suffix}`);
    return { nodes: kept, used };
  }
  throw new Error(`the decoder model has no branch ${branchName}; is this Moonshine's merged decoder?`);
}

function outputNames(variant: MoonshineVariant, withEncoder: boolean): string[] {
  const names = ["logits"];
  for (let layer = 0; layer < variant.layers; layer++) {
    for (const part of ["key", "value"]) names.push(`present.${layer}.decoder.${part}`);
    if (withEncoder) for (const part of ["key", "value"]) names.push(`present.${layer}.encoder.${part}`);
  }
  return names;
}

function stepInputs(variant: MoonshineVariant): Uint8Array[] {
  const inputs = [bytesField(GRAPH.input, tensorValue("input_ids", ELEMENT.int64, [1, 1]))];
  const cache = (name: string, length: string) =>
    bytesField(GRAPH.input, tensorValue(name, ELEMENT.float, [1, variant.heads, length, variant.headSize]));
  for (let layer = 0; layer < variant.layers; layer++) {
    for (const part of ["key", "value"]) {
      inputs.push(cache(`past_key_values.${layer}.decoder.${part}`, "past_length"));
      inputs.push(cache(`past_key_values.${layer}.encoder.${part}`, "frames"));
    }
  }
  return inputs;
}

/**
 * @param merged  bytes of decoder_model_merged.onnx of this variant
 * @returns two models, each complete with its weights
 * @throws Error when the bytes are another kind of model
 */
export function buildDecoderGraphs(merged: Uint8Array, variant: MoonshineVariant): DecoderGraphs {
  const model = readFields(merged);
  const graphField = model.find((field) => field.number === MODEL.graph);
  if (!graphField) throw new Error("the decoder model holds no graph");
  const graph = readFields(graphField.payload);
  const ifField = graph.find((field) => field.number === GRAPH.node);
  if (!ifField) throw new Error("the decoder model holds no node");
  const ifNode = readFields(ifField.payload);
  const header = model
    .filter((field) => field.number === MODEL.irVersion || field.number === MODEL.opsetImport)
    .map((field) => field.raw);

  const assemble = (branch: string, inputs: Uint8Array[], outputs: string[]): Uint8Array => {
    const { nodes, used } = branchParts(ifNode, branch);
    const weights = graph.filter(
      (field) =>
        field.number === GRAPH.initializer && used.has(stringsOf(readFields(field.payload), TENSOR.name)[0] ?? ""),
    );
    const declared = outputs.map((name) =>
      bytesField(
        GRAPH.output,
        tensorValue(
          name,
          ELEMENT.float,
          ["a", "b", ...(name === "logits" ? ["c"] : ["c", "d"])].map((axis) => `${name}:${axis}`),
        ),
      ),
    );
    const parts = [
      ...nodes.map((field) => field.raw),
      ...projection(),
      bytesField(GRAPH.name, branch),
      ...weights.map((field) => field.raw),
      ...inputs,
      ...declared,
    ];
    return Buffer.concat([...header, bytesField(MODEL.graph, parts)]);
  };

  const attention = variant.alignmentLayers.map(crossAttentionName);
  return {
    first: assemble(
      "else_branch",
      [
        bytesField(GRAPH.input, tensorValue("input_ids", ELEMENT.int64, [1, "tokens"])),
        bytesField(GRAPH.input, tensorValue("encoder_hidden_states", ELEMENT.float, [1, "frames", variant.hiddenSize])),
      ],
      [...outputNames(variant, true), ...attention],
    ),
    step: assemble("then_branch", stepInputs(variant), [...outputNames(variant, false), ...attention]),
  };
}
