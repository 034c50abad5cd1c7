// Jobs whose model is not installed: fetches the model, or ends them with an explanation. They are found in the
// database, so that none is lost in a restart.

import type { Logger } from "pino";
import { parseJobParameters } from "../../contract/job-parameters.ts";
import { errors } from "../../platform/errors.ts";
import { WatchLoop } from "../../platform/process/watch-loop.ts";
import type { Database } from "../../platform/storage/db/database.ts";
import { databaseTime } from "../../platform/storage/db/database-time.ts";
import { findJob, type JobRow, jobsWaitingForModels, useModel } from "../../platform/storage/db/jobs/jobs.ts";
import { eachApart } from "../../platform/storage/each-apart.ts";
import { mustWait } from "../../platform/storage/when-possible.ts";
import type { FleetModels } from "../models/fleet-models.ts";
import type { OtherProcesses } from "../models/other-processes.ts";
import { languageRequestOf, type PlanSettings, planSpeech } from "../models/speech-plan.ts";
import type { ModelStore } from "../models/store.ts";
import type { ModelSupply } from "../models/supply.ts";
import { endRecordedJob, failedEnding } from "./end-job.ts";
import type { JobQueue } from "./queue.ts";
import { wantedModelOf } from "./stages/foreign-speech.ts";

export interface WaitingServices {
  database: Database;
  models: ModelStore;
  supply: ModelSupply;
  queue: JobQueue;
  /** The only model that is fetched without being requested by name. */
  multilingualModel: string;
  speech: PlanSettings;
  /** Undefined in the only process. */
  fleet: FleetModels | undefined;
  others: OtherProcesses;
  /** Reads what the other processes report at present. */
  readOthers(): Promise<void>;
  logger: Logger;
  /** Called when jobs have ended, which may have callbacks. */
  onEnded(): void;
}

const POLL_MILLISECONDS = 60_000;
/** Least pause between looks while jobs wait. */
const WAITING_MILLISECONDS = 5_000;

export class WaitingForModels {
  private readonly fetching = new Set<string>();
  private noticedAt = Number.NEGATIVE_INFINITY;
  private readonly watching = new WatchLoop({
    pauseMilliseconds: POLL_MILLISECONDS,
    look: () => this.fetchMissing(),
    onFailed: (error) => this.services.logger.warn({ err: error }, "could not query the jobs that wait for models"),
  });

  constructor(private readonly services: WaitingServices) {}

  start(): void {
    this.watching.start();
  }

  /** Called when a job was accepted that has to wait. */
  wake(): void {
    this.watching.wake();
  }

  /** Called at intervals while jobs wait, for any reason. */
  noticeWaiting(): void {
    if (performance.now() - this.noticedAt < WAITING_MILLISECONDS) return;
    this.noticedAt = performance.now();
    this.wake();
  }

  stop(): Promise<void> {
    return this.watching.stop();
  }

  private async fetchMissing(): Promise<boolean> {
    const { database, models } = this.services;
    const installed = (await models.list()).map(({ id }) => id);
    const waiting = await jobsWaitingForModels(database, installed);
    for (const model of new Set(waiting.map((row) => row.model))) {
      if (this.fetching.has(model)) continue;
      this.fetching.add(model);
      this.fetchModel(model)
        .catch((error: unknown) =>
          this.services.logger.error({ err: error, model }, "the model that jobs wait for could not be provided"),
        )
        .finally(() => this.fetching.delete(model));
    }
    return false;
  }

  /** Fetches a model; its jobs then continue or end. */
  private async fetchModel(model: string): Promise<void> {
    const { supply, queue, multilingualModel, database, models, fleet, onEnded, logger } = this.services;
    try {
      if (model !== multilingualModel && fleet?.isWanted(model) !== true) throw errors.modelMissing(model);
      await supply.ensure(model);
      queue.wake();
    } catch (thrown) {
      // A passing error says nothing about the model.
      if (this.watching.isStopping || mustWait(thrown)) return;
      if (await this.isElsewhere(model)) return;
      const error = errors.modelNotFetched(model, thrown);
      logger.warn({ err: error, model }, "jobs that wait for a model end as errors");
      const installed = (await models.list()).map(({ id }) => id);
      const rows = installed.includes(model) ? [] : await jobsWaitingForModels(database, installed);
      await eachApart(
        rows.filter((one) => one.model === model),
        async ({ id }) => {
          const row = await findJob(database, id);
          if (row === undefined) return;
          const other = await this.installedModelFor(row);
          if (other === undefined)
            await endRecordedJob({ database, logger }, row, failedEnding(error, databaseTime(database)), {
              hold: null,
            });
          else await useModel(database, id, other);
        },
        (row, error) => logger.error({ err: error, job: row.id }, "a job could not be ended"),
      );
      if (rows.length === 0) return;
      onEnded();
      queue.wake();
    }
  }

  /** Whether another process can do the jobs of a model, or may be able to soon. */
  private async isElsewhere(model: string): Promise<boolean> {
    const { fleet, others, readOthers } = this.services;
    if (!fleet) return false;
    await readOthers();
    return others.mayHaveModel("worker", model) || fleet.isComingElsewhere(model);
  }

  /**
   * The model that recognised the job's speech before another language was detected.
   * @returns undefined if the request itself names the missing language or model
   */
  private async installedModelFor(row: JobRow): Promise<string | undefined> {
    if (wantedModelOf(row.stage_outputs) === undefined) return undefined;
    const { models, speech } = this.services;
    const installed = await models.list();
    const { model } = planSpeech(languageRequestOf(parseJobParameters(row.request_params)), installed, {
      ...speech,
      fetchModels: false,
    });
    return installed.find(({ id }) => id === model)?.id;
  }
}
