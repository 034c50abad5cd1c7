// Turns Moonshine's published decoder (one ONNX "If" over two branches) into two plain graphs: one for the first
// pass over a text, one for each further token. Three things are gained, all measured in docs/decisions:
// the cross-attention becomes readable (word times), shapes of a single token are constant (fewer nodes run),
// and the output projection stays 8-bit instead of being expanded to 54 MB of floats for every single token.
import {
  branchOf,
  ELEMENT,
  GRAPH,
  integerAttribute,
  integerList,
  node,
  nodesOf,
  readModel,
  TENSOR,
  tensorValue,
  writeModel,
} from "../../onnx/graph.ts";
import { bytesField, type Field, readFields, stringsOf } from "../../onnx/protobuf.ts";
import type { MoonshineVariant } from "./config.ts";

const HIDDEN = "/model/decoder/norm/Mul_output_0";
const EMBEDDING = "model.decoder.embed_tokens.weight";
const PROJECTION_NODES = new Set(["/proj_out/MatMul", `${EMBEDDING}_transposed_DequantizeLinear`]);

/** Name of the tensor [1, heads, tokens, frames] with the attention of one layer over the encoder's frames. */
function crossAttentionName(layer: number): string {
  return `/model/decoder/layers.${layer}/encoder_attn/Softmax_output_0`;
}

/** Sum over the heads that follow the speech: [1, tokens, frames]. */
export const ATTENTION = "attention";

function attentionOf({ alignmentHeads }: MoonshineVariant): { nodes: Uint8Array[]; weights: Uint8Array[] } {
  const layers = [...new Set(alignmentHeads.map(([layer]) => layer))];
  const chosen = layers.map((layer) => `attention.${layer}`);
  const axis = integerAttribute("axis", 1);
  return {
    nodes: [
      ...layers.map((layer, at) =>
        node("Gather", [crossAttentionName(layer), `heads.${layer}`], [chosen[at] as string], [axis]),
      ),
      node("Concat", chosen, ["attention.all"], [axis]),
      node("ReduceSum", ["attention.all", "heads_axis"], [ATTENTION], [integerAttribute("keepdims", 0)]),
    ],
    weights: [
      integerList("heads_axis", [1]),
      ...layers.map((layer) =>
        integerList(
          `heads.${layer}`,
          alignmentHeads.filter(([of]) => of === layer).map(([, head]) => head),
        ),
      ),
    ],
  };
}

export interface DecoderGraphs {
  /** Inputs input_ids [1, tokens], encoder_hidden_states; outputs logits, present.* and attention. */
  first: Uint8Array;
  /** Inputs input_ids [1, 1], past_key_values.*; outputs logits, present.*.decoder.* and attention. */
  step: Uint8Array;
}

/**
 * Logits from the last hidden state with 8-bit weights: the published graph dequantises its 32768 × 416 matrix
 * anew for each token, which took more than half of a step.
 */
function projection(): Uint8Array[] {
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
    node("Cast", ["logits_integer"], ["logits_unscaled"], [integerAttribute("to", ELEMENT.float)]),
    node("Mul", ["hidden_scale", `${EMBEDDING}_merged_0_scale`], ["logits_scale"]),
    node("Mul", ["logits_unscaled", "logits_scale"], ["logits"]),
  ];
}

interface GraphParts {
  nodes: Field[];
  used: Set<string>;
}

function branchParts(branch: Field[]): GraphParts {
  const kept = nodesOf(branch).filter(({ name }) => !PROJECTION_NODES.has(name));
  const used = new Set(kept.flatMap(({ inputs }) => inputs));
  for (const suffix of ["zero_point", "scale"]) used.add(`${EMBEDDING}_merged_0_${suffix}`);
  return { nodes: kept.map(({ field }) => field), used };
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
  const inputs = [tensorValue("input", "input_ids", ELEMENT.int64, [1, 1])];
  const cache = (name: string, length: string) =>
    tensorValue("input", name, ELEMENT.float, [1, variant.heads, length, variant.headSize]);
  for (let layer = 0; layer < variant.layers; layer++) {
    for (const part of ["key", "value"]) {
      inputs.push(cache(`past_key_values.${layer}.decoder.${part}`, "past_length"));
      inputs.push(cache(`past_key_values.${layer}.encoder.${part}`, "frames"));
    }
  }
  return inputs;
}

/** Free dimensions for an output: ONNX Runtime finds the sizes itself. */
function outputValue(name: string): Uint8Array {
  const axes = name === "logits" || name === ATTENTION ? 3 : 4;
  const free = Array.from({ length: axes }, (_, axis) => `${name}:${axis}`);
  return tensorValue("output", name, ELEMENT.float, free);
}

/**
 * @param merged  bytes of decoder_model_merged.onnx of this variant
 * @returns two models, each complete with its weights
 * @throws Error when the bytes are another kind of model
 */
export function buildDecoderGraphs(merged: Uint8Array, variant: MoonshineVariant): DecoderGraphs {
  const { header, graph } = readModel(merged);
  const [ifNode] = nodesOf(graph);
  if (!ifNode) throw new Error("the decoder model holds no node");
  const weights = graph.filter((field) => field.number === GRAPH.initializer);
  const attention = attentionOf(variant);

  const assemble = (branch: string, inputs: Uint8Array[], outputs: string[]): Uint8Array => {
    const { nodes, used } = branchParts(branchOf(ifNode, branch));
    const isUsed = ({ payload }: Field) => used.has(stringsOf(readFields(payload), TENSOR.name)[0] ?? "");
    return writeModel(header, [
      ...nodes.map((field) => field.raw),
      ...projection(),
      ...attention.nodes,
      bytesField(GRAPH.name, branch),
      ...weights.filter(isUsed).map((field) => field.raw),
      ...attention.weights,
      ...inputs,
      ...outputs.map(outputValue),
    ]);
  };

  const firstInputs = [
    tensorValue("input", "input_ids", ELEMENT.int64, [1, "tokens"]),
    tensorValue("input", "encoder_hidden_states", ELEMENT.float, [1, "frames", variant.hiddenSize]),
  ];
  return {
    first: assemble("else_branch", firstInputs, [...outputNames(variant, true), ATTENTION]),
    step: assemble("then_branch", stepInputs(variant), [...outputNames(variant, false), ATTENTION]),
  };
}
