// GET of a transcript in any export format, corrected or as recognised, and of the cues of its subtitles.
import { CuesBody, cuesQuery } from "../../contract/cues.ts";
import { errorResponses } from "../../contract/errors.ts";
import { JobIdParams } from "../../contract/job.ts";
import { CONTENT_TYPES, TRANSCRIPT_CONTENT, transcriptQuery } from "../../contract/transcripts.ts";
import { STANDARD_LIMITS } from "../../speech/subtitles/layout-options.ts";
import type { Api } from "../context.ts";
import { findOwnJob } from "../find-own-job.ts";
import { sendWritten, type WrittenContext } from "./written.ts";

const TranscriptQuery = transcriptQuery(STANDARD_LIMITS.maximumCharactersPerRow, STANDARD_LIMITS.maximumRowsPerCaption);
const CuesQuery = cuesQuery(STANDARD_LIMITS.maximumCharactersPerRow);

export function addTranscript(app: Api, context: WrittenContext): void {
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
          ...errorResponses(400, 401, 404, 409, 503, 507),
        },
      },
    },
    async (request, reply) => {
      const row = await findOwnJob(request, context, undefined);
      const { format = "json" } = request.query;
      const { query } = request;
      const written = { row, format, contentType: CONTENT_TYPES[format], query, isFile: true };
      return (await sendWritten(request, reply, context, written)) as never;
    },
  );
  app.get(
    "/v2/transcription/:id/cues",
    {
      schema: {
        tags: ["Transcripts"],
        summary: "The cues of the subtitles of a job",
        description:
          "An extension of the interface. The cues of srt and vtt with their times, as they were laid out or as people set them, and the rules that each does not keep. A correction with cues changes them.",
        params: JobIdParams,
        querystring: CuesQuery,
        response: { 200: CuesBody, ...errorResponses(400, 401, 404, 409, 503, 507) },
      },
    },
    async (request, reply) => {
      const row = await findOwnJob(request, context, undefined);
      const { query } = request;
      const written = { row, format: "cues" as const, contentType: CONTENT_TYPES.json, query, isFile: false };
      return (await sendWritten(request, reply, context, written)) as never;
    },
  );
}
