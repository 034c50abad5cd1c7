// Recovers the jobs of an earlier process at a start: jobs of a dead process are requeued at once, others when their
// lease expires. No accepted job is lost, and no row prevents the service from starting.
import type { Logger } from "pino";
import { errors } from "../errors.ts";
import type { Database } from "../storage/db/database.ts";
import { findJob, type JobRow, requeueJob, runningJobs } from "../storage/db/jobs.ts";
import { eachApart } from "../storage/each-apart.ts";
import type { ObjectStore } from "../storage/objects/object-store.ts";
import { endRecordedJob, failedEnding } from "./end-job.ts";
import { workFolder } from "./stages/stage.ts";

/** A longer lease means that the clock was ahead when it was written; differences between machines are smaller. */
const IMPOSSIBLE_LEASE_MILLISECONDS = 3_600_000;

/** Interruptions without progress after which a job fails. */
const MOST_STRIKES = 5;

/** A process of a data folder: its machine name, and the number of starts of the folder. */
export interface WorkerProcess {
  machine: string;
  generation: number;
}

export function workerName({ machine, generation }: WorkerProcess): string {
  return `${machine}#${generation}`;
}

/** Process ids are not used, as two containers may have the same ones. A lock allows one process per data folder. */
function isAbandoned(
  row: Pick<JobRow, "lease_until" | "worker">,
  { isOnlyProcess, self, now }: RecoverOptions,
): boolean {
  if (isOnlyProcess) return true;
  if (!row.lease_until || row.lease_until < now) return true;
  if (row.lease_until.getTime() - now.getTime() > IMPOSSIBLE_LEASE_MILLISECONDS) return true;
  const [machine, generation] = (row.worker ?? "").split("#");
  return machine === self.machine && Number(generation) < self.generation;
}

export interface RecoverOptions {
  /** Whether no other process can use this (embedded) database. */
  isOnlyProcess: boolean;
  self: WorkerProcess;
  now: Date;
}

interface RecoverServices {
  database: Database;
  objects: ObjectStore;
  logger: Logger;
}

async function failJob(id: string, now: Date, services: RecoverServices): Promise<void> {
  const { database, objects, logger } = services;
  const row = await findJob(database, id);
  if (!row) return;
  await endRecordedJob(services, row, failedEnding(errors.jobInterrupted(), now));
  logger.error({ job: row.id }, "job failed after repeated interruptions");
  await objects
    .removeFolder(workFolder(row.id))
    .catch((error: unknown) => logger.warn({ err: error, job: row.id }, "working files of a job could not be removed"));
}

/**
 * A job whose row cannot be changed is left as it is, and the reason is logged.
 * @returns the number of requeued jobs
 * @throws database.unavailable
 */
export async function recoverJobs(services: RecoverServices, options: RecoverOptions): Promise<number> {
  const { database, logger } = services;
  const abandoned = (await runningJobs(database)).filter((row) => isAbandoned(row, options));
  let recovered = 0;
  await eachApart(
    abandoned,
    async (row) => {
      if (row.strikes + 1 >= MOST_STRIKES) return failJob(row.id, options.now, services);
      await requeueJob(database, row.id, row.worker, true);
      recovered++;
    },
    (row, error) => logger.error({ err: error, job: row.id }, "an interrupted job could not be recovered"),
  );
  return recovered;
}
