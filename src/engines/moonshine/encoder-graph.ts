// Turns Moonshine's published encoder into one that can go on where an earlier pass over the beginning of the same audio
// stopped: the frames that pass settled are handed in with their keys and values, and only those behind them are worked
// out. With nothing handed in it is the published encoder to the last bit.
import {
  ELEMENT,
  GRAPH,
  integerAttribute,
  integerList,
  node,
  nodesOf,
  readModel,
  tensorValue,
  withInputs,
  writeModel,
} from "../../onnx/graph.ts";
import { bytesField } from "../../onnx/protobuf.ts";
import { CONVOLUTIONS, type MoonshineVariant } from "./config.ts";

/** What goes into the second convolution: the whole audio's loudness has been evened out by then. */
const ROWS = "/groupnorm/Add_output_0";
const POSITIONS = "/Range_output_0";
const HIDDEN = "last_hidden_state";
/** Axis of the time in [batch, channels, rows] and in [batch, heads, frames, size]. */
const TIME_AXIS = 2;
const FRAME_AXIS = 1;
const EVERYTHING = Number.MAX_SAFE_INTEGER;

/** Names of a layer's keys and values, in this order wherever they stand in a list. */
const PARTS = [
  { name: "key", made: "Concat_8_output_0", user: "Transpose_3" },
  { name: "value", made: "Transpose_1_output_0", user: "MatMul_1" },
] as const;

/** Names of the tensors [1, heads, frames, headSize] of all layers, as inputs ("past") or outputs ("settled"). */
export function memoryNames(variant: MoonshineVariant, kind: "past" | "settled"): string[] {
  const layers = Array.from({ length: variant.layers }, (_, layer) => layer);
  return layers.flatMap((layer) => PARTS.map(({ name }) => `${kind}.${layer}.${name}`));
}

/**
 * @param published  bytes of encoder_model.onnx of this variant
 * @returns model with inputs input_values [1, samples] (all of the audio), past_frames [1] and past_hidden [1, past,
 *          hiddenSize] with the tensors "past" (frames that are settled already), settled_frames [1] (how many shall be
 *          after this pass); outputs hidden [1, frames, hiddenSize] and the tensors "settled" of that many frames
 * @throws Error when the bytes are another kind of model
 */
export function buildEncoderGraph(published: Uint8Array, variant: MoonshineVariant): Uint8Array {
  const { header, graph } = readModel(published);
  const renamed = new Map<string, Map<string, string>>([
    ["/conv2/Conv", new Map([[ROWS, "recent_rows"]])],
    ["/Unsqueeze_1", new Map([[POSITIONS, "positions"]])],
  ]);
  const join = (left: string, right: string, joined: string, axis: number) =>
    node("Concat", [left, right], [joined], [integerAttribute("axis", axis)]);
  const added = [
    node("Mul", ["past_frames", "rows_per_frame"], ["past_rows"]),
    node("Slice", [ROWS, "past_rows", "everything", "time_axis"], ["recent_rows"]),
    node("Add", [POSITIONS, "past_frames"], ["positions"]),
    join("past_hidden", HIDDEN, "hidden", FRAME_AXIS),
  ];
  for (let layer = 0; layer < variant.layers; layer++) {
    const path = `/layers.${layer}/self_attn/`;
    for (const { name, made, user } of PARTS) {
      const all = `all.${layer}.${name}`;
      added.push(
        join(`past.${layer}.${name}`, path + made, all, TIME_AXIS),
        node("Slice", [all, "nothing", "settled_frames", "time_axis"], [`settled.${layer}.${name}`]),
      );
      renamed.set(path + user, new Map([[path + made, all]]));
    }
  }
  const nodes = nodesOf(graph).map((one) => {
    const inputs = renamed.get(one.name);
    renamed.delete(one.name);
    return inputs ? withInputs(one, inputs) : one.field.raw;
  });
  const [missing] = renamed.keys();
  if (missing !== undefined) throw new Error(`the encoder has no node ${missing}; the model is another than expected`);

  const memory = (kind: "input" | "output", names: string[], frames: string) =>
    names.map((name) => tensorValue(kind, name, ELEMENT.float, [1, variant.heads, frames, variant.headSize]));
  const hidden = (kind: "input" | "output", name: string, frames: string) =>
    tensorValue(kind, name, ELEMENT.float, [1, frames, variant.hiddenSize]);
  return writeModel(header, [
    ...nodes,
    ...added,
    bytesField(GRAPH.name, "encoder"),
    ...graph.filter((field) => field.number === GRAPH.initializer).map(({ raw }) => raw),
    integerList("rows_per_frame", [CONVOLUTIONS[1].stride * CONVOLUTIONS[2].stride]),
    integerList("nothing", [0]),
    integerList("everything", [EVERYTHING]),
    integerList("time_axis", [TIME_AXIS]),
    tensorValue("input", "input_values", ELEMENT.float, [1, "samples"]),
    tensorValue("input", "past_frames", ELEMENT.int64, [1]),
    tensorValue("input", "settled_frames", ELEMENT.int64, [1]),
    hidden("input", "past_hidden", "past"),
    ...memory("input", memoryNames(variant, "past"), "past"),
    hidden("output", "hidden", "frames"),
    ...memory("output", memoryNames(variant, "settled"), "settled"),
  ]);
}
