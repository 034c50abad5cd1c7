// PATCH of a job: its name, by which people find it in lists.
import { errorResponses } from "../../contract/errors.ts";
import { JobIdParams } from "../../contract/job.ts";
import { JobNameBody, NamedJobBody } from "../../contract/job-overview.ts";
import { errors } from "../../platform/errors.ts";
import { nameJob } from "../../platform/storage/db/jobs/job-texts.ts";
import type { Api, ApiContext } from "../context.ts";
import { findOwnJob } from "../find-own-job.ts";
import { prepare } from "../validation/prepare.ts";

/** Characters that a list of names cannot show in one line. */
const LINE_BREAKS_AND_CONTROLS = /[\p{Cc}\u2028\u2029]+/gu;

export function addName(app: Api, context: Pick<ApiContext, "database" | "search">): void {
  app.patch(
    "/v2/transcription/:id",
    {
      schema: {
        tags: ["Transcripts"],
        summary: "Name a job",
        description:
          "An extension of the interface. Lists, the search and the titles of exported transcripts use the name; the name of the file stays.",
        params: JobIdParams,
        body: JobNameBody,
        response: { 200: NamedJobBody, ...errorResponses(400, 401, 404, 413, 415) },
      },
      preValidation: async (request) => {
        request.body = prepare(JobNameBody, request.body) as JobNameBody;
      },
    },
    async (request) => {
      const { id } = await findOwnJob(request, context, undefined);
      const name = request.body.name.replace(LINE_BREAKS_AND_CONTROLS, " ").trim() || null;
      if (!(await nameJob(context.database, id, name))) throw errors.notFound("Job");
      context.search.wake();
      return { id, name };
    },
  );
}
