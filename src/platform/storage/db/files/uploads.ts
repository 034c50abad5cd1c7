// Uploads that resume. A row counts the bytes that are stored; one request at a time may add some, and a newer one replaces it.
import { type Selectable, sql } from "kysely";
import { errors } from "../../../errors.ts";
import { lockAccount } from "../accounts/accounts.ts";
import type { Database } from "../database.ts";
import { fromStatement, statementTime } from "../database-time.ts";
import { inTransaction } from "../transaction.ts";
import type { UploadsTable, UploadVerdict } from "../upload-tables.ts";
import { type NewFile, saveFile } from "./files.ts";
import type { UploadPart } from "./upload-parts.ts";

export type UploadRow = Omit<Selectable<UploadsTable>, "completing_until"> & {
  isExpired: boolean;
  /** Whether the file that was made of the upload is deleted. */
  isFileGone: boolean;
};

export interface NewUpload {
  id: string;
  accountId: string;
  length: number;
  /** A later request decides the length; until then, `length` is the greatest one that it may be. */
  isLengthDeferred?: boolean;
  filename: string;
  metadata: string;
}

export interface UploadBounds {
  /** Unfinished uploads of an account, and the length of all of them together. */
  mostUploads: number;
  mostBytes: number;
  /** Age of the last byte after which an upload is removed. */
  expirySeconds: number;
}

const COLUMNS = [
  "id",
  "account_id",
  "created_at",
  "expires_at",
  "length",
  "is_length_deferred",
  "received",
  "filename",
  "metadata",
  "writer",
  "verdict",
] as const;

/**
 * Unfinished uploads of an account.
 * @param except  id of an upload that does not count
 * @returns `bytes`: the sum of their lengths; an upload without a length counts with its stored bytes
 */
async function unfinishedUploads(database: Database, accountId: string, except?: string) {
  const bytes = sql<number>`coalesce(sum(case when is_length_deferred then received else length end), 0)::float8`;
  let uploads = database
    .selectFrom("uploads")
    .select(({ fn }) => [fn.countAll<string>().as("count"), bytes.as("bytes")])
    .where("account_id", "=", accountId)
    .where("verdict", "is", null);
  if (except !== undefined) uploads = uploads.where("id", "<>", except);
  return uploads.executeTakeFirstOrThrow();
}

/** @throws limit.uploads, limit.upload_bytes when the account has reached its limit of unfinished uploads */
export async function insertUpload(
  database: Database,
  { id, accountId, length, isLengthDeferred = false, filename, metadata }: NewUpload,
  { mostUploads, mostBytes, expirySeconds }: UploadBounds,
): Promise<UploadRow> {
  return inTransaction(database, async (transaction) => {
    // Without the lock, two requests could each find room for the last upload.
    await lockAccount(transaction, accountId);
    const { count, bytes } = await unfinishedUploads(transaction, accountId);
    if (Number(count) >= mostUploads) throw errors.tooManyUploads(mostUploads);
    if (bytes + (isLengthDeferred ? 0 : length) > mostBytes) throw errors.tooManyUploadBytes(mostBytes);
    const row = await transaction
      .insertInto("uploads")
      .values({
        ...{ id, account_id: accountId, length, is_length_deferred: isLengthDeferred, filename, metadata },
        expires_at: fromStatement(expirySeconds),
      })
      .returning(COLUMNS)
      .executeTakeFirstOrThrow();
    return { ...row, isExpired: false, isFileGone: false };
  });
}

/** Bytes of the account's other unfinished uploads. */
export async function bytesOfOtherUploads(database: Database, { id, account_id }: UploadRow): Promise<number> {
  return (await unfinishedUploads(database, account_id, id)).bytes;
}

/**
 * Sets the length of an upload that has none. Earlier requests may add no further bytes.
 * @returns false if it has a length meanwhile, or more bytes than this length
 * @throws limit.upload_bytes
 */
export async function decideLength(
  database: Database,
  upload: UploadRow,
  length: number,
  mostBytes: number,
): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    await lockAccount(transaction, upload.account_id);
    if ((await bytesOfOtherUploads(transaction, upload)) + length > mostBytes)
      throw errors.tooManyUploadBytes(mostBytes);
    const { numUpdatedRows } = await transaction
      .updateTable("uploads")
      .set({ length, is_length_deferred: false, writer: null })
      .where("id", "=", upload.id)
      .where("is_length_deferred", "=", true)
      .where("received", "<=", length)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  });
}

/** An upload of the account, also one that has expired and is not removed yet. */
export async function findUpload(database: Database, id: string, accountId: string): Promise<UploadRow | undefined> {
  return database
    .selectFrom("uploads")
    .select(COLUMNS)
    .select(({ eb }) => eb("expires_at", "<=", statementTime).$castTo<boolean>().as("isExpired"))
    .select(
      sql<boolean>`(verdict -> 'answer') is not null and not exists
        (select from files where files.id = uploads.id and audio_deleted_at is null)`.as("isFileGone"),
    )
    .where("id", "=", id)
    .where("account_id", "=", accountId)
    .executeTakeFirst();
}

/**
 * Makes a request the writer of an upload, in place of any other one. The writer of a complete upload is the process that judges it: it stays.
 * @param writer  null: no request may add bytes any more
 * @param received  stored bytes that the upload must have
 * @returns false if there is no such upload, it has another number of stored bytes, or it is complete
 */
export async function claimUpload(
  database: Database,
  id: string,
  writer: string | null,
  received: number,
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable("uploads")
    .set({ writer })
    .where("id", "=", id)
    .where("received", "=", received)
    .whereRef("received", "<", "length")
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Counts parts that are stored, in order, and defers the expiry.
 * @returns whether `writer` may still add bytes: false after a newer request, and after a removal
 */
export async function addUploadParts(
  database: Database,
  { id, writer, expirySeconds }: { id: string; writer: string; expirySeconds: number },
  parts: readonly UploadPart[],
): Promise<boolean> {
  const [first, last] = [parts[0], parts.at(-1)];
  if (!first || !last) return true;
  return inTransaction(database, async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable("uploads")
      .set({ received: last.start + last.size, expires_at: fromStatement(expirySeconds) })
      .where("id", "=", id)
      .where("writer", "=", writer)
      .where("received", "=", first.start)
      // Another request may have decided the length meanwhile.
      .where("length", ">=", last.start + last.size)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    await transaction
      .insertInto("upload_parts")
      .values(parts.map((part) => ({ ...part, upload_id: id })))
      .execute();
    return true;
  });
}

/**
 * Stores the verdict on a complete file, and deletes the rows of its parts.
 * @param file  its row; undefined for a file that is refused
 * @returns false if another request is the writer meanwhile, or the upload was removed: nothing is stored
 */
export async function settleUpload(
  transaction: Database,
  { id, writer }: { id: string; writer: string },
  verdict: UploadVerdict,
  file: NewFile | undefined,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable("uploads")
    .set({ verdict: JSON.stringify(verdict), writer: null })
    .where("id", "=", id)
    .where("writer", "=", writer)
    .where("verdict", "is", null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  if (file) await saveFile(transaction, file);
  await transaction.deleteFrom("upload_parts").where("upload_id", "=", id).execute();
  return true;
}

/** Expired uploads, the one that expired first at the beginning. */
export async function expiredUploads(
  database: Database,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ id: string }[]> {
  return database
    .selectFrom("uploads")
    .select("id")
    .where("expires_at", "<=", statementTime)
    .orderBy("expires_at")
    .orderBy("id")
    .limit(limit)
    .offset(offset)
    .execute();
}

export async function uploadsOfAccount(database: Database, accountId: string, limit: number): Promise<string[]> {
  const rows = await database
    .selectFrom("uploads")
    .select("id")
    .where("account_id", "=", accountId)
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** @returns ids of the rows that this call deleted */
export async function deleteUploads(
  transaction: Database,
  ids: readonly string[],
  areExpired: boolean,
): Promise<string[]> {
  if (ids.length === 0) return [];
  let removal = transaction
    .deleteFrom("uploads")
    .where("id", "in", [...ids])
    .returning("id");
  // A request may have added bytes since the list was read, which defers the expiry.
  if (areExpired) removal = removal.where("expires_at", "<=", statementTime);
  return (await removal.execute()).map(({ id }) => id);
}

/**
 * Claims the making of the file from its complete parts, for a limited time.
 * @returns false while another one does
 */
export async function claimCompletion(
  database: Database,
  { id, writer, seconds }: { id: string; writer: string; seconds: number },
): Promise<boolean> {
  const { numUpdatedRows } = await database
    .updateTable("uploads")
    .set({ writer, completing_until: fromStatement(seconds) })
    .where("id", "=", id)
    .whereRef("received", "=", "length")
    .where("is_length_deferred", "=", false)
    .where("verdict", "is", null)
    .where(({ or, eb }) => or([eb("completing_until", "is", null), eb("completing_until", "<", statementTime)]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Extends the time of `claimCompletion`; 0 seconds end it. */
export async function extendCompletion(
  database: Database,
  { id, writer, seconds }: { id: string; writer: string; seconds: number },
): Promise<void> {
  await database
    .updateTable("uploads")
    .set({ completing_until: fromStatement(seconds) })
    .where("id", "=", id)
    .where("writer", "=", writer)
    .execute();
}

/** Which of these uploads there are. */
export async function knownUploads(database: Database, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await database
    .selectFrom("uploads")
    .select("id")
    .where("id", "in", [...ids])
    .execute();
  return new Set(rows.map(({ id }) => id));
}
