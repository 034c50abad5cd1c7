// Highlights and notes on words of a transcript. A note names its words by their times, so that corrections do not move it.
import { errorResponses } from "../../contract/errors.ts";
import { JobIdParams } from "../../contract/job.ts";
import {
  MOST_NOTES,
  NewNote,
  NOTES_OF_PAGE,
  NoteBody,
  NoteChange,
  NoteParams,
  NotesBody,
  NotesQuery,
} from "../../contract/notes.ts";
import { noContent } from "../../contract/responses.ts";
import { UndoQuery } from "../../contract/transcripts.ts";
import { errors } from "../../platform/errors.ts";
import { isUuid } from "../../platform/storage/db/ids.ts";
import { printedCorrections } from "../../platform/storage/db/jobs/corrections.ts";
import { changeNote, insertNote, listNotes, removeNote } from "../../platform/storage/db/jobs/notes.ts";
import { clientGone } from "../client-gone.ts";
import type { Api, ApiContext } from "../context.ts";
import { findOwnJob } from "../find-own-job.ts";
import { badCursor, pageOf } from "../validation/pages.ts";
import { prepare, prepareQuery } from "../validation/prepare.ts";

type NoteContext = Pick<ApiContext, "database" | "newId" | "now" | "results" | "space" | "transcriptProcess">;

const EXTENSION = "An extension of the interface.";

/** @throws request.not_found */
function noteOf(jobId: string, id: string) {
  if (!isUuid(id)) throw errors.notFound("Note");
  return { jobId, id };
}

/** Start and id of the last note of the page before. */
const CURSOR = /^(\d{1,7}(?:\.\d{1,20})?(?:e-\d{1,3})?)_(.{36})$/;

/** @throws request.invalid */
function positionOf(cursor: string | undefined) {
  if (cursor === undefined) return undefined;
  const [, start, id = ""] = CURSOR.exec(cursor) ?? [];
  if (start === undefined || !isUuid(id)) throw badCursor();
  return { start: Number(start), id };
}

function addChanges(app: Api, context: Pick<NoteContext, "database" | "now">): void {
  const { database } = context;
  app.patch(
    "/v2/transcription/:id/notes/:note_id",
    {
      schema: {
        tags: ["Transcripts"],
        summary: "Change the text or the colour of a note",
        description: EXTENSION,
        params: NoteParams,
        body: NoteChange,
        response: { 200: NoteBody, ...errorResponses(400, 401, 404, 409, 413, 415) },
      },
      preValidation: async (request) => {
        request.body = prepare(NoteChange, request.body) as typeof request.body;
      },
    },
    async (request) => {
      const { id } = await findOwnJob(request, context, undefined);
      const note = noteOf(id, request.params.note_id);
      const { colour, text } = request.body;
      if (colour === undefined && text === undefined) throw errors.invalidParameters(["colour or text must be given"]);
      return changeNote(database, note, request.body, { changedBy: request.keyName, now: context.now() });
    },
  );
  app.delete(
    "/v2/transcription/:id/notes/:note_id",
    {
      schema: {
        tags: ["Transcripts"],
        summary: "Delete a note",
        description: EXTENSION,
        params: NoteParams,
        querystring: UndoQuery,
        response: { 202: noContent("Deleted"), ...errorResponses(400, 401, 404, 409, 413, 415) },
      },
      preValidation: async (request) => {
        request.query = prepareQuery(UndoQuery, request.query) as typeof request.query;
      },
    },
    async (request, reply) => {
      const { id } = await findOwnJob(request, context, undefined);
      await removeNote(database, noteOf(id, request.params.note_id), request.query.version);
      return reply.code(202).send(undefined as never);
    },
  );
}

export function addNotes(app: Api, context: NoteContext): void {
  const { database } = context;
  app.get(
    "/v2/transcription/:id/notes",
    {
      schema: {
        tags: ["Transcripts"],
        summary: "Highlights and notes of a transcript",
        description: EXTENSION,
        params: JobIdParams,
        querystring: NotesQuery,
        operationId: "listTranscriptionNotes",
        response: { 200: NotesBody, ...errorResponses(400, 401, 404) },
      },
      preValidation: async (request) => {
        request.query = prepareQuery(NotesQuery, request.query) as typeof request.query;
      },
    },
    async (request) => {
      const { limit = NOTES_OF_PAGE, cursor } = request.query;
      const after = positionOf(cursor);
      const { id } = await findOwnJob(request, context, undefined);
      const notes = await listNotes(database, id, { limit: limit + 1, after });
      return pageOf(notes, limit, (last) => `${last.start}_${last.id}`);
    },
  );
  app.post(
    "/v2/transcription/:id/notes",
    {
      schema: {
        tags: ["Transcripts"],
        summary: "Highlight words, or write a note on them",
        description: `${EXTENSION} A note belongs to the words of a channel whose middle lies between its start and end, whatever they read: corrections, joins and new speakers do not move it. Exports as txt, md, docx and json have it, unless notes is false.`,
        params: JobIdParams,
        body: NewNote,
        response: { 201: NoteBody, ...errorResponses(400, 401, 404, 409, 413, 415, 503, 507) },
      },
      preValidation: async (request) => {
        request.body = prepare(NewNote, request.body) as typeof request.body;
      },
    },
    async (request, reply) => {
      await context.space.check();
      const row = await findOwnJob(request, context, undefined);
      const { channel = 0, start, end, colour = "yellow", text = "" } = request.body;
      if (start > end) throw errors.invalidParameters([`end must be at start (${start}) or later; it is ${end}`]);
      const source = {
        result: await context.results.path(row),
        corrections: () => printedCorrections(database, row.id),
      };
      const caller = { tenant: request.account.id, signal: clientGone(reply) };
      const quote = await context.transcriptProcess.quote(caller, source, { channel, start, end });
      if (quote === undefined) {
        throw errors.invalidParameters([`channel ${channel} has no words between start ${start} and end ${end}`]);
      }
      const note = { id: context.newId(), made_by: request.keyName, channel, start, end, colour, text, quote };
      const made = await insertNote(database, row.id, note, { now: context.now(), most: MOST_NOTES });
      return reply.code(201).send(made);
    },
  );
  addChanges(app, context);
}
