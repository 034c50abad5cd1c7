import type { Logger } from "pino";
import { errors } from "../../platform/errors.ts";
import { sleep } from "../../platform/process/sleep.ts";
import type { ModelSupply } from "./supply.ts";

const PATIENCE_MILLISECONDS = 200;

/**
 * Starts to fetch a model. Throws a failure within PATIENCE_MILLISECONDS; a fetch that takes longer continues in the background.
 * @param where  in this process, or in the processes that recognise speech
 * @throws models.missing, with what would help
 */
export async function beginFetch(
  id: string,
  { supply, logger }: { supply: Pick<ModelSupply, "ensure" | "request">; logger: Logger },
  where: "here" | "fleet",
): Promise<void> {
  const fetched = where === "here" ? supply.ensure(id).then(() => undefined) : supply.request(id);
  fetched.catch((error: unknown) => logger.debug({ err: error, model: id }, "a requested model could not be fetched"));
  const patience = sleep(PATIENCE_MILLISECONDS);
  await Promise.race([fetched, patience]).catch((thrown: unknown) => {
    throw errors.modelNotFetched(id, thrown);
  });
}
