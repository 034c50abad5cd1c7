// Publishes what a stage wrote in this machine. An outage of the store outlasts the tries of one request, and must not repeat work.
import { mustWait, whenPossible } from "../../../platform/storage/when-possible.ts";
import type { StageContext } from "./stage.ts";

type Context = Pick<StageContext, "job" | "services" | "signal">;

/** Repeats `store` while the store of objects is unavailable. @throws its error once the signal is aborted */
export const storeWhenPossible = <Result>(
  { job, services, signal }: Context,
  store: () => Promise<Result>,
): Promise<Result> =>
  whenPossible(store, signal, (error) =>
    services.logger.error({ err: error, job: job.id }, "the output of a stage cannot be stored yet; retrying"),
  );

/** Publishes a file that was written at the local path of the object, as soon as the store is available. */
export const keepWhenPossible = (context: Context, key: string): Promise<void> =>
  storeWhenPossible(context, async () => {
    const { objects } = context.services;
    // The path counts as in use from now: copies that are unused for long may be removed.
    await objects.localPath(key);
    await objects.keep(key);
  });

/** Publishes a file of a stage that is running. Without the copy, the loss of this machine would repeat more work; the stage continues. */
export async function keepCheckpoint({ job, services }: Context, key: string): Promise<void> {
  await services.objects.keep(key).catch((error: unknown) => {
    if (!mustWait(error)) throw error;
    services.logger.warn({ err: error, job: job.id }, "the progress of a stage could not be copied to the store");
  });
}
