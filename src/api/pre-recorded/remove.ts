// DELETE of one job: its record, result, working files and audio go.
import { Type } from "@sinclair/typebox";
import { errors } from "../../errors.ts";
import { workFolder } from "../../jobs/stages/stage.ts";
import { removeFileIfUnused } from "../../storage/db/files.ts";
import { removeJob } from "../../storage/db/jobs.ts";
import type { Api, ApiContext } from "../context.ts";
import { findOwnJob } from "../find-own-job.ts";
import { errorResponses } from "../schemas/errors.ts";
import { Enum } from "../schemas/fields.ts";
import { JobIdParams } from "../schemas/job.ts";
import type { JobRoute } from "./get.ts";

const RemoveQuery = Type.Object({
  cancel: Type.Optional(Enum(["true", "false"], { description: "Stop the job first if it has not ended" })),
});

export function addRemove(app: Api, context: ApiContext, { path, kind, tag }: JobRoute): void {
  const { database, live, objects, queue, worker } = context;
  app.delete(
    `${path}/:id`,
    {
      schema: {
        tags: [tag],
        summary: "Delete a job with its audio and result",
        params: JobIdParams,
        querystring: RemoveQuery,
        response: { 202: Type.Null({ description: "Deleted" }), ...errorResponses(400, 401, 403, 404) },
      },
    },
    async (request, reply) => {
      const found = await findOwnJob(request, context, kind);
      const isUnfinished = found.status === "queued" || found.status === "processing";
      if (isUnfinished && request.query.cancel !== "true") throw errors.jobNotFinished(found.status);
      const row = await removeJob(database, found.id);
      if (!row) throw errors.notFound("Job");
      if (row.kind === "live") await live.discard(row.id);
      else {
        if (isUnfinished) await worker.cancel(row.id);
        await queue.remove(row.id);
        await objects.removeFolder(workFolder(row.id));
      }
      if (row.result_key) await objects.remove(row.result_key);
      // A job cancelled while it fetched has its copy under its own id.
      for (const fileId of new Set([row.file_id, row.id])) {
        const key = fileId ? await removeFileIfUnused(database, fileId) : undefined;
        if (key) await objects.remove(key);
      }
      return reply.code(202).send(undefined as never);
    },
  );
}
