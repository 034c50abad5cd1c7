// Deletes what nobody waits for any more, and what has grown old: audio, ended jobs with all that belongs to them, or both,
// as the operator has set.
import type { Logger } from "pino";
import { dropAudio, expiredFiles } from "../storage/db/files.ts";
import { jobsBefore } from "../storage/db/jobs.ts";
import { peaksKey } from "../storage/objects/keys.ts";
import { type RemovalServices, removeWholeJob } from "./remove-job.ts";

export interface RetentionOptions {
  /** 0 keeps for ever; so it is for the next one. */
  audioDays: number;
  resultDays: number;
}

const BATCH = 100;
const SWEEP_MILLISECONDS = 60_000;
const DAY_MILLISECONDS = 86_400_000;

const before = (now: Date, days: number) => new Date(now.getTime() - days * DAY_MILLISECONDS);

/** One round. @returns how many jobs and audio files went */
export async function removeExpired(
  services: RemovalServices,
  { audioDays, resultDays }: RetentionOptions,
  now: Date,
): Promise<{ jobs: number; files: number }> {
  const { database, objects } = services;
  let jobs = 0;
  let files = 0;
  const removeAll = async (column: "completed_at" | "wanted_until", time: Date) => {
    for (;;) {
      const batch = await jobsBefore(database, column, time, BATCH);
      for (const job of batch) if (await removeWholeJob(job, services)) jobs++;
      if (batch.length < BATCH) break;
    }
  };
  await removeAll("wanted_until", now);
  if (resultDays > 0) await removeAll("completed_at", before(now, resultDays));
  if (audioDays > 0) {
    for (;;) {
      const batch = await expiredFiles(database, before(now, audioDays), BATCH);
      for (const { id, object_key } of batch) {
        await Promise.all([object_key, peaksKey(id)].map((key) => objects.remove(key)));
        await dropAudio(database, id, now);
        files++;
      }
      if (batch.length < BATCH) break;
    }
  }
  return { jobs, files };
}

/** Looks again and again. @returns ends it */
export function startRetention(
  services: RemovalServices,
  options: RetentionOptions,
  logger: Logger,
): () => Promise<void> {
  let running: Promise<void> | undefined;
  const sweep = () => {
    running ??= removeExpired(services, options, new Date())
      .then((removed) => {
        if (removed.jobs + removed.files > 0) logger.info(removed, "expired jobs and audio were deleted");
      })
      .catch((error: unknown) => logger.error({ err: error }, "expired jobs and audio could not be deleted"))
      .finally(() => {
        running = undefined;
      });
  };
  const timer = setInterval(sweep, SWEEP_MILLISECONDS);
  timer.unref();
  sweep();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
