// Deletes jobs that no request waits for, and expired audio and jobs with all their data, according to the settings.
import type { Logger } from "pino";
import { fromStatement, type Moment, statementTime } from "../../platform/storage/db/database-time.ts";
import { fillDeliveryAccounts } from "../../platform/storage/db/deliveries/delivery-lists.ts";
import type { Duties } from "../../platform/storage/db/duties.ts";
import { expiredFiles, markUsedFiles, neverUsedFiles } from "../../platform/storage/db/files/files.ts";
import { forgetTombstones } from "../../platform/storage/db/files/tombstones.ts";
import { expiredUploads } from "../../platform/storage/db/files/uploads.ts";
import { jobsBefore, type StillSending } from "../../platform/storage/db/jobs/jobs.ts";
import { forgetExpiredShares } from "../../platform/storage/db/jobs/shares.ts";
import { eachApart } from "../../platform/storage/each-apart.ts";
import { removeUploads } from "../uploads/remove-uploads.ts";
import { type RemovalServices, removeAudio, removeWholeJobs } from "./remove-job.ts";
import { finishRemovals } from "./remove-objects.ts";

export interface RetentionOptions {
  /** 0 keeps it forever, as in the next field. */
  audioDays: number;
  resultDays: number;
  /** For uploads that no job has used. */
  unusedUploadDays: number;
  /** How long a failing callback is retried. Until then, its job keeps the result that it sends. */
  callbackRetrySeconds: number;
}

const BATCH = 100;
/** Rows that one statement fills in. */
const FILLED_BATCH = 1_000;
/** The last attempt of a callback begins when the time for retries is over. */
const LAST_ATTEMPT_SECONDS = 3_600;
const SWEEP_MILLISECONDS = 60_000;
/** A round may take longer: two processes that remove the same jobs do no harm. */
const HELD_SECONDS = 150;
const DAY_SECONDS = 86_400;
/** A statement that took longer waited for a database that was away. */
const OUTAGE_MILLISECONDS = 10_000;

const daysAgo = (days: number) => fromStatement(-days * DAY_SECONDS);

/**
 * One round, which ends early when the signal is aborted.
 * @param removesUnwanted  whether jobs are deleted that requests no longer wait for
 * @returns the number of deleted jobs, audio files and uploads that expired
 */
async function removeExpired(
  services: RemovalServices & { logger: Logger },
  { audioDays, resultDays, unusedUploadDays, callbackRetrySeconds }: RetentionOptions,
  removesUnwanted: boolean,
  signal: AbortSignal,
): Promise<{ jobs: number; files: number; uploads: number }> {
  const { database, logger } = services;
  let jobs = 0;
  let files = 0;
  const removeJobs = (column: "completed_at" | "wanted_until", time: Moment, sending?: StillSending) =>
    batchAfterBatch(
      (page) => jobsBefore(database, column, time, page, sending),
      async (job) => {
        jobs += await removeWholeJobs([job.id], services, column === "wanted_until");
      },
      ({ id }, error) => logger.error({ err: error, job: id }, "an expired job could not be deleted"),
      signal,
    );
  if (removesUnwanted) await removeJobs("wanted_until", statementTime);
  if (resultDays > 0) {
    const sendingSeconds = callbackRetrySeconds + LAST_ATTEMPT_SECONDS;
    await removeJobs("completed_at", daysAgo(resultDays), {
      since: fromStatement(-sendingSeconds),
      madeSince: fromStatement(-resultDays * DAY_SECONDS - sendingSeconds),
    });
  }
  const removeFiles = (find: typeof expiredFiles, days: number) =>
    batchAfterBatch(
      (page) => find(database, daysAgo(days), page),
      async ({ id }) => {
        if (!(await removeAudio(id, services)).isInUse) files++;
      },
      ({ id }, error) => logger.error({ err: error, file: id }, "expired audio could not be deleted"),
      signal,
    );
  if (audioDays > 0) await removeFiles(expiredFiles, audioDays);
  if (unusedUploadDays > 0) {
    await untilFewer(() => markUsedFiles(database, daysAgo(unusedUploadDays), FILLED_BATCH), signal);
    await removeFiles(neverUsedFiles, unusedUploadDays);
  }
  let uploads = 0;
  await batchAfterBatch(
    (page) => expiredUploads(database, page),
    async ({ id }) => {
      uploads += await removeUploads([id], services, true);
    },
    ({ id }, error) => logger.error({ err: error, upload: id }, "an expired upload could not be deleted"),
    signal,
  );
  return { jobs, files, uploads };
}

/** Repeats a change of FILLED_BATCH rows while there are more. @param change  returns how many it changed */
async function untilFewer(change: () => Promise<number>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await change()) >= FILLED_BATCH);
}

/** Rows that failed come first again, so the next batch skips them. */
async function batchAfterBatch<Row>(
  next: (page: { limit: number; offset: number }) => Promise<Row[]>,
  remove: (row: Row) => Promise<void>,
  onFailed: (row: Row, error: unknown) => void,
  signal: AbortSignal,
): Promise<void> {
  let failed = 0;
  while (!signal.aborted) {
    const batch = await next({ limit: BATCH, offset: failed });
    failed += await eachApart(batch, remove, onFailed, signal);
    if (batch.length < BATCH) return;
  }
}

/**
 * Runs rounds at intervals.
 * @param tidyDatabase  called after each round
 * @returns stops it: a round that runs ends after the present row
 */
export function startRetention(
  services: RemovalServices & { duties: Pick<Duties, "holds"> },
  options: RetentionOptions,
  logger: Logger,
  tidyDatabase: () => Promise<unknown> = async () => undefined,
): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<void> | undefined;
  /**
   * Without an outage of the database since the last round. After one, requests that wait in other processes have yet to renew that they wait
   * for their jobs. A process that starts may have missed it.
   */
  let isSteady = services.isOnlyProcess;
  const sweep = () => {
    const began = performance.now();
    running ??= services.duties
      .holds("retention", HELD_SECONDS)
      .then(async (isHeld): Promise<unknown> => {
        const removesUnwanted = isSteady && performance.now() - began < OUTAGE_MILLISECONDS;
        isSteady = true;
        if (!isHeld) return;
        const removed = await removeExpired({ ...services, logger }, options, removesUnwanted, signal);
        await forgetTombstones(services.database);
        await untilFewer(() => fillDeliveryAccounts(services.database, FILLED_BATCH), signal);
        await forgetExpiredShares(services.database);
        if (removed.jobs + removed.files + removed.uploads > 0)
          logger.info(removed, "expired jobs, audio and uploads were deleted");
        return finishRemovals(
          services,
          (key, error) =>
            logger.error(
              { err: error, key },
              "an object of deleted data could not be removed; it is tried again in an hour",
            ),
          signal,
        );
      })
      .catch((error: unknown) => {
        isSteady = false;
        logger.error({ err: error }, "expired jobs, audio and uploads could not be deleted");
      })
      .then(async () => {
        if (!signal.aborted) await tidyDatabase();
      })
      .catch((error: unknown) => logger.warn({ err: error }, "the database could not be vacuumed"))
      .then(() => {
        running = undefined;
      });
  };
  const timer = setInterval(sweep, SWEEP_MILLISECONDS);
  timer.unref();
  sweep();
  return async () => {
    clearInterval(timer);
    stopping.abort();
    await running;
  };
}
