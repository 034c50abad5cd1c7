// GET of a transcript in any export format, corrected or as recognised.
import { createReadStream } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import path from "node:path";
import { errorResponses } from "../../contract/errors.ts";
import { JobIdParams } from "../../contract/job.ts";
import { CONTENT_TYPES, TRANSCRIPT_CONTENT, transcriptQuery } from "../../contract/transcripts.ts";
import { errors, toParlanceError } from "../../platform/errors.ts";
import { contentDisposition } from "../../platform/net/content-disposition.ts";
import { listCorrections } from "../../platform/storage/db/jobs/corrections.ts";
import type { JobWithFile } from "../../platform/storage/db/jobs/job-files.ts";
import { STANDARD_LIMITS } from "../../speech/subtitles/layout-options.ts";
import { clientGone } from "../client-gone.ts";
import type { Api, ApiContext } from "../context.ts";
import { findOwnJob } from "../find-own-job.ts";

const TranscriptQuery = transcriptQuery(STANDARD_LIMITS.maximumCharactersPerRow);

/** The name of the job, or that of its file without the extension. */
function titleOf({ id, name, file }: JobWithFile): string {
  return name ?? (path.parse(file?.filename ?? "").name || id);
}

export function addTranscript(
  app: Api,
  context: Pick<ApiContext, "database" | "results" | "temporaryFolder" | "transcriptProcess" | "voices">,
): void {
  app.get(
    "/v2/transcription/:id/transcript",
    {
      schema: {
        tags: ["Transcripts"],
        summary: "The transcript of a job as a file",
        description:
          "An extension of the interface. Text, subtitles, JSON, Markdown or a document for word processors, with the corrections that were made.",
        params: JobIdParams,
        querystring: TranscriptQuery,
        produces: Object.values(CONTENT_TYPES),
        response: {
          200: {
            description: "In the chosen format",
            content: TRANSCRIPT_CONTENT,
          },
          ...errorResponses(400, 401, 404, 409, 503),
        },
      },
    },
    async (request, reply) => {
      const row = await findOwnJob(request, context, undefined);
      const { format = "json" } = request.query;
      const result = await context.results.path(row);
      const names = await context.voices.namesOf(row.id);
      const isCorrected = request.query.corrected !== "false";
      const corrections = async () => (isCorrected ? listCorrections(context.database, row.id) : []);
      const width = request.query.maximum_characters_per_row;
      const title = titleOf(row);
      const folder = await mkdtemp(path.join(context.temporaryFolder, "transcript-"));
      const remove = () => rm(folder, { recursive: true, force: true });
      try {
        const output = path.join(folder, "transcript");
        const createdAt = row.created_at.toISOString();
        await context.transcriptProcess.write(
          { tenant: request.account.id, signal: clientGone(reply) },
          { result, corrections, names },
          {
            format,
            title,
            createdAt,
            output,
            ...(width === undefined ? {} : { maximumCharactersPerRow: Number(width) }),
          },
        );
        const { size } = await stat(output);
        const body = createReadStream(output);
        body.once("close", () => void remove().catch((error: unknown) => request.log.warn({ err: error })));
        return reply
          .type(CONTENT_TYPES[format])
          .header("content-length", size)
          .header("content-disposition", contentDisposition(`${title}.${format}`))
          .send(body as never);
      } catch (thrown) {
        await remove();
        const { code, status } = toParlanceError(thrown);
        throw status === 503 || code === "work.aborted" ? thrown : errors.internal(thrown);
      }
    },
  );
}
