// Highlights and notes of transcripts.
import type { Selectable } from "kysely";
import type { Note, NoteChange } from "../../../../contract/notes.ts";
import { errors } from "../../../errors.ts";
import type { Database } from "../database.ts";
import type { DatabaseTime } from "../database-time.ts";
import type { NotesTable } from "../teaching-tables.ts";
import { inTransaction } from "../transaction.ts";
import { lockJob } from "./lock-job.ts";

const asNote = (row: Selectable<NotesTable>): Note => ({
  id: row.id,
  created_at: row.created_at.toISOString(),
  made_by: row.made_by,
  changed_at: row.changed_at?.toISOString() ?? null,
  changed_by: row.changed_by,
  version: row.version,
  channel: row.channel,
  start: row.starts,
  end: row.ends,
  colour: row.colour,
  text: row.text,
  quote: row.quote,
});

/** Part of a list. */
interface NotesPage {
  limit: number;
  /** The note before the first one of the page. */
  after?: Pick<Note, "id" | "start"> | undefined;
}

/** In the order of their times. @param page  absent: all of them */
export async function listNotes(database: Database, jobId: string, page?: NotesPage): Promise<Note[]> {
  let query = database.selectFrom("notes").selectAll().where("job_id", "=", jobId).orderBy("starts").orderBy("id");
  const { limit, after } = page ?? {};
  if (limit !== undefined) query = query.limit(limit);
  if (after) {
    const { start, id } = after;
    query = query.where((where) =>
      where.or([where("starts", ">", start), where.and([where("starts", "=", start), where("id", ">", id)])]),
    );
  }
  return (await query.execute()).map(asNote);
}

type AddedNote = Pick<Note, "id" | "made_by" | "channel" | "start" | "end" | "colour" | "text" | "quote">;

/** @throws limit.notes, request.not_found */
export async function insertNote(
  database: Database,
  jobId: string,
  { start, end, ...note }: AddedNote,
  { now, most }: { now: DatabaseTime; most: number },
): Promise<Note> {
  return inTransaction(database, async (transaction) => {
    await lockJob(transaction, jobId);
    const { count } = await transaction
      .selectFrom("notes")
      .select((select) => select.fn.countAll<string>().as("count"))
      .where("job_id", "=", jobId)
      .executeTakeFirstOrThrow();
    if (Number(count) >= most) throw errors.tooManyNotes(most);
    const row = await transaction
      .insertInto("notes")
      .values({ ...note, job_id: jobId, created_at: now, changed_at: null, changed_by: null, starts: start, ends: end })
      .returningAll()
      .executeTakeFirstOrThrow();
    return asNote(row);
  });
}

interface NamedNote {
  jobId: string;
  id: string;
}

/** @throws request.not_found, note.outdated */
async function lockNote(transaction: Database, { jobId, id }: NamedNote, version: number | undefined): Promise<void> {
  const row = await transaction
    .selectFrom("notes")
    .select("version")
    .where("id", "=", id)
    .where("job_id", "=", jobId)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw errors.notFound("Note");
  if (version !== undefined && version !== row.version) throw errors.noteChanged(version, row.version);
}

/** @throws request.not_found, note.outdated */
export async function changeNote(
  database: Database,
  named: NamedNote,
  { version, colour, text }: NoteChange,
  { changedBy, now }: { changedBy: string; now: DatabaseTime },
): Promise<Note> {
  return inTransaction(database, async (transaction) => {
    await lockNote(transaction, named, version);
    const row = await transaction
      .updateTable("notes")
      .set((update) => ({
        ...(colour === undefined ? {} : { colour }),
        ...(text === undefined ? {} : { text }),
        changed_at: now,
        changed_by: changedBy,
        version: update("version", "+", 1),
      }))
      .where("id", "=", named.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    return asNote(row);
  });
}

/** @throws request.not_found, note.outdated */
export async function removeNote(database: Database, named: NamedNote, version: number | undefined): Promise<void> {
  await inTransaction(database, async (transaction) => {
    await lockNote(transaction, named, version);
    await transaction.deleteFrom("notes").where("id", "=", named.id).execute();
  });
}
