// DELETE of one job: its record, result, working files and audio go.
import type { FastifyRequest } from "fastify";
import { errorResponses } from "../../contract/errors.ts";
import { JobIdParams, JobRemovalQuery } from "../../contract/job.ts";
import { noContent } from "../../contract/responses.ts";
import { errors } from "../../platform/errors.ts";
import type { JobWithFile } from "../../platform/storage/db/jobs/job-files.ts";
import type { JobKind } from "../../platform/storage/db/schema.ts";
import { removeWholeJobs } from "../../service/jobs/remove-job.ts";
import type { Api, ApiContext } from "../context.ts";
import { findOwnJob } from "../find-own-job.ts";
import type { JobRoute } from "./get.ts";

export type RemovalContext = Pick<
  ApiContext,
  "database" | "isOnlyProcess" | "live" | "objects" | "quarantine" | "worker"
>;

/** @returns the job that was deleted @throws request.not_found, job.not_finished */
export async function removeOwnJob(
  request: FastifyRequest,
  context: RemovalContext,
  kind: JobKind | undefined,
  cancels: boolean,
): Promise<JobWithFile> {
  const found = await findOwnJob(request, context, kind);
  // This request deletes it: a failure has another reason.
  request.subject = undefined;
  const isUnfinished = found.status === "queued" || found.status === "processing";
  if (isUnfinished && !cancels) throw errors.jobNotFinished(found.status);
  if ((await removeWholeJobs([found.id], context)) === 0) throw errors.notFound("Job");
  return found;
}

export function addRemove(app: Api, context: RemovalContext, { path, kind, tag }: JobRoute): void {
  app.delete(
    `${path}/:id`,
    {
      schema: {
        tags: [tag],
        summary: "Delete a job with its audio and result",
        params: JobIdParams,
        querystring: JobRemovalQuery,
        response: { 202: noContent("Deleted"), ...errorResponses(400, 401, 403, 404, 413, 415) },
      },
    },
    async (request, reply) => {
      await removeOwnJob(request, context, kind, request.query.cancel === "true");
      return reply.code(202).send(undefined as never);
    },
  );
}
