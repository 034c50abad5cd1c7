// Model names of OpenAI's interfaces, as requests and sessions give them.
import { errors } from "../../platform/errors.ts";
import { DEFAULT_MODEL, ModelStore, type ServedModels } from "../models/store.ts";

/** Names of OpenAI's models, dated ones included; all mean the default model. */
const ALIASES =
  /^(whisper-1|gpt-realtime-whisper|gpt(-4o|-live|-realtime)?(-mini)?-transcribe(-diarize)?)(-latest|-[\d-]{1,20})?$/;
/** Models that distinguish speakers. */
export const DIARIZING = /-diarize/;

/** Names that GET /v1/models lists. */
export const CLIENT_NAMES = [
  "whisper-1",
  "gpt-transcribe",
  "gpt-live-transcribe",
  "gpt-4o-transcribe",
  "gpt-4o-mini-transcribe",
  "gpt-4o-transcribe-diarize",
];

const isAlias = (name: string) => ALIASES.test(name) || ModelStore.isDefault(name);

/** @returns the same for every name of the default model; other names as they are, also unknown ones */
export const aliasedModel = (name: string): string => (isAlias(name) ? DEFAULT_MODEL : name);

/** @returns the name of a model of this service; undefined for an unknown name */
export async function findModelNamed(name: string, models: Pick<ServedModels, "find">): Promise<string | undefined> {
  if (isAlias(name)) return DEFAULT_MODEL;
  return (await models.find(name))?.id;
}

/** @returns the name of a model of this service @throws models.unknown */
export async function modelNamed(name: string, models: ServedModels): Promise<string> {
  const found = await findModelNamed(name, models);
  if (found !== undefined) return found;
  throw errors.modelUnknown(name, [...CLIENT_NAMES, ...(await models.list()).map(({ id }) => id)]);
}
