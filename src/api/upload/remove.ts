// DELETE of an uploaded file, at the address that the upload returned.
import { errorResponses } from "../../contract/errors.ts";
import { JobIdParams } from "../../contract/job.ts";
import { noContent } from "../../contract/responses.ts";
import { errors } from "../../platform/errors.ts";
import { findFile } from "../../platform/storage/db/files/files.ts";
import { isUuid } from "../../platform/storage/db/ids.ts";
import { removeAudio } from "../../service/jobs/remove-job.ts";
import type { Api, ApiContext } from "../context.ts";

export function addFileRemoval(app: Api, context: Pick<ApiContext, "database" | "objects" | "quarantine">): void {
  const { database } = context;
  app.delete(
    "/file/:id",
    {
      schema: {
        tags: ["Files"],
        operationId: "deleteFile",
        summary: "Delete an uploaded file",
        description:
          "An extension of the interface. The results of jobs that used it stay. Uploads that no job uses are deleted after PARLANCE_UNUSED_UPLOAD_RETENTION_DAYS.",
        params: JobIdParams,
        response: { 202: noContent("Deleted"), ...errorResponses(400, 401, 403, 404, 413, 415) },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const file = isUuid(id) ? await findFile(database, id) : undefined;
      if (!file || file.account_id !== request.account.id || file.audio_deleted_at) throw errors.notFound("File");
      if ((await removeAudio(id, context)).isInUse) throw errors.fileInUse();
      return reply.code(202).send(undefined as never);
    },
  );
}
