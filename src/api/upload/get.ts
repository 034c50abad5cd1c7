// GET /file/:id: an uploaded file, for its own account.

import { errorResponses } from "../../contract/errors.ts";
import { JobIdParams } from "../../contract/job.ts";
import { bytesResponse } from "../../contract/responses.ts";
import { errors } from "../../platform/errors.ts";
import { findFile } from "../../platform/storage/db/files/files.ts";
import { isUuid } from "../../platform/storage/db/ids.ts";
import type { Api, ApiContext } from "../context.ts";
import { sendRecording } from "../send-object.ts";

export function addFileDownload(app: Api, context: Pick<ApiContext, "database" | "objects" | "settings">): void {
  app.get(
    "/file/:id",
    {
      schema: {
        tags: ["Files"],
        summary: "An uploaded file; byte ranges are honoured",
        params: JobIdParams,
        produces: ["application/octet-stream"],
        response: {
          200: bytesResponse("The file"),
          206: bytesResponse("The part of the file that the header Range names"),
          ...errorResponses(401, 404, 416),
        },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const file = isUuid(id) ? await findFile(context.database, id) : undefined;
      if (!file || file.account_id !== request.account.id) throw errors.notFound("File");
      return sendRecording(request, reply, file, context);
    },
  );
}
