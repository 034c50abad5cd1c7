// Jobs whose model is not there yet: it is fetched for them, and where that fails they end with what would help. Found in
// the database, so that they are not forgotten over a restart.
import type { Logger } from "pino";
import { errors } from "../errors.ts";
import type { ModelStore } from "../models/store.ts";
import type { ModelSupply } from "../models/supply.ts";
import { WatchLoop } from "../process/watch-loop.ts";
import type { Database } from "../storage/db/database.ts";
import { type JobRow, jobsWaitingForModels } from "../storage/db/jobs.ts";
import { endRecordedJob } from "./end-job.ts";
import type { JobQueue } from "./queue.ts";

export interface WaitingServices {
  database: Database;
  models: ModelStore;
  supply: ModelSupply;
  queue: JobQueue;
  /** The one model that may be fetched without being asked for by name. */
  multilingualModel: string;
  /** No other process can be on this database: one of them may have the model. */
  isOnlyProcess: boolean;
  logger: Logger;
  /** Told when jobs have ended: they may have callbacks. */
  onEnded(): void;
}

const LOOK_MILLISECONDS = 5_000;
/** How long jobs wait for another process to take them that has the model. */
const PATIENCE_MILLISECONDS = 600_000;

export class WaitingForModels {
  private readonly underWay = new Set<string>();
  private readonly watching = new WatchLoop({
    pauseMilliseconds: LOOK_MILLISECONDS,
    look: () => this.look(),
    onFailed: (error) => this.services.logger.warn({ err: error }, "jobs that wait for models were not looked for"),
  });

  constructor(private readonly services: WaitingServices) {}

  start(): void {
    this.watching.start();
  }

  /** A job was accepted that has to wait. */
  wake(): void {
    this.watching.wake();
  }

  stop(): Promise<void> {
    return this.watching.stop();
  }

  private async look(): Promise<boolean> {
    const { database, models } = this.services;
    const installed = (await models.list()).map(({ id }) => id);
    const waiting = await jobsWaitingForModels(database, installed);
    for (const model of new Set(waiting.map((row) => row.model))) {
      if (this.underWay.has(model)) continue;
      this.underWay.add(model);
      this.supplyFor(model)
        .catch((error: unknown) => this.services.logger.error({ err: error, model }, "jobs wait for a model in vain"))
        .finally(() => this.underWay.delete(model));
    }
    return false;
  }

  /** Fetches a model; its jobs go on or end. */
  private async supplyFor(model: string): Promise<void> {
    const { supply, queue, multilingualModel, database, models, isOnlyProcess, onEnded, logger } = this.services;
    try {
      if (model !== multilingualModel) throw errors.modelMissing(model);
      await supply.ensure(model);
      queue.wake();
    } catch (thrown) {
      if (this.watching.isStopping) return;
      const { status, message } = errors.modelNotFetched(model, thrown);
      const installed = (await models.list()).map(({ id }) => id);
      const rows: JobRow[] = installed.includes(model) ? [] : await jobsWaitingForModels(database, installed);
      const before = Date.now() - (isOnlyProcess ? 0 : PATIENCE_MILLISECONDS);
      for (const row of rows.filter((one) => one.model === model && one.created_at.getTime() <= before)) {
        const ending = { status: "error", completedAt: new Date(), errorCode: status, errorMessage: message } as const;
        await database
          .transaction()
          .execute((transaction) => endRecordedJob(transaction, row, ending))
          .catch((error: unknown) => logger.error({ err: error, job: row.id }, "a job could not be ended"));
      }
      if (rows.length > 0) onEnded();
    }
  }
}
