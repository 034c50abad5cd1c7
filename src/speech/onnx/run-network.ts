// Opens and runs networks that have one input, of floats.
import { InferenceSession, Tensor } from "./runtime.ts";
import { ONE_THREAD } from "./session-options.ts";

export const openNetwork = (model: Uint8Array) => InferenceSession.create(model, ONE_THREAD);

/** @returns undefined if ONNX Runtime refuses the model, as it may refuse parts of one that it accepts as a whole */
export const openedOrNone = (model: Uint8Array) => openNetwork(model).catch(() => undefined);

export interface Floats {
  values: Float32Array;
  dimensions: readonly number[];
}

/** Runs a network for its first output. @param file  of the model, for messages @throws Error as `runNetwork` does */
export async function runForFirst(
  session: InferenceSession,
  file: string,
  values: Float32Array,
  dimensions: readonly number[],
): Promise<Floats> {
  const [output] = await runNetwork(session, file, values, dimensions, session.outputNames.slice(0, 1));
  if (!output) throw new Error(`${file} has no outputs: it is another kind of model`);
  return output;
}

/**
 * @param file  of the model, for messages
 * @param outputs  names
 * @throws Error if the network has several inputs, or if an output is missing or not of floats
 */
export async function runNetwork(
  session: InferenceSession,
  file: string,
  values: Float32Array,
  dimensions: readonly number[],
  outputs: readonly string[],
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
