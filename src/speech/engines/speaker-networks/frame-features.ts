// Splits CAM++ before its statistics pooling, so that the network runs once for a stretch and all its excerpts.
import { ELEMENT, nodesOf, readModel, tensorValue, writeModel } from "../../onnx/graph.ts";
import { between, outputNameOf, producerOf } from "../../onnx/graph-queries.ts";

export interface SplitVoices {
  /** ONNX model: the published one, with the features [1, features, frames] as another output. */
  network: Uint8Array;
  /** ONNX model: features to a voice. */
  pooling: Uint8Array;
  /** Name of the tensor that `network` outputs and `pooling` reads. */
  features: string;
}

/**
 * @param model  bytes of an ONNX model
 * @returns undefined if the model does not pool mean and standard deviation before its last layers
 * @throws Error if it is no ONNX model
 */
export function splitVoices(model: Uint8Array): SplitVoices | undefined {
  const { header, graph } = readModel(model);
  const nodes = nodesOf(graph);
  const pooled = nodes.findLast(({ opType }) => opType === "Concat");
  const [mean, deviation] = (pooled?.inputs ?? []).map((name) => producerOf(nodes, name));
  const voice = outputNameOf(graph);
  const [features] = mean?.inputs ?? [];
  if (mean?.opType !== "ReduceMean" || deviation?.opType !== "Sqrt" || features === undefined || voice === undefined) {
    return undefined;
  }
  const pooling = between(graph, features, voice);
  if (!pooling) return undefined;
  const dimensions = ["stretches", "features", "frames"];
  return {
    network: writeModel(header, [
      ...graph.map(({ raw }) => raw),
      tensorValue("output", features, ELEMENT.float, dimensions),
    ]),
    pooling: writeModel(header, [
      tensorValue("input", features, ELEMENT.float, dimensions),
      tensorValue("output", voice, ELEMENT.float, ["stretches", "dimensions"]),
      ...pooling.map(({ raw }) => raw),
    ]),
    features,
  };
}
