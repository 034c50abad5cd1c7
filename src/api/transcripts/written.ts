// Sends what the transcript process writes of a job: an export, or the list of its cues.
import { createReadStream } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import path from "node:path";
import type { FastifyReply, FastifyRequest } from "fastify";
import { parseJobParameters } from "../../contract/job-parameters.ts";
import { errors, toParlanceError } from "../../platform/errors.ts";
import { contentDisposition } from "../../platform/net/content-disposition.ts";
import { printedCorrections } from "../../platform/storage/db/jobs/corrections.ts";
import type { JobWithFile } from "../../platform/storage/db/jobs/job-files.ts";
import { listNotes } from "../../platform/storage/db/jobs/notes.ts";
import type { TranscriptShape } from "../../service/transcripts/formats/format.ts";
import type { WrittenFormat } from "../../service/transcripts/formats/write.ts";
import type { Paper } from "../../service/transcripts/process/message.ts";
import type { TranscriptCaller } from "../../service/transcripts/process/transcript-process.ts";
import type { PageRequest, TranscriptPage } from "../../service/transcripts/transcript-pages.ts";
import { clientGone } from "../client-gone.ts";
import type { ApiContext } from "../context.ts";

export type WrittenContext = Pick<
  ApiContext,
  "database" | "results" | "temporaryFolder" | "transcriptProcess" | "voices"
>;

type Switch = "true" | "false";

interface WrittenQuery {
  corrected?: Switch;
  notes?: Switch;
  times?: Switch;
  speakers?: Switch;
  paragraphs?: Switch;
  maximum_characters_per_row?: string;
  maximum_rows_per_caption?: string;
}

/** Parameters that are absent keep what the format has by default. */
function shapeOf(query: WrittenQuery): TranscriptShape {
  const { times, speakers, paragraphs, maximum_characters_per_row: width, maximum_rows_per_caption: rows } = query;
  return {
    ...(times === undefined ? {} : { times: times === "true" }),
    ...(speakers === undefined ? {} : { speakers: speakers === "true" }),
    ...(paragraphs === undefined ? {} : { paragraphs: paragraphs === "true" }),
    ...(width === undefined ? {} : { maximumCharactersPerRow: Number(width) }),
    ...(rows === undefined ? {} : { maximumRowsPerCaption: Number(rows) }),
  };
}

interface Written {
  row: JobWithFile;
  format: WrittenFormat;
  contentType: string;
  query: WrittenQuery;
  /** The answer is a file that browsers save. */
  isFile: boolean;
  /** Absent: the name of the job, or that of its file. */
  title?: string;
}

/** The name of the job, or that of its file without the extension. */
function titleOf({ id, name, file }: JobWithFile): string {
  return name ?? (path.parse(file?.filename ?? "").name || id);
}

/** Live sessions have no subtitles in their results. */
function subtitlesOf({ kind, request_params: stored }: JobWithFile): Pick<Paper, "subtitlesConfig"> {
  const config = kind === "live" ? undefined : parseJobParameters(stored).subtitles_config;
  return config ? { subtitlesConfig: config } : {};
}

/** What every form of the transcript of a job is made from. */
async function sourceOf(
  { database, results, voices }: Pick<WrittenContext, "database" | "results" | "voices">,
  row: JobWithFile,
  query: Pick<WrittenQuery, "corrected" | "notes">,
) {
  const result = await results.path(row);
  const names = await voices.namesOf(row.id);
  const corrections = async () => (query.corrected === "false" ? [] : printedCorrections(database, row.id));
  const notes = query.notes === "false" ? [] : await listNotes(database, row.id);
  return { source: { result, corrections, names }, notes };
}

/** A page of the corrected transcript as text. @throws as sendWritten */
export async function readPage(
  caller: TranscriptCaller,
  context: Omit<WrittenContext, "temporaryFolder">,
  row: JobWithFile,
  page: PageRequest,
): Promise<TranscriptPage> {
  const { source, notes } = await sourceOf(context, row, {});
  const paper = { page, title: titleOf(row), createdAt: row.created_at.toISOString(), notes, ...subtitlesOf(row) };
  return context.transcriptProcess.page(caller, source, paper);
}

/** Of the service, not of the transcript: the client can repeat the request. */
const PASSING_STATUSES = new Set([503, 507]);

/** @throws transcripts.busy, work.aborted, storage.full, system.exhausted */
export async function sendWritten(
  request: FastifyRequest,
  reply: FastifyReply,
  context: WrittenContext,
  { row, format, contentType, query, isFile, title = titleOf(row) }: Written,
): Promise<FastifyReply> {
  const { source, notes } = await sourceOf(context, row, query);
  const folder = await mkdtemp(path.join(context.temporaryFolder, "transcript-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const output = path.join(folder, "transcript");
    await context.transcriptProcess.write({ tenant: request.account.id, signal: clientGone(reply) }, source, {
      format,
      title,
      createdAt: row.created_at.toISOString(),
      output,
      notes,
      ...subtitlesOf(row),
      ...shapeOf(query),
    });
    const { size } = await stat(output);
    const body = createReadStream(output);
    body.once("close", () => void remove().catch((error: unknown) => request.log.warn({ err: error })));
    if (isFile) reply.header("content-disposition", contentDisposition(`${title}.${format}`));
    return reply.type(contentType).header("content-length", size).send(body);
  } catch (thrown) {
    await remove();
    const { code, status } = toParlanceError(thrown);
    throw PASSING_STATUSES.has(status) || code === "work.aborted" ? thrown : errors.internal(thrown);
  }
}
