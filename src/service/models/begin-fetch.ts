import type { Logger } from "pino";
import { errors, ParlanceError } from "../../platform/errors.ts";
import { sleep } from "../../platform/process/sleep.ts";
import type { ModelSupply } from "./supply.ts";

const PATIENCE_MILLISECONDS = 200;

/** In this process, or in the processes that recognise speech. */
type FetchPlace = "here" | "fleet";

interface FetchServices {
  supply: ModelSupply;
  logger: Logger;
}

/**
 * Starts to fetch a model. Throws a failure within PATIENCE_MILLISECONDS; a fetch that takes longer continues in the background.
 * @param restMilliseconds  how long a failed fetch is not repeated; 0 for a person who tries again
 * @throws models.missing, with what would help
 */
export async function beginFetch(
  id: string,
  { supply, logger }: Pick<FetchServices, "logger"> & { supply: Pick<ModelSupply, "ensure" | "request"> },
  where: FetchPlace,
  restMilliseconds?: number,
): Promise<void> {
  // A process that already has the model first stores a copy in the object store.
  const requested = supply.request(id, restMilliseconds);
  const fetched = where === "here" ? requested.then(() => supply.ensure(id)) : requested;
  fetched.catch((error: unknown) => logger.debug({ err: error, model: id }, "a requested model could not be fetched"));
  const patience = sleep(PATIENCE_MILLISECONDS);
  await Promise.race([fetched, patience]).catch((thrown: unknown) => {
    throw errors.modelNotFetched(id, thrown);
  });
}

/** Starts to fetch a model for live speech, which cannot wait for it. @throws models.on_its_way, or the reason why it cannot be fetched */
export async function fetchFirst(id: string, services: FetchServices, where: FetchPlace): Promise<never> {
  const { supply } = services;
  await beginFetch(id, services, where);
  const share = Math.round((supply.shareOf(id) ?? 0) * 100);
  throw errors.modelOnItsWay(id, `${share} %`, supply.retrySeconds(id));
}

/** Whether the work can begin as soon as this process, or another one, has the model. */
export const isModelComing = (thrown: unknown): boolean =>
  thrown instanceof ParlanceError && thrown.code === "models.on_its_way";
