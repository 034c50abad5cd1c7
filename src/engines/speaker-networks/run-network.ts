// Runs a network of floats with one input.
import { InferenceSession, Tensor } from "../../onnx/runtime.ts";
import { ONE_THREAD } from "../../onnx/session-options.ts";

export const openNetwork = (model: Uint8Array) => InferenceSession.create(model, ONE_THREAD);

/** @returns undefined if ONNX Runtime refuses the model, as it may refuse parts of one that it accepts as a whole */
export const openedOrNone = (model: Uint8Array) => openNetwork(model).catch(() => undefined);

export interface Floats {
  values: Float32Array;
  dimensions: readonly number[];
}

/**
 * @param file  of the model, for messages
 * @param outputs  names; by default only the first output
 * @throws Error if the network has several inputs, or if an output is missing or not of floats
 */
export async function runNetwork(
  session: InferenceSession,
  file: string,
  values: Float32Array,
  dimensions: readonly number[],
  outputs: readonly string[] = session.outputNames.slice(0, 1),
): Promise<Floats[]> {
  const [input, ...more] = session.inputNames;
  if (input === undefined || more.length > 0) {
    throw new Error(`${file} has ${session.inputNames.length} inputs instead of one: it is another kind of model`);
  }
  const results = await session.run({ [input]: new Tensor("float32", values, dimensions) }, outputs);
  return outputs.map((output) => {
    const tensor = results[output];
    if (!(tensor?.data instanceof Float32Array)) {
      throw new Error(`${file} returns no floats: it is another kind of model`);
    }
    return { values: tensor.data, dimensions: tensor.dims };
  });
}
