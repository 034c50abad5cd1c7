// What people with a link to a transcript read. The token of the link takes the place of a key, and opens nothing else.
import path from "node:path";
import type { FastifyRequest } from "fastify";
import { errorResponses } from "../../contract/errors.ts";
import { bytesResponse } from "../../contract/responses.ts";
import { SharedBody, SharedQuery } from "../../contract/shares.ts";
import { CONTENT_TYPES, SHARED_TRANSCRIPT_CONTENT, sharedTranscriptQuery } from "../../contract/transcripts.ts";
import { errors } from "../../platform/errors.ts";
import { isUuid } from "../../platform/storage/db/ids.ts";
import {
  fileWithAudio,
  findJobWithFile,
  type JobFile,
  type JobWithFile,
} from "../../platform/storage/db/jobs/job-files.ts";
import { noteOpened } from "../../platform/storage/db/jobs/shares.ts";
import { STANDARD_LIMITS } from "../../speech/subtitles/layout-options.ts";
import type { Api, ApiContext } from "../context.ts";
import { isoTime } from "../job-record.ts";
import { sendRecording } from "../send-object.ts";
import { sendWritten, type WrittenContext } from "./written.ts";

const TAGS = ["Transcripts"];
const EXTENSION = "An extension of the interface, for people with a link, without a key.";
const READ = { takesShareToken: true };
const SECURITY = [{ bearer: [] }];
const TranscriptQuery = sharedTranscriptQuery(
  STANDARD_LIMITS.maximumCharactersPerRow,
  STANDARD_LIMITS.maximumRowsPerCaption,
);
/** Title of exports of a recording that has neither a name nor a file. */
const UNTITLED = "Transcript";

/** @throws share.unavailable */
async function sharedJob({ share }: FastifyRequest, { database }: Pick<ApiContext, "database">): Promise<JobWithFile> {
  const row = await findJobWithFile(database, share.job_id);
  if (!row) throw errors.shareUnavailable();
  return row;
}

/** A file may be named by an id, as that of a live session is: ids are not shared. */
function titleOf({ name, file }: JobWithFile): string | null {
  const ofFile = path.parse(file?.filename ?? "").name;
  return name ?? (isUuid(ofFile) || ofFile === "" ? null : ofFile);
}

/** The recording, if the link allows it and it still exists. */
const recordingOf = ({ share }: FastifyRequest, row: JobWithFile): JobFile | undefined =>
  share.audio ? fileWithAudio(row) : undefined;

function addSharedAudio(app: Api, context: Pick<ApiContext, "database" | "objects" | "settings">): void {
  app.get(
    "/v2/shared/audio",
    {
      schema: {
        tags: TAGS,
        summary: "The recording of a shared transcript; byte ranges are honoured",
        description: `${EXTENSION} Only of links with audio: true.`,
        security: SECURITY,
        querystring: SharedQuery,
        produces: ["application/octet-stream"],
        response: {
          200: bytesResponse("The file"),
          206: bytesResponse("The part of the file that the header Range names"),
          ...errorResponses(400, 404, 416, 429),
        },
      },
      config: READ,
    },
    async (request, reply) => {
      const row = await sharedJob(request, context);
      const file = recordingOf(request, row);
      if (!file) throw errors.notFound("Audio of this job");
      // An address of the store has the id of the file, and may outlive the link.
      const settings = { ...context.settings, s3Redirect: false };
      const filename = `${titleOf(row) ?? UNTITLED}${path.extname(file.filename)}`;
      return sendRecording(request, reply, { ...file, filename }, { objects: context.objects, settings });
    },
  );
}

export function addShared(app: Api, context: WrittenContext & Pick<ApiContext, "objects" | "settings">): void {
  app.get(
    "/v2/shared",
    {
      schema: {
        tags: TAGS,
        summary: "What a link to a transcript opens",
        description: EXTENSION,
        security: SECURITY,
        querystring: SharedQuery,
        response: { 200: SharedBody, ...errorResponses(400, 404, 429) },
      },
      config: READ,
    },
    async (request) => {
      const row = await sharedJob(request, context);
      await noteOpened(context.database, request.share.id);
      return {
        title: titleOf(row),
        created_at: isoTime(row.created_at),
        duration: row.file?.audio_duration ?? null,
        expires_at: request.share.expires_at.toISOString(),
        audio: recordingOf(request, row) !== undefined,
      };
    },
  );
  app.get(
    "/v2/shared/transcript",
    {
      schema: {
        tags: TAGS,
        summary: "A shared transcript, as JSON or as a file",
        description: `${EXTENSION} As corrected, without highlights and notes. JSON has its paragraphs, summary, chapters and translations.`,
        security: SECURITY,
        querystring: TranscriptQuery,
        produces: Object.values(CONTENT_TYPES),
        response: {
          200: { description: "In the chosen format", content: SHARED_TRANSCRIPT_CONTENT },
          ...errorResponses(400, 404, 409, 429, 503),
        },
      },
      config: READ,
    },
    async (request, reply) => {
      const row = await sharedJob(request, context);
      const { token: _, format = "json", ...query } = request.query;
      const isJson = format === "json";
      return (await sendWritten(request, reply, context, {
        row,
        format: isJson ? "shared" : format,
        contentType: CONTENT_TYPES[format],
        query: { ...query, notes: "false" },
        isFile: !isJson,
        title: titleOf(row) ?? UNTITLED,
      })) as never;
    },
  );
  addSharedAudio(app, context);
}
