// POST /v2/live/:id/stop: ends a session whose audio the service fetches.
import { errorResponses } from "../../contract/errors.ts";
import { JobIdParams } from "../../contract/job.ts";
import { noContent } from "../../contract/responses.ts";
import { errors } from "../../platform/errors.ts";
import { requestStop } from "../../platform/storage/db/jobs/live-sessions.ts";
import { sourceOf } from "../../service/live/sources/live-sources.ts";
import type { Api, ApiContext } from "../context.ts";
import { findOwnJob } from "../find-own-job.ts";

export function addLiveStop(app: Api, context: Pick<ApiContext, "database" | "sources">): void {
  app.post(
    "/v2/live/:id/stop",
    {
      schema: {
        tags: ["Live"],
        summary: "End a live session with a source",
        description:
          "An extension of the interface. The session ends with the audio so far, as after stop_recording; GET /v2/live/{id} has the result once its status is done. A session that has ended stays as it is.",
        operationId: "stopLive",
        params: JobIdParams,
        response: { 204: noContent("The session ends"), ...errorResponses(400, 401, 404, 409, 413, 415) },
      },
    },
    async (request, reply) => {
      const row = await findOwnJob(request, context, "live");
      if (!sourceOf(row)) throw errors.liveWithoutSource();
      if (!(await requestStop(context.database, row.id))) throw errors.notFound("Job");
      context.sources.end(row.id);
      return reply.code(204).send(undefined as never);
    },
  );
}
