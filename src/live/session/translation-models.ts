// Translation models that live sessions need: fetched beside the sessions, where they may be. Finals that end before are reported as not
// translated.
import type { Logger } from "pino";
import { toParlanceError } from "../../errors.ts";
import type { ModelStore } from "../../models/store.ts";
import type { ModelSupply } from "../../models/supply.ts";
import { missingModels } from "../../models/translation-needs.ts";

export interface TranslationModelServices {
  models: ModelStore;
  supply: ModelSupply;
  /** Whether models may be fetched, and nothing else translates. */
  mayFetch: boolean;
  logger: Logger;
}

/**
 * Begins to fetch what a pair lacks. Failures are logged: the add-on reports what is missing.
 * @returns names of the models that are being fetched
 */
export async function fetchForSession(
  { models, supply, mayFetch, logger }: TranslationModelServices,
  source: string,
  targets: readonly string[],
): Promise<string[]> {
  if (!mayFetch) return [];
  const missing = new Set<string>();
  for (const target of targets) for (const id of await missingModels(models, source, target)) missing.add(id);
  for (const id of missing) {
    supply.ensure(id).catch((thrown: unknown) => {
      const { code, message } = toParlanceError(thrown);
      logger.warn({ model: id, code, reason: message }, "a translation model could not be fetched");
    });
  }
  return [...missing];
}
