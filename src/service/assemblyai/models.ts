// Model names of AssemblyAI's interface.
import { errors } from "../../platform/errors.ts";
import { DEFAULT_MODEL, type ModelStore } from "../models/store.ts";

export const DEFAULT_MODEL_NAME = "universal-3-5-pro";

/** Names of AssemblyAI's models; all mean the default model. */
const NAMES = /^(universal|u3|whisper-rt|best|nano|slam)([-.][a-z0-9.-]{1,60})?$/;

/** @returns the id of an installed model, or the default one @throws models.unknown */
export async function streamingModel(name: string, models: ModelStore): Promise<string> {
  const installed = await models.find(name);
  if (installed) return installed.id;
  if (NAMES.test(name.toLowerCase())) return DEFAULT_MODEL;
  throw errors.modelUnknown(name, [DEFAULT_MODEL_NAME, ...(await models.list()).map(({ id }) => id)]);
}
