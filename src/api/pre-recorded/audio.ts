// The audio of a job as it was given.

import { errorResponses } from "../../contract/errors.ts";
import { JobIdParams } from "../../contract/job.ts";
import { bytesResponse } from "../../contract/responses.ts";
import { errors } from "../../platform/errors.ts";
import type { Api, ApiContext } from "../context.ts";
import { findOwnJob } from "../find-own-job.ts";
import { sendRecording } from "../send-object.ts";
import type { JobRoute } from "./get.ts";

export function addAudio(
  app: Api,
  context: Pick<ApiContext, "database" | "objects" | "settings">,
  { path, kind, tag }: JobRoute,
): void {
  // Live audio has two names in the interface.
  for (const name of kind === "live" ? ["file", "audio"] : ["file"])
    app.get(
      `${path}/:id/${name}`,
      {
        schema: {
          tags: [tag],
          summary: "The job's audio; byte ranges are honoured",
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
        const { file } = await findOwnJob(request, context, kind);
        if (!file) throw errors.notFound("Audio of this job");
        return sendRecording(request, reply, file, context);
      },
    );
}
