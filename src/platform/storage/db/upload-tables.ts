// The tables of uploads that resume as Kysely sees them. Columns are explained in the migration that makes them.
import type { ColumnType, Generated, JSONColumnType } from "kysely";
import type { DatabaseTime } from "./database-time.ts";

/** The verdict on a complete file: its description, or the reason of the refusal. */
export interface UploadVerdict {
  /** The answer of the upload without addresses. */
  answer?: Record<string, unknown>;
  /** Why the file cannot be used. */
  refusal?: { code: string; status: number; message: string };
}

export interface UploadsTable {
  id: string;
  account_id: string;
  created_at: Generated<DatabaseTime>;
  expires_at: DatabaseTime;
  length: number;
  is_length_deferred: Generated<boolean>;
  received: Generated<number>;
  filename: string;
  metadata: string;
  writer: ColumnType<string | null, string | null | undefined, string | null>;
  completing_until: ColumnType<DatabaseTime | null, DatabaseTime | null | undefined, DatabaseTime | null>;
  verdict: JSONColumnType<UploadVerdict | null, string | null | undefined, string>;
}

export interface UploadPartsTable {
  upload_id: string;
  start: number;
  size: number;
  object_key: string;
}
