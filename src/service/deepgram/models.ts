// Model names of Deepgram's interface.
import { errors } from "../../platform/errors.ts";
import { DEFAULT_MODEL, type ServedModels } from "../models/store.ts";

/** Names of Deepgram's models, with their variants; all mean the default model. */
const NAMES =
  /^(nova|flux|enhanced|base|whisper|general|meeting|phonecall|voicemail|finance|conversationalai|video|medical|drivethru|automotive|atc|2-[a-z]+)([-.][a-z0-9-]{1,60})?$/;

/** @returns the id of an installed model, or the default one @throws models.unknown */
export async function listenModel(name: string, models: ServedModels): Promise<string> {
  const installed = await models.find(name);
  if (installed) return installed.id;
  if (NAMES.test(name.toLowerCase())) return DEFAULT_MODEL;
  throw errors.modelUnknown(name, ["nova-3", ...(await models.list()).map(({ id }) => id)]);
}
