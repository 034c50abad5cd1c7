// Recovers jobs whose process no longer runs, or whose lease has expired: they go back to the queue, or fail after too many
// interruptions. No accepted job is lost, and no row prevents the service from starting.
import type { Logger } from "pino";
import { errors } from "../../platform/errors.ts";
import type { Database } from "../../platform/storage/db/database.ts";
import { databaseTime } from "../../platform/storage/db/database-time.ts";
import type { Hold } from "../../platform/storage/db/jobs/held-jobs.ts";
import { findJob } from "../../platform/storage/db/jobs/jobs.ts";
import {
  isFullBatch,
  type Recovered,
  type Recovery,
  recoverExpired,
  runningJobs,
} from "../../platform/storage/db/jobs/leases.ts";
import { eachApart } from "../../platform/storage/each-apart.ts";
import type { ObjectStore } from "../../platform/storage/objects/object-store.ts";
import { mustWait } from "../../platform/storage/when-possible.ts";
import { endRecordedJob, failedEnding, removeLeft } from "./end-job.ts";

/** Interruptions without progress after which a job fails. */
const MOST_STRIKES = 5;

export type RecoverOptions = Omit<Recovery, "mostStrikes">;

interface RecoverServices {
  database: Database;
  objects: ObjectStore;
  logger: Logger;
}

async function failJob(hold: Hold, services: RecoverServices): Promise<void> {
  const { database, logger } = services;
  const row = await findJob(database, hold.id);
  if (!row) return;
  const ending = failedEnding(errors.jobInterrupted(), databaseTime(database));
  if (!(await endRecordedJob(services, row, ending, { hold }))) return;
  logger.error({ job: row.id }, "job failed after repeated interruptions");
  await removeLeft(services, row, ending);
}

/**
 * A job whose row cannot be changed is left as it is, and the reason is logged.
 * @returns the number of requeued jobs
 * @throws database.unavailable
 */
export async function recoverJobs(services: RecoverServices, options: RecoverOptions): Promise<number> {
  const { database, logger } = services;
  // A job that cannot be ended is not recovered a second time.
  const running = [...options.running];
  const recovery = { ...options, running, mostStrikes: MOST_STRIKES };
  let recovered = 0;
  const complete = async ({ requeued, exhausted }: Recovered) => {
    recovered += requeued.length;
    running.push(...exhausted.map(({ id }) => id));
    await eachApart(
      exhausted,
      (hold) => failJob(hold, services),
      ({ id }, error) => logger.error({ err: error, job: id }, "an interrupted job could not be ended"),
    );
  };
  try {
    for (;;) {
      const batch = await recoverExpired(database, recovery);
      await complete(batch);
      if (!isFullBatch(batch)) return recovered;
    }
  } catch (error) {
    if (mustWait(error)) throw error;
    // A damaged row: the others are recovered one by one.
    logger.warn({ err: error }, "interrupted jobs could not be recovered together");
  }
  await eachApart(
    await runningJobs(database),
    async (id) => complete(await recoverExpired(database, recovery, [id])),
    (id, error) => logger.error({ err: error, job: id }, "an interrupted job could not be recovered"),
  );
  return recovered;
}
