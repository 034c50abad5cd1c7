// Divides CAM++ where it pools the features of frames: the voices of excerpts are then pooled from the features of the whole stretch, without
// running the network for each of them.
import { between, ELEMENT, GRAPH, nodesOf, readModel, tensorValue, writeModel } from "../../onnx/graph.ts";
import { readFields, stringsOf } from "../../onnx/protobuf.ts";

export interface DividedVoices {
  /** ONNX model: the published one, with the features [1, features, frames] as another output. */
  network: Uint8Array;
  /** ONNX model: features to a voice. */
  pooling: Uint8Array;
  /** Name of the features: an output of the one, the input of the other. */
  features: string;
}

/**
 * @param model  bytes of an ONNX model
 * @returns undefined if the model does not end with the pooling of means and standard deviations
 * @throws Error if it is no ONNX model
 */
export function dividedVoices(model: Uint8Array): DividedVoices | undefined {
  const { header, graph } = readModel(model);
  const nodes = nodesOf(graph);
  const makerOf = (name: string | undefined) => nodes.find(({ outputs }) => outputs.some((output) => output === name));
  const pooled = nodes.findLast(({ opType }) => opType === "Concat");
  const [mean, deviation] = (pooled?.inputs ?? []).map(makerOf);
  const output = graph.find(({ number }) => number === GRAPH.output);
  const [features] = mean?.inputs ?? [];
  if (mean?.opType !== "ReduceMean" || deviation?.opType !== "Sqrt" || features === undefined || !output) {
    return undefined;
  }
  const [voice = ""] = stringsOf(readFields(output.payload), 1);
  const dimensions = ["stretches", "features", "frames"];
  return {
    network: writeModel(header, [
      ...graph.map(({ raw }) => raw),
      tensorValue("output", features, ELEMENT.float, dimensions),
    ]),
    pooling: writeModel(header, [
      tensorValue("input", features, ELEMENT.float, dimensions),
      output.raw,
      ...between(graph, [features], voice).map(({ raw }) => raw),
    ]),
    features,
  };
}
