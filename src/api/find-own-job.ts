import type { FastifyRequest } from "fastify";
import { errors } from "../platform/errors.ts";
import { isUuid } from "../platform/storage/db/ids.ts";
import { findJobWithFile, type JobWithFile } from "../platform/storage/db/jobs/job-files.ts";
import { findJob } from "../platform/storage/db/jobs/jobs.ts";
import type { JobKind } from "../platform/storage/db/schema.ts";
import type { ApiContext } from "./context.ts";

/**
 * The job of the address, if it is the caller's and of the right kind.
 * @param kind  undefined where both kinds are found
 * @throws request.not_found for an unknown, malformed, foreign or other kind's id alike
 */
export async function findOwnJob(
  request: FastifyRequest,
  { database }: Pick<ApiContext, "database">,
  kind: JobKind | undefined,
): Promise<JobWithFile> {
  const { id } = request.params as { id: string };
  const row = isUuid(id) ? await findJobWithFile(database, id) : undefined;
  if (!row || row.account_id !== request.account.id || (kind && row.kind !== kind)) throw errors.notFound("Job");
  request.subject = { name: "Job", exists: async () => (await findJob(database, row.id)) !== undefined };
  return row;
}
