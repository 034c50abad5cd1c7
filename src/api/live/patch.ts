// PATCH /v2/live/:id: the caller's own data about a session, after it.
import { errorResponses } from "../../contract/errors.ts";
import { JobIdParams } from "../../contract/job.ts";
import { SessionMetadataBody } from "../../contract/live.ts";
import { noContent } from "../../contract/responses.ts";
import { errors } from "../../platform/errors.ts";
import { setSessionMetadata } from "../../platform/storage/db/jobs/jobs.ts";
import type { Api, ApiContext } from "../context.ts";
import { findOwnJob } from "../find-own-job.ts";

const MOST_BYTES = 100_000;
/** The name post_session_metadata around it, and white space. */
const WRAPPING_BYTES = 10_000;

export function addLivePatch(app: Api, context: Pick<ApiContext, "database">): void {
  app.patch(
    "/v2/live/:id",
    {
      bodyLimit: MOST_BYTES + WRAPPING_BYTES,
      schema: {
        tags: ["Live"],
        summary: "Store post_session_metadata",
        params: JobIdParams,
        body: SessionMetadataBody,
        response: { 204: noContent("Stored"), ...errorResponses(400, 401, 404, 413, 415) },
      },
    },
    async (request, reply) => {
      const job = await findOwnJob(request, context, "live");
      const wrapped = request.body["post_session_metadata"];
      if (Array.isArray(wrapped)) throw errors.invalidParameters(["post_session_metadata must be an object"]);
      const metadata = typeof wrapped === "object" && wrapped !== null ? wrapped : request.body;
      if (Buffer.byteLength(JSON.stringify(metadata)) > MOST_BYTES) throw errors.bodyTooLarge(MOST_BYTES);
      await setSessionMetadata(context.database, job.id, metadata);
      return reply.code(204).send(undefined as never);
    },
  );
}
