// Fetches models when they are first needed: one fetch per model at a time, in its own process. Callers that wait receive
// the progress.
import type { Logger } from "pino";
import type { ChildEnvironment } from "../../platform/config/load.ts";
import { errors, type ParlanceError, toParlanceError, withDetail } from "../../platform/errors.ts";
import { entryFile } from "../../platform/process/entry.ts";
import { SupervisedProcess } from "../../platform/process/supervised-process.ts";
import type { HubOptions } from "./hub.ts";
import type { InstallRequest, InstallResponse } from "./message.ts";
import type { InstalledModel, ModelStore } from "./store.ts";

export interface SupplyOptions {
  store: ModelStore;
  hub: HubOptions;
  /** Whether models may be fetched at all. */
  mayFetch: boolean;
  environment: ChildEnvironment;
  logger: Logger;
}

const READY_TIMEOUT_MILLISECONDS = 30_000;
const INSTALL_TIMEOUT_MILLISECONDS = 24 * 3_600_000;
/** Pause after a failure: the same error is likely at first. */
const FAILURE_REST_MILLISECONDS = 30_000;
/** The same for a model that a job or session can do without: a machine without a network does not try again for each of them. */
export const OPTIONAL_REST_MILLISECONDS = 600_000;
/** Bounds of the Retry-After value, seconds. */
const RETRY_SECONDS = { least: 5, most: 120 };

interface Fetch {
  startedAt: number;
  share: number;
  done: Promise<InstalledModel>;
  process: SupervisedProcess<InstallRequest, InstallResponse>;
}

export class ModelSupply {
  private readonly fetches = new Map<string, Fetch>();
  private readonly failures = new Map<string, { at: number; error: ParlanceError }>();
  private isStopped = false;

  constructor(private readonly options: SupplyOptions) {}

  /** Why the last fetch failed. */
  failureOf(id: string): string | undefined {
    const error = this.failures.get(id)?.error;
    return error && withDetail(error.message, error.detail);
  }

  /** How far a fetch is, 0 to 1; undefined when there is none. */
  shareOf(id: string): number | undefined {
    return this.fetches.get(id)?.share;
  }

  /** Seconds after which it is worth asking for the model again. */
  retrySeconds(id: string): number {
    const { share = 0, startedAt = 0 } = this.fetches.get(id) ?? {};
    const passed = (performance.now() - startedAt) / 1000;
    const left = share > 0.01 ? (passed * (1 - share)) / share : RETRY_SECONDS.most;
    return Math.round(Math.min(RETRY_SECONDS.most, Math.max(RETRY_SECONDS.least, left)));
  }

  /**
   * The model, fetched where it is not there yet. Calls for the same model share one fetch.
   * @param restMilliseconds  how long a failed fetch is not repeated
   * @throws models.missing where it may not be fetched, and whatever its fetch fails with
   */
  async ensure(id: string, restMilliseconds = FAILURE_REST_MILLISECONDS): Promise<InstalledModel> {
    const { store, mayFetch } = this.options;
    const known = await store.find(id);
    if (known) return known;
    if (!mayFetch) throw errors.modelMissing(id);
    const failure = this.failures.get(id);
    if (failure && performance.now() - failure.at < restMilliseconds) throw failure.error;
    return (this.fetches.get(id) ?? this.begin(id)).done;
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.all([...this.fetches.values()].map(({ process }) => process.stop()));
  }

  private begin(id: string): Fetch {
    const { store, hub, environment, logger } = this.options;
    const process = new SupervisedProcess<InstallRequest, InstallResponse>({
      name: "model",
      file: entryFile("./child.js", import.meta.url),
      readyTimeoutMilliseconds: READY_TIMEOUT_MILLISECONDS,
      environment,
    });
    const fetch: Fetch = { startedAt: performance.now(), share: 0, process, done: undefined as never };
    logger.info({ model: id }, "a model is being fetched");
    fetch.done = process
      .call(
        { name: id, folder: store.folder, hub },
        {
          timeoutMilliseconds: INSTALL_TIMEOUT_MILLISECONDS,
          onProgress: (share) => {
            fetch.share = share;
          },
        },
      )
      .then(
        async () => {
          store.forget();
          this.failures.delete(id);
          logger.info({ model: id }, "a model is installed");
          return store.get(id);
        },
        (thrown: unknown) => {
          const error = toParlanceError(thrown);
          this.failures.set(id, { at: performance.now(), error });
          if (!this.isStopped)
            logger.warn(
              { model: id, code: error.code, reason: withDetail(error.message, error.detail) },
              "no model came",
            );
          throw error;
        },
      )
      .finally(async () => {
        this.fetches.delete(id);
        await process.stop();
      });
    fetch.done.catch(() => undefined);
    this.fetches.set(id, fetch);
    return fetch;
  }
}
