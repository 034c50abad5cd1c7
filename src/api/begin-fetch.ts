import { errors } from "../errors.ts";
import { sleep } from "../process/sleep.ts";
import type { ApiContext } from "./context.ts";

const PATIENCE_MILLISECONDS = 200;

/**
 * Has a model fetched. What fails at once is told; a fetch that goes on is not waited for.
 * @throws models.missing, with what would help
 */
export async function beginFetch(id: string, { supply, logger }: Pick<ApiContext, "supply" | "logger">): Promise<void> {
  const fetched = supply.ensure(id);
  fetched.catch((error: unknown) => logger.debug({ err: error, model: id }, "no model came that was asked for"));
  const patience = sleep(PATIENCE_MILLISECONDS);
  await Promise.race([fetched, patience]).catch((thrown: unknown) => {
    throw errors.modelNotFetched(id, thrown);
  });
}
