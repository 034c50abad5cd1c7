// Fetches the translation models of live sessions in the background, if downloads are allowed. Until a model is there, its finals are
// reported as not translated.
import type { Logger } from "pino";
import { toParlanceError } from "../../../platform/errors.ts";
import type { ModelStore } from "../../models/store.ts";
import type { ModelSupply } from "../../models/supply.ts";
import { missingModels } from "../../models/translation-needs.ts";

export interface TranslationModelServices {
  models: ModelStore;
  supply: ModelSupply;
  /** Whether downloads are allowed and no provider translates. */
  mayFetch: boolean;
  logger: Logger;
}

/**
 * Starts to fetch the missing models of a pair. Failures are logged only, as the add-on reports missing models.
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
