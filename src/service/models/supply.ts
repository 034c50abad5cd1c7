// Fetches models when they are first needed: one fetch per model at a time, in its own process. Callers that wait receive
// the progress. With several processes on one database, one of them fetches for all (fleet-models.ts).
import type { Logger } from "pino";
import type { ChildEnvironment } from "../../platform/config/load.ts";
import { errors, type ParlanceError, toParlanceError, withDetail } from "../../platform/errors.ts";
import { entryFile } from "../../platform/process/entry.ts";
import { SupervisedProcess } from "../../platform/process/supervised-process.ts";
import { mustWait } from "../../platform/storage/when-possible.ts";
import type { FleetModels } from "./fleet-models.ts";
import type { HubOptions } from "./hub.ts";
import type { InstallRequest, InstallResponse } from "./message.ts";
import type { InstalledModel, ModelStore } from "./store.ts";

export interface SupplyOptions {
  store: ModelStore;
  hub: HubOptions;
  /** Whether models may be fetched at all. */
  mayFetch: boolean;
  environment: ChildEnvironment;
  /** Undefined in the only process. */
  fleet?: FleetModels | undefined;
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
}

export class ModelSupply {
  private readonly fetches = new Map<string, Fetch>();
  private readonly failures = new Map<string, { at: number; error: ParlanceError }>();
  private readonly processes = new Set<SupervisedProcess<InstallRequest, InstallResponse>>();
  private isStopped = false;

  constructor(private readonly options: SupplyOptions) {}

  /** Why the last fetch failed. */
  failureOf(id: string): string | undefined {
    const error = this.failures.get(id)?.error;
    return error ? withDetail(error.message, error.detail) : this.options.fleet?.failureOf(id);
  }

  /** How far a fetch is, 0 to 1, whichever process fetches; undefined when there is none. */
  shareOf(id: string): number | undefined {
    return this.fetches.get(id)?.share ?? this.options.fleet?.shareOf(id);
  }

  /** Seconds after which it is worth asking for the model again. */
  retrySeconds(id: string): number {
    const share = this.shareOf(id) ?? 0;
    const own = this.fetches.get(id);
    const passed = own ? (performance.now() - own.startedAt) / 1000 : (this.options.fleet?.secondsOf(id) ?? 0);
    const left = share > 0.01 ? (passed * (1 - share)) / share : RETRY_SECONDS.most;
    return Math.round(Math.min(RETRY_SECONDS.most, Math.max(RETRY_SECONDS.least, left)));
  }

  /**
   * The model, fetched where it is not there yet. Calls for the same model share one fetch.
   * @param restMilliseconds  how long a failed fetch is not repeated
   * @throws models.missing where it may not be fetched, and whatever its fetch fails with
   */
  async ensure(id: string, restMilliseconds = FAILURE_REST_MILLISECONDS): Promise<InstalledModel> {
    return (await this.options.store.find(id)) ?? this.provide(id, restMilliseconds);
  }

  /**
   * As `ensure`, also if this process has the model: other processes may need a copy.
   * @param isRequested  whether the model was requested after its last failure: the rest was kept, or a person tries again
   */
  async provide(
    id: string,
    restMilliseconds = FAILURE_REST_MILLISECONDS,
    isRequested = false,
  ): Promise<InstalledModel> {
    const { mayFetch, fleet } = this.options;
    if (!mayFetch && !fleet) throw errors.modelMissing(id);
    const failure = this.failures.get(id);
    if (!isRequested && failure && performance.now() - failure.at < restMilliseconds) throw failure.error;
    return (this.fetches.get(id) ?? this.begin(id, restMilliseconds)).done;
  }

  /**
   * Requests that the processes which recognise speech install the model. Resolves when one of them has it.
   * @param restMilliseconds  how long a failed fetch is not repeated
   * @throws as `ensure`
   */
  async request(id: string, restMilliseconds = FAILURE_REST_MILLISECONDS): Promise<void> {
    const { fleet } = this.options;
    if (fleet) await fleet.request(id, restMilliseconds);
    else await this.ensure(id, restMilliseconds);
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.all([this.options.fleet?.stop(), ...[...this.processes].map((process) => process.stop())]);
    await Promise.allSettled([...this.fetches.values()].map(({ done }) => done));
  }

  private begin(id: string, restMilliseconds: number): Fetch {
    const { store, fleet, logger } = this.options;
    const fetch: Fetch = { startedAt: performance.now(), share: 0, done: undefined as never };
    const onShare = (share: number) => {
      fetch.share = share;
    };
    const own = { restMilliseconds, onShare, fetch: (report: (share: number) => void) => this.download(id, report) };
    fetch.done = (fleet ? fleet.bring(id, own) : this.download(id, onShare))
      .then(
        (model) => {
          store.forget();
          this.failures.delete(id);
          return model;
        },
        (thrown: unknown) => {
          const error = toParlanceError(thrown);
          // An error that passes says nothing about the model.
          if (!mustWait(error)) this.failures.set(id, { at: performance.now(), error });
          if (!this.isStopped)
            logger.warn(
              { model: id, code: error.code, reason: withDetail(error.message, error.detail) },
              "no model came",
            );
          throw error;
        },
      )
      .finally(() => this.fetches.delete(id));
    fetch.done.catch(() => undefined);
    this.fetches.set(id, fetch);
    return fetch;
  }

  /** Downloads the model from its source, in a separate process. */
  private async download(id: string, onProgress: (share: number) => void): Promise<InstalledModel> {
    const { store, hub, environment, logger, mayFetch, fleet } = this.options;
    if (!mayFetch) throw errors.modelMissing(id);
    const process = new SupervisedProcess<InstallRequest, InstallResponse>({
      name: "model",
      file: entryFile("./child.js", import.meta.url),
      readyTimeoutMilliseconds: READY_TIMEOUT_MILLISECONDS,
      environment,
    });
    this.processes.add(process);
    logger.info({ model: id }, "a model is being fetched");
    try {
      const timeoutMilliseconds = INSTALL_TIMEOUT_MILLISECONDS;
      const requestedAt = fleet?.now().getTime() ?? Date.now();
      await process.call({ name: id, folder: store.folder, hub, requestedAt }, { timeoutMilliseconds, onProgress });
      store.forget();
      logger.info({ model: id }, "a model is installed");
      return await store.get(id);
    } finally {
      this.processes.delete(process);
      await process.stop();
    }
  }
}
