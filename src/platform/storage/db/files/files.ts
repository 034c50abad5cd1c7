// Audio files that the service holds: uploaded ones and copies of what was fetched.
import type { Expression, ExpressionBuilder, Insertable, Selectable, SqlBool, Updateable } from "kysely";
import type { Database } from "../database.ts";
import type { Moment } from "../database-time.ts";
import type { DatabaseSchema, FilesTable } from "../schema.ts";

export type FileRow = Selectable<FilesTable>;
export type NewFile = Insertable<FilesTable>;

/** Adds a file, or replaces what an interrupted attempt wrote under the same id. */
export async function saveFile(database: Database, file: NewFile): Promise<void> {
  await database
    .insertInto("files")
    .values(file)
    .onConflict((conflict) => conflict.column("id").doUpdateSet(file))
    .execute();
}

export async function findFile(database: Database, id: string): Promise<FileRow | undefined> {
  return database.selectFrom("files").selectAll().where("id", "=", id).executeTakeFirst();
}

/**
 * Locks the row until the transaction ends: a job is not accepted for a file whose audio another transaction deletes, nor the reverse.
 */
export async function lockFile(transaction: Database, id: string): Promise<FileRow | undefined> {
  return transaction.selectFrom("files").selectAll().where("id", "=", id).forUpdate().executeTakeFirst();
}

export async function updateFile(database: Database, id: string, changes: Updateable<FilesTable>): Promise<void> {
  await database.updateTable("files").set(changes).where("id", "=", id).execute();
}

/**
 * Removes files that no job needs any more. Their rows are locked first, in order: a job that is being accepted for a file is then either
 * visible to the second statement, or finds no file.
 * @returns the files that were removed, without those that are in use
 */
export async function removeFilesIfUnused(
  transaction: Database,
  ids: readonly string[],
): Promise<Pick<FileRow, "id" | "object_key">[]> {
  if (ids.length === 0) return [];
  const locked = await transaction
    .selectFrom("files")
    .select("id")
    .where("id", "in", [...ids])
    .orderBy("id")
    .forUpdate()
    .execute();
  if (locked.length === 0) return [];
  return transaction
    .deleteFrom("files")
    .where(
      "id",
      "in",
      locked.map(({ id }) => id),
    )
    .where(isUnused)
    .returning(["id", "object_key"])
    .execute();
}

/** Condition: no job refers to the file. */
const isUnused = ({ exists, not, selectFrom }: ExpressionBuilder<DatabaseSchema, "files">) =>
  not(exists(selectFrom("jobs").select("jobs.id").whereRef("jobs.file_id", "=", "files.id")));

/** Some files of an account that no job needs. */
export async function unusedFilesOfAccount(database: Database, accountId: string, limit: number): Promise<string[]> {
  const rows = await database
    .selectFrom("files")
    .select("id")
    .where("account_id", "=", accountId)
    .where(isUnused)
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

interface Page {
  limit: number;
  offset: number;
}

type Condition = (builder: ExpressionBuilder<DatabaseSchema, "files">) => Expression<SqlBool>;

/** Files older than `before` whose audio is still there, oldest first. */
async function filesBefore(database: Database, before: Moment, { limit, offset }: Page, condition: Condition) {
  return database
    .selectFrom("files")
    .select(["id", "object_key"])
    .where("created_at", "<", before)
    .where("audio_deleted_at", "is", null)
    .where(condition)
    .orderBy("created_at")
    .orderBy("id")
    .limit(limit)
    .offset(offset)
    .execute();
}

/** Files that were stored before `before`, and that no job needs or has needed since. Add-ons that were made later do not count. */
export const expiredFiles = (database: Database, before: Moment, page: Page) =>
  filesBefore(database, before, page, ({ exists, not, selectFrom }) =>
    not(
      exists(
        selectFrom("jobs")
          .select("jobs.id")
          .whereRef("jobs.file_id", "=", "files.id")
          .where(({ and, eb, or }) =>
            or([
              eb("jobs.completed_at", "is", null),
              and([eb("jobs.completed_at", ">=", before), eb("jobs.added_to", "is", null)]),
            ]),
          ),
      ),
    ),
  );

/** Files that were uploaded before `before` and that no job has used. Those that are marked as used are not read. */
export const neverUsedFiles = (database: Database, before: Moment, page: Page) =>
  filesBefore(database, before, page, (builder) =>
    builder.and([builder("files.has_job", "=", false), isUnused(builder)]),
  );

/**
 * Marks some files as used that were stored before `before` and that a job refers to. Files that another transaction has locked are left out.
 * @returns the number of them; fewer than `limit` if none are left
 */
export async function markUsedFiles(database: Database, before: Moment, limit: number): Promise<number> {
  const used = database
    .selectFrom("files")
    .select("id")
    .where("created_at", "<", before)
    .where("audio_deleted_at", "is", null)
    .where("has_job", "=", false)
    .where(({ exists, selectFrom }) =>
      exists(selectFrom("jobs").select("jobs.id").whereRef("jobs.file_id", "=", "files.id")),
    )
    .orderBy("created_at")
    .orderBy("id")
    .limit(limit)
    .forUpdate()
    .skipLocked();
  const rows = await database
    .updateTable("files")
    .set({ has_job: true })
    .where("id", "in", used)
    .returning("id")
    .execute();
  return rows.length;
}

/** Whether a job that has not ended needs the file. */
export async function isFileInUse(database: Database, id: string): Promise<boolean> {
  const row = await database
    .selectFrom("jobs")
    .select("id")
    .where("file_id", "=", id)
    .where("completed_at", "is", null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Records that the audio was deleted: the row stays if jobs refer to it, and is deleted otherwise. */
export async function dropAudio(transaction: Database, id: string, now: Moment): Promise<void> {
  await transaction.updateTable("files").set({ audio_deleted_at: now }).where("id", "=", id).execute();
  await removeFilesIfUnused(transaction, [id]);
}
