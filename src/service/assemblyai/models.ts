// Model names of AssemblyAI's interfaces.
import { errors } from "../../platform/errors.ts";
import { DEFAULT_MODEL, type ServedModels } from "../models/store.ts";

export const DEFAULT_MODEL_NAME = "universal-3-5-pro";

/** Names of AssemblyAI's models; all mean the default model. */
const NAMES = /^(universal|u3|whisper-rt|best|nano|slam)([-.][a-z0-9.-]{1,60})?$/;

async function modelNamed(name: string, models: ServedModels): Promise<string | undefined> {
  const installed = await models.find(name);
  if (installed) return installed.id;
  return NAMES.test(name.toLowerCase()) ? DEFAULT_MODEL : undefined;
}

/**
 * @param names  in order of preference; none for the default model
 * @returns the id of the first one that is installed, or the default model for a name of AssemblyAI
 * @throws models.unknown if no name is known
 */
export async function assemblyAiModel(names: readonly string[], models: ServedModels): Promise<string> {
  for (const name of names) {
    const id = await modelNamed(name, models);
    if (id !== undefined) return id;
  }
  const [name] = names;
  if (name === undefined) return DEFAULT_MODEL;
  throw errors.modelUnknown(name, [DEFAULT_MODEL_NAME, ...(await models.list()).map(({ id }) => id)]);
}
