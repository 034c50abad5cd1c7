// The finished job that add-ons are made for.
import { errors } from "../../../platform/errors.ts";
import { findJob, type JobRow } from "../../../platform/storage/db/jobs/jobs.ts";
import { spokenIn } from "../../intelligence/process/calls/add-to-result.ts";
import type { Spoken } from "../../intelligence/process/message.ts";
import type { StageContext } from "./stage.ts";

/** A job with a result. */
export type FinishedJob = JobRow & { result_key: string };

/** @throws add_ons.outdated if the job was deleted, or is made again */
export async function finishedJob({ job, services }: StageContext): Promise<FinishedJob> {
  const row = job.addedTo === null ? undefined : await findJob(services.database, job.addedTo);
  if (row?.status !== "done" || row.result_key === null) throw errors.addOnsOutdated();
  return { ...row, result_key: row.result_key };
}

/** Another process reads the result, which may have the words of many hours. */
export async function spokenOf({ result_key }: FinishedJob, { job, services, signal }: StageContext): Promise<Spoken> {
  const { objects, resultProcesses } = services;
  return spokenIn(resultProcesses, job.accountId, await objects.localPath(result_key), signal);
}
