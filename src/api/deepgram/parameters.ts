// A request of Deepgram's interface as the parameters of a job.

import { errors } from "../../platform/errors.ts";
import type { ModelStore } from "../../service/models/store.ts";
import { DEFAULT_MODEL } from "../../service/models/store.ts";
import type { ListenOptions } from "./query.ts";

/** Names of Deepgram's models, with their variants; all mean the default model. */
const NAMES =
  /^(nova|flux|enhanced|base|whisper|general|meeting|phonecall|voicemail|finance|conversationalai|video|medical|drivethru|automotive|atc|2-[a-z]+)([-.][a-z0-9-]{1,60})?$/;

/** @returns the id of an installed model, or the default one @throws models.unknown */
export async function listenModel(name: string, models: ModelStore): Promise<string> {
  const installed = await models.find(name);
  if (installed) return installed.id;
  if (NAMES.test(name.toLowerCase())) return DEFAULT_MODEL;
  throw errors.modelUnknown(name, ["nova-3", ...(await models.list()).map(({ id }) => id)]);
}

/** @param model  as listenModel returns it */
export function listenParameters(options: ListenOptions, model: string) {
  const { languages, codeSwitching, vocabulary, replacements, redacted } = options;
  return {
    model,
    language_config: { languages, code_switching: codeSwitching },
    ...(options.numerals ? {} : { numerals: false }),
    ...(options.diarizes ? { diarization: true } : {}),
    ...(vocabulary.length > 0 ? { custom_vocabulary: true, custom_vocabulary_config: { vocabulary } } : {}),
    ...(Object.keys(replacements).length > 0
      ? { custom_spelling: true, custom_spelling_config: { spelling_dictionary: replacements } }
      : {}),
    ...(redacted.length > 0 ? { pii_redaction: true, pii_redaction_config: { entity_types: redacted } } : {}),
    ...(options.summarizes ? { summarization: true } : {}),
  };
}
