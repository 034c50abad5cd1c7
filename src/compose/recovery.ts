// Recovery of jobs. At its start, a process recovers every job that needs it. Later, the process that holds the duty recovers those of lost
// processes.
import { repairCounts } from "../platform/storage/db/jobs/account-lanes.ts";
import type { WorkerProcess } from "../platform/storage/db/jobs/leases.ts";
import { whenPossible } from "../platform/storage/when-possible.ts";
import { OutageWatch } from "../service/jobs/outage-watch.ts";
import { recoverJobs } from "../service/jobs/recover.ts";
import { type JobWorker, RECOVER_MILLISECONDS } from "../service/jobs/worker.ts";
import type { Base } from "./base.ts";
import type { Stores } from "./stores.ts";

/** A process with this duty that is lost itself is replaced after this time, as soon as the leases of its jobs expire. */
const HELD_SECONDS = 15;
const REPAIR_MILLISECONDS = 3_600_000;

/** Resolves after the first round. @returns ends the others */
export async function startRecovery(
  { database, objects, logger, duties }: Pick<Stores, "database" | "objects" | "duties"> & Pick<Base, "logger">,
  {
    isOnlyProcess,
    self,
    worker,
    startMilliseconds,
  }: {
    isOnlyProcess: boolean;
    self: WorkerProcess;
    worker: JobWorker;
    /** How long it waits for the database. */
    startMilliseconds: number;
  },
): Promise<() => void> {
  let repairedAt = Number.NEGATIVE_INFINITY;
  const outages = new OutageWatch();
  const round = async () => {
    const recovered = await recoverJobs(
      { database, objects, logger },
      { isOnlyProcess, self, running: worker.runningJobs, sparesExpired: outages.isRecent(performance.now()) },
    );
    if (recovered > 0) logger.info({ count: recovered }, "interrupted jobs went back to the queue");
    if (performance.now() - repairedAt < REPAIR_MILLISECONDS) return;
    const repaired = await repairCounts(database);
    if (repaired > 0)
      logger.warn({ count: repaired }, "the counts of jobs of some accounts were wrong; they were corrected");
    repairedAt = performance.now();
  };
  await whenPossible(round, AbortSignal.timeout(startMilliseconds), (error) => {
    outages.failed(performance.now());
    logger.warn({ err: error }, "waiting for the database");
  });
  // On the embedded database there are no other processes.
  if (isOnlyProcess) return () => undefined;
  let isRunning = false;
  const timer = setInterval(() => {
    if (isRunning) return;
    isRunning = true;
    duties
      .holds("recovery", HELD_SECONDS)
      .then((isHeld) => (isHeld ? round() : undefined))
      .catch((error: unknown) => {
        outages.failed(performance.now());
        logger.warn({ err: error }, "the search for abandoned jobs failed; retrying");
      })
      .finally(() => {
        isRunning = false;
      });
  }, RECOVER_MILLISECONDS);
  return () => clearInterval(timer);
}
