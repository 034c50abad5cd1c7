// Silero's published model takes one window a call and chooses between two networks each time. Its 16 kHz network is
// taken out here and rebuilt so that any number of windows goes through in one call: the front part sees all
// windows as a batch, the recurrent part runs over them as a sequence. The answers are the same.
import {
  branchOf,
  constantBytes,
  ELEMENT,
  GRAPH,
  initializer,
  integerAttribute,
  integerList,
  type Node,
  node,
  nodesOf,
  readModel,
  tensorValue,
  writeModel,
} from "../../onnx/graph.ts";
import { bytesField } from "../../onnx/protobuf.ts";

export const STATE_SIZE = 128;
const FLOAT_BYTES = 4;
const PREFIX = "If_0_then_branch__Inline_0__";
const FEATURES = `${PREFIX}/encoder/3/activation/Relu_output_0`;

/** The nodes that lead to `output`, in their order. */
function ancestors(nodes: Node[], output: string): Node[] {
  const wanted = new Set([output]);
  const kept: Node[] = [];
  for (const one of [...nodes].reverse()) {
    if (!one.outputs.some((name) => wanted.has(name))) continue;
    kept.push(one);
    for (const input of one.inputs) wanted.add(input);
  }
  return kept.reverse();
}

/** PyTorch keeps the gates as input, forget, cell, output; ONNX wants input, output, forget, cell. */
function reorderGates(bytes: Uint8Array): Uint8Array {
  const size = bytes.length / 4;
  const gate = (index: number) => bytes.subarray(index * size, (index + 1) * size);
  return Buffer.concat([gate(0), gate(3), gate(1), gate(2)]);
}

/**
 * @param published  bytes of silero_vad_v5.onnx or silero_vad_v6.onnx
 * @returns model with inputs windows [n, 576], hidden and cell [1, 1, 128];
 *          outputs probabilities [n, 1], hidden_out and cell_out [1, 1, 128]
 * @throws Error when the bytes are another kind of model
 */
export function buildSileroGraph(published: Uint8Array): Uint8Array {
  const { header, graph } = readModel(published);
  const choice = nodesOf(graph).find(({ opType }) => opType === "If");
  if (!choice) throw new Error("the voice activity model has no branches; is this Silero's v5 or v6?");
  const nodes = nodesOf(branchOf(choice, "then_branch"));
  const constant = (name: string): Uint8Array => {
    const found = nodes.find(({ outputs }) => outputs[0] === PREFIX + name);
    if (!found) throw new Error(`the voice activity model has no ${name}`);
    return constantBytes(found);
  };
  const gates = 4 * STATE_SIZE;
  const bias = Buffer.concat([
    reorderGates(constant("decoder.rnn.bias_ih")),
    reorderGates(constant("decoder.rnn.bias_hh")),
  ]);
  if (constant("decoder.decoder.2.weight").length !== STATE_SIZE * FLOAT_BYTES) {
    throw new Error("the voice activity model has another size than expected");
  }
  return writeModel(header, [
    ...ancestors(nodes, FEATURES).map(({ field }) => field.raw),
    node("Reshape", [FEATURES, "sequence_shape"], ["sequence"]),
    node(
      "LSTM",
      ["sequence", "weights", "recurrence", "bias", "", "hidden", "cell"],
      ["all", "hidden_out", "cell_out"],
      [integerAttribute("hidden_size", STATE_SIZE)],
    ),
    node("Reshape", ["all", "flat_shape"], ["states"]),
    node("Relu", ["states"], ["active"]),
    node("MatMul", ["active", "output_weights"], ["unbiased"]),
    node("Add", ["unbiased", "output_bias"], ["logit"]),
    node("Sigmoid", ["logit"], ["probabilities"]),
    bytesField(GRAPH.name, "silero"),
    integerList("sequence_shape", [-1, 1, STATE_SIZE]),
    integerList("flat_shape", [-1, STATE_SIZE]),
    initializer("weights", ELEMENT.float, [1, gates, STATE_SIZE], reorderGates(constant("decoder.rnn.weight_ih"))),
    initializer("recurrence", ELEMENT.float, [1, gates, STATE_SIZE], reorderGates(constant("decoder.rnn.weight_hh"))),
    initializer("bias", ELEMENT.float, [1, 2 * gates], bias),
    initializer("output_weights", ELEMENT.float, [STATE_SIZE, 1], constant("decoder.decoder.2.weight")),
    initializer("output_bias", ELEMENT.float, [1], constant("decoder.decoder.2.bias")),
    tensorValue("input", "input", ELEMENT.float, ["windows", 576]),
    tensorValue("input", "hidden", ELEMENT.float, [1, 1, STATE_SIZE]),
    tensorValue("input", "cell", ELEMENT.float, [1, 1, STATE_SIZE]),
    tensorValue("output", "probabilities", ELEMENT.float, ["windows", 1]),
    tensorValue("output", "hidden_out", ELEMENT.float, [1, 1, STATE_SIZE]),
    tensorValue("output", "cell_out", ELEMENT.float, [1, 1, STATE_SIZE]),
  ]);
}
