// Models that several processes share. One process fetches a model, and stores a copy in the object store; the others install that copy. Rows
// of the database (platform/storage/db/fleet-models.ts) show every process what is wanted, how far a fetch is, what failed, what was removed.
import type { Logger } from "pino";
import { errors, withDetail } from "../../platform/errors.ts";
import { sleep } from "../../platform/process/sleep.ts";
import { WatchLoop } from "../../platform/process/watch-loop.ts";
import type { Database } from "../../platform/storage/db/database.ts";
import { databaseTime } from "../../platform/storage/db/database-time.ts";
import {
  claimFetch,
  endFetch,
  type FleetModel,
  fleetModel,
  fleetModels,
  markRemoved,
  renewFetch,
  wantCopy,
  wantModel,
} from "../../platform/storage/db/fleet-models.ts";
import type { Signals } from "../../platform/storage/db/signals.ts";
import type { ObjectStore } from "../../platform/storage/objects/object-store.ts";
import { FailedCopies } from "./failed-copies.ts";
import { errorOf, failureOf } from "./fetch-failures.ts";
import type { Manifest } from "./manifest.ts";
import { installCopy, removeCopy, storeCopy } from "./model-copies.ts";
import type { OtherProcesses } from "./other-processes.ts";
import type { InstalledModel, ModelStore } from "./store.ts";

type Row = FleetModel<Manifest>;

/** Longest pause without a notification, and without a pulse of the database that names a change. */
const IDLE_MILLISECONDS = 600_000;
/** Interval of reading the state of a running fetch, and of renewing the hold of this process. */
const FETCHING_MILLISECONDS = 1_000;
/** Longest wait for a process to begin with a wanted model. A process that can fetch or has the model begins earlier. */
const MOST_WANTED_SECONDS = 60;
/** After this time, a request for a model that no process has begun to fetch starts again: a process that can fetch it may run by then. */
const WANTED_AGAIN_SECONDS = 600;

export interface FleetOptions {
  database: Database;
  /** Name of this process, unlike that of every other one. */
  holder: string;
  store: ModelStore;
  objects: ObjectStore;
  others: OtherProcesses;
  signals: Pick<Signals, "on" | "onPulse">;
  /** Whether this process recognises speech. Such a process installs every model of the fleet. */
  follows: boolean;
  mayFetch: boolean;
  logger: Logger;
}

/** The fetch of a model by this process. */
export interface OwnFetch {
  /** A failed fetch is repeated after this time. */
  restMilliseconds: number;
  /** From the source. */
  fetch(onShare: (share: number) => void): Promise<InstalledModel>;
  onShare(share: number): void;
}

/** Installs a model. @param isRequested  whether the model was requested after its last failure */
type Provide = (name: string, isRequested: boolean) => Promise<unknown>;

/** Whether another process is likely to get the model. A process that may fetch takes over a fetch whose process was lost. */
function isExpected(row: Row | undefined): boolean {
  const waited = row?.state === "wanted" ? row.ageSeconds : row?.state === "fetching" ? row.lostSeconds : undefined;
  return waited !== undefined && waited < MOST_WANTED_SECONDS;
}

export class FleetModels {
  private rows: readonly Row[] = [];
  private readonly requests = new Map<string, Promise<void>>();
  private readonly stopping = new AbortController();
  private provide: Provide | undefined;
  private onChanged = () => {};
  private readonly failedCopies = new FailedCopies();
  private readonly watching = new WatchLoop({
    pauseMilliseconds: IDLE_MILLISECONDS,
    look: (signal) => this.look(signal),
    onFailed: (error) => this.options.logger.warn({ err: error }, "the models of the fleet could not be read"),
  });

  constructor(private readonly options: FleetOptions) {}

  /** @param onChanged  called when the models of this process may have changed */
  async start(provide: Provide, onChanged: () => void): Promise<void> {
    this.provide = provide;
    this.onChanged = onChanged;
    this.rows = await fleetModels(this.options.database);
    const { signals } = this.options;
    signals.on("models", () => this.watching.wake());
    signals.onPulse((pulse) => {
      if (pulse.models) this.watching.wake();
    });
    this.watching.start();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.watching.stop();
  }

  /** By the clock of the database, which decides whether a model was installed before it was removed. */
  now(): Date {
    return databaseTime(this.options.database);
  }

  /** Models that every process can install from the object store. */
  copied(): Manifest[] {
    return this.rows.flatMap(({ state, hasCopy, manifest }) =>
      state === "stored" && hasCopy && manifest ? [manifest] : [],
    );
  }

  /** How far another process is, 0 to 1; 1 when the model can be copied. */
  shareOf(name: string): number | undefined {
    const row = this.row(name);
    if (row?.state === "stored" && row.hasCopy) return 1;
    return isExpected(row) ? row?.share : undefined;
  }

  /** Seconds since the fetch began. */
  secondsOf(name: string): number {
    return this.row(name)?.ageSeconds ?? 0;
  }

  /** Why the last fetch failed. */
  failureOf(name: string): string | undefined {
    const failure = this.row(name)?.failure;
    return failure ? withDetail(failure.message, failure.detail) : undefined;
  }

  /** Whether the model is being fetched or can be copied, or was requested while no process could begin. */
  isWanted(name: string): boolean {
    return this.shareOf(name) !== undefined || this.row(name)?.state === "wanted";
  }

  /** Whether another process is likely to get the model soon, by the database: it fetches the model, or is a worker that can copy it from the bucket. */
  async isComingElsewhere(name: string): Promise<boolean> {
    const { database, others } = this.options;
    const row = await fleetModel<Manifest>(database, name);
    if (isExpected(row)) return true;
    const isCopied = row?.state === "stored" && row.hasCopy && others.isRunning("worker");
    return isCopied && this.failedCopies.mayWorkElsewhere(name, row.ageSeconds);
  }

  /**
   * Requests that the processes which recognise speech install a model. Resolves when one of them has it. Calls for the same model share
   * one request: clients repeat theirs while it is fetched.
   * @throws models.missing if it may not be fetched, or no process begins; why its fetch failed, then or less than `restMilliseconds` ago
   */
  request(name: string, restMilliseconds: number): Promise<void> {
    const request =
      this.requests.get(name) ?? this.untilStored(name, restMilliseconds).finally(() => this.requests.delete(name));
    this.requests.set(name, request);
    return request;
  }

  private async untilStored(name: string, restMilliseconds: number): Promise<void> {
    const { database, mayFetch, others, store } = this.options;
    const hasModel =
      others.hasModel("worker", name) || others.hasModel("live", name) || (await store.find(name)) !== undefined;
    for (let isFirst = true; ; isFirst = false) {
      this.stopping.signal.throwIfAborted();
      const row = await fleetModel<Manifest>(database, name);
      const isRecent = row !== undefined && (!isFirst || row.ageSeconds * 1000 < restMilliseconds);
      if (row?.state === "failed" && row.failure && isRecent) throw errorOf(row.failure);
      if (row?.state === "stored") return;
      const isUnanswered = row?.state === "wanted" && row.ageSeconds >= MOST_WANTED_SECONDS;
      if (isUnanswered && (!isFirst || row.ageSeconds < WANTED_AGAIN_SECONDS)) throw errors.modelMissing(name);
      if (!mayFetch && !hasModel && this.shareOf(name) === undefined) throw errors.modelMissing(name);
      if (isFirst) {
        await wantModel(database, name, WANTED_AGAIN_SECONDS);
        // The next GET /v2/models shows the request, also without notifications of the database.
        this.watching.wake();
      } else if (row?.state === "removed") throw errors.modelMissing(name);
      await sleep(FETCHING_MILLISECONDS, this.stopping.signal);
    }
  }

  /** Installs a model in this process: from the object store, or from its source if no other process fetches it. */
  async bring(name: string, own: OwnFetch): Promise<InstalledModel> {
    const { database, store, mayFetch, holder } = this.options;
    const { signal } = this.stopping;
    for (let isFirst = true; ; isFirst = false) {
      signal.throwIfAborted();
      store.forget();
      const known = await store.find(name);
      const row = await fleetModel<Manifest>(database, name);
      const isFree = row !== undefined && (row.state === "wanted" || row.isLost);
      if (known && !isFree) return known;
      if (row?.state === "stored" && row.manifest) {
        if (!row.hasCopy) return own.fetch(own.onShare);
        const copied = await this.copy(row.manifest, name);
        if (copied) return copied;
        continue;
      }
      const isRecent = row !== undefined && (!isFirst || row.ageSeconds * 1000 < own.restMilliseconds);
      if (row?.state === "failed" && row.failure && isRecent) throw errorOf(row.failure);
      if (row?.state === "removed" && !isFirst) throw errors.modelMissing(name);
      if (!known && !mayFetch && !isExpected(row)) throw errors.modelMissing(name);
      if ((known || mayFetch) && (await claimFetch(database, name, holder))) return this.fetchForAll(name, own, known);
      own.onShare(row?.share ?? 0);
      await sleep(FETCHING_MILLISECONDS, signal);
    }
  }

  /** Removes a model from every process. @param id  of a model that one of them has */
  async remove(id: string): Promise<void> {
    const { database, objects, logger } = this.options;
    const names = this.rows.filter(({ manifest }) => manifest?.id === id).map(({ name }) => name);
    for (const name of new Set([id, ...names])) await markRemoved(database, name);
    if (objects.kind === "bucket")
      await removeCopy(id, objects).catch((error: unknown) =>
        logger.warn(
          { err: error, model: id },
          "files of a removed model stay in the object store; the next fetch replaces them",
        ),
      );
    this.watching.wake();
  }

  private row(name: string): Row | undefined {
    return this.rows.find((row) => row.name === name);
  }

  private async fetchForAll(name: string, own: OwnFetch, known: InstalledModel | undefined): Promise<InstalledModel> {
    const { database, holder, objects, logger } = this.options;
    let share = 0;
    const onShare = (value: number) => {
      share = value;
      own.onShare(value);
    };
    const renew = () => renewFetch(database, name, holder, share).catch(() => undefined);
    const renewing = setInterval(renew, FETCHING_MILLISECONDS).unref();
    try {
      const model = known ?? (await own.fetch(onShare));
      const { manifest, folder } = model;
      const hasCopy =
        manifest !== undefined && folder !== undefined
          ? await storeCopy(folder, manifest, objects, this.stopping.signal).catch((error: unknown) => {
              this.stopping.signal.throwIfAborted();
              logger.warn({ err: error, model: name }, "a model could not be copied to the object store");
              return false;
            })
          : false;
      const ending = { state: "stored" as const, manifest: manifest ?? {}, hasCopy };
      await endFetch(database, name, holder, ending).catch((error: unknown) =>
        logger.warn({ err: error, model: name }, "the other processes could not be notified of a model"),
      );
      return model;
    } catch (error) {
      // A process that stops leaves the fetch to another one.
      const ending = this.stopping.signal.aborted
        ? { state: "wanted" as const }
        : { state: "failed" as const, failure: failureOf(error) };
      await endFetch(database, name, holder, ending).catch(() => undefined);
      throw error;
    } finally {
      clearInterval(renewing);
    }
  }

  /**
   * @returns undefined if another copy was requested: the files are missing in the object store, or their content is wrong
   * @throws why it cannot be installed
   */
  private async copy(manifest: Manifest, name: string): Promise<InstalledModel | undefined> {
    const { database, store, objects, logger } = this.options;
    try {
      await installCopy(manifest, store, objects, this.stopping.signal);
    } catch (error) {
      if (!this.failedCopies.noteFailure(name, error)) throw error;
      await wantCopy(database, name);
      return undefined;
    }
    this.failedCopies.installed(name);
    logger.info({ model: name }, "a model was copied from the object store");
    this.onChanged();
    return store.get(manifest.id);
  }

  private async look(signal: AbortSignal): Promise<boolean> {
    this.rows = await fleetModels(this.options.database);
    this.onChanged();
    for (const row of this.rows) await this.follow(row);
    if (!this.rows.some(isExpected)) return false;
    await sleep(FETCHING_MILLISECONDS, signal);
    return true;
  }

  private async follow({ name, state, isLost, hasCopy, manifest, changedAt }: Row): Promise<void> {
    const { store, follows, mayFetch, logger } = this.options;
    const local = await store.find(manifest?.id ?? name);
    if (state === "removed") {
      if (!local?.manifest || Date.parse(local.manifest.installedAt) > changedAt.getTime()) return;
      await store.remove(local.id).catch((error: unknown) => {
        logger.warn({ err: error, model: name }, "a model that was removed from the fleet stays in this process");
      });
      return this.onChanged();
    }
    if (!follows && local === undefined) return;
    const isFree = (state === "wanted" || isLost) && (mayFetch || local !== undefined);
    const isMissing = state === "stored" && hasCopy && local === undefined;
    // ModelSupply logs the failure, and the row contains it.
    if (isFree || isMissing) this.provide?.(name, state === "wanted").catch(() => undefined);
  }
}
