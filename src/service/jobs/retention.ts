// Deletes jobs that no request waits for, and expired audio and jobs with all their data, according to the settings.
import type { Logger } from "pino";
import { fromStatement, type Moment, statementTime } from "../../platform/storage/db/database-time.ts";
import type { Duties } from "../../platform/storage/db/duties.ts";
import { expiredFiles, neverUsedFiles } from "../../platform/storage/db/files/files.ts";
import { forgetTombstones } from "../../platform/storage/db/files/tombstones.ts";
import { expiredUploads } from "../../platform/storage/db/files/uploads.ts";
import { jobsBefore } from "../../platform/storage/db/jobs/jobs.ts";
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
}

const BATCH = 100;
const SWEEP_MILLISECONDS = 60_000;
/** A round may take longer: two processes that remove the same jobs do no harm. */
const HELD_SECONDS = 150;
const DAY_SECONDS = 86_400;

const daysAgo = (days: number) => fromStatement(-days * DAY_SECONDS);

/** One round, which ends early when the signal is aborted. @returns the number of deleted jobs, audio files and uploads that expired */
async function removeExpired(
  services: RemovalServices & { logger: Logger },
  { audioDays, resultDays, unusedUploadDays }: RetentionOptions,
  signal: AbortSignal,
): Promise<{ jobs: number; files: number; uploads: number }> {
  const { database, logger } = services;
  let jobs = 0;
  let files = 0;
  const removeJobs = (column: "completed_at" | "wanted_until", time: Moment) =>
    batchAfterBatch(
      (page) => jobsBefore(database, column, time, page),
      async (job) => {
        jobs += await removeWholeJobs([job.id], services);
      },
      ({ id }, error) => logger.error({ err: error, job: id }, "an expired job could not be deleted"),
      signal,
    );
  await removeJobs("wanted_until", statementTime);
  if (resultDays > 0) await removeJobs("completed_at", daysAgo(resultDays));
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
  if (unusedUploadDays > 0) await removeFiles(neverUsedFiles, unusedUploadDays);
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
  const sweep = () => {
    running ??= services.duties
      .holds("retention", HELD_SECONDS)
      .then(async (isHeld): Promise<unknown> => {
        if (!isHeld) return;
        const removed = await removeExpired({ ...services, logger }, options, signal);
        await forgetTombstones(services.database);
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
      .catch((error: unknown) => logger.error({ err: error }, "expired jobs, audio and uploads could not be deleted"))
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
