// PATCH of a job: its name and its tags, by which people find it in lists.
import { errorResponses } from "../../contract/errors.ts";
import { JobIdParams } from "../../contract/job.ts";
import { JobLabelsBody, LabelledJobBody } from "../../contract/job-overview.ts";
import { errors } from "../../platform/errors.ts";
import { labelJob, requestedTags } from "../../platform/storage/db/jobs/job-tags.ts";
import type { Api, ApiContext } from "../context.ts";
import { findOwnJob } from "../find-own-job.ts";
import { prepare } from "../validation/prepare.ts";

/** Characters that a list of names cannot show in one line. */
const LINE_BREAKS_AND_CONTROLS = /[\p{Cc}\u2028\u2029]+/gu;

const nameOf = (name: string): string | null => name.replace(LINE_BREAKS_AND_CONTROLS, " ").trim() || null;

export function addLabels(app: Api, context: Pick<ApiContext, "database" | "search">): void {
  app.patch(
    "/v2/transcription/:id",
    {
      schema: {
        tags: ["Transcripts"],
        summary: "Change the name and the tags of a job",
        description:
          "An extension of the interface. Lists, the search and the titles of exported transcripts use the name; the name of the file stays. Lists and the search find the tags. Fields that are absent change nothing; tags, remove_tags and add_tags are applied in this order.",
        params: JobIdParams,
        body: JobLabelsBody,
        response: { 200: LabelledJobBody, ...errorResponses(400, 401, 404, 409, 413, 415) },
      },
      preValidation: async (request) => {
        request.body = prepare(JobLabelsBody, request.body) as JobLabelsBody;
      },
    },
    async (request) => {
      const { name, tags, add_tags: added, remove_tags: removed } = request.body;
      if ([name, tags, added, removed].every((field) => field === undefined))
        throw errors.invalidParameters(["name, tags, add_tags or remove_tags must be given"]);
      const { id } = await findOwnJob(request, context, undefined);
      const labels = await labelJob(context.database, id, {
        ...(name === undefined ? {} : { name: nameOf(name) }),
        tags: tags && requestedTags("tags", tags),
        added: added && requestedTags("add_tags", added),
        removed,
      });
      if (!labels) throw errors.notFound("Job");
      context.search.wake();
      return { id, ...labels };
    },
  );
}
