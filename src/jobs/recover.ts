// What a start does about jobs that an earlier process left: those whose process is gone go back to the queue at
// once, the others when their lease runs out. Nothing accepted is forgotten.
import os from "node:os";
import type { Logger } from "pino";
import { errors } from "../errors.ts";
import type { Database } from "../storage/db/database.ts";
import { type Ending, type JobRow, requeueJob, runningJobs } from "../storage/db/jobs.ts";
import type { ObjectStore } from "../storage/objects/object-store.ts";
import { endRecordedJob } from "./end-job.ts";
import { workFolder } from "./stages/stage.ts";

/** Interruptions without any progress in between after which a job is given up. */
const MOST_STRIKES = 5;

export function workerName(): string {
  return `${os.hostname()}:${process.pid}`;
}

function isProcessAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function isAbandoned(row: JobRow, { isOnlyProcess, isStart, now }: RecoverOptions): boolean {
  if (isOnlyProcess) return true;
  if (!row.lease_until || row.lease_until < now) return true;
  // At a start, our own name is that of an earlier process; later it is us who work on it.
  if (row.worker === workerName()) return isStart;
  const [host, processId] = (row.worker ?? "").split(/:(?=\d+$)/);
  if (host !== os.hostname()) return false;
  return !isProcessAlive(Number(processId));
}

export interface RecoverOptions {
  /** No other process can be on this database (the embedded one). */
  isOnlyProcess: boolean;
  /** This process works on nothing yet. */
  isStart: boolean;
  now: Date;
}

/** @returns how many jobs went back to the queue */
export async function recoverJobs(
  services: { database: Database; objects: ObjectStore; logger: Logger },
  options: RecoverOptions,
): Promise<number> {
  const { database, objects, logger } = services;
  let recovered = 0;
  for (const row of await runningJobs(database)) {
    if (!isAbandoned(row, options)) continue;
    if (row.strikes + 1 >= MOST_STRIKES) {
      const { status, message } = errors.jobInterrupted();
      const ending: Ending = {
        status: "error",
        completedAt: options.now,
        errorCode: status,
        errorMessage: message,
      };
      await database.transaction().execute((transaction) => endRecordedJob(transaction, row, ending));
      await objects.removeFolder(workFolder(row.id));
      logger.error({ job: row.id }, "job given up after repeated interruptions");
      continue;
    }
    await requeueJob(database, row.id, row.worker, true);
    recovered++;
  }
  return recovered;
}
