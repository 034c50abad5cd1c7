// Runs the first layers of Moonshine's encoder. Their output still distinguishes speakers; that of later layers only
// the words.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { SAMPLE_RATE } from "../../audio/sample-rate.ts";
import { cutAt, ELEMENT, readModel, tensorValue, writeModel } from "../../onnx/graph.ts";
import * as ort from "../../onnx/runtime.ts";
import { ONE_THREAD } from "../../onnx/session-options.ts";
import type { Frames } from "../../speakers/pooling.ts";
import { BASE, modelFolder, SAMPLES_PER_FRAME } from "./config.ts";

/** Output of the third layer's attention, which separates speakers best of all points in the encoder. */
const OUTPUT = "/layers.2/Add_output_0";

export class EarlyLayers {
  private constructor(private readonly session: ort.InferenceSession) {}

  /** @throws Error if the package of the weights is not installed */
  static async load(): Promise<EarlyLayers> {
    const { header, graph } = readModel(await readFile(path.join(modelFolder(BASE), "encoder_model.onnx")));
    const fields = cutAt(graph, OUTPUT).map(({ raw }) => raw);
    const output = tensorValue("output", OUTPUT, ELEMENT.float, [1, "frames", BASE.hiddenSize]);
    return new EarlyLayers(await ort.InferenceSession.create(writeModel(header, [...fields, output]), ONE_THREAD));
  }

  /** @param samples 16 kHz mono in -1 to 1, at least SHORTEST_SAMPLES, at most about 30 s */
  async frames(samples: Float32Array, start: number): Promise<Frames> {
    const input = new ort.Tensor("float32", samples, [1, samples.length]);
    const output = (await this.session.run({ input_values: input }))[OUTPUT] as ort.Tensor;
    return {
      values: output.data as Float32Array,
      size: BASE.hiddenSize,
      framesPerSecond: SAMPLE_RATE / SAMPLES_PER_FRAME,
      start,
    };
  }

  async release(): Promise<void> {
    await this.session.release();
  }
}
