// The table of links to transcripts as Kysely sees it. Columns are explained in the migration that makes them.
import type { ColumnType } from "kysely";
import type { DatabaseTime } from "./database-time.ts";

export interface SharesTable {
  id: string;
  job_id: string;
  token_hash: string;
  key_id: string | null;
  made_by: string;
  created_at: DatabaseTime;
  expires_at: DatabaseTime;
  audio: boolean;
  opened_at: ColumnType<DatabaseTime | null, null, DatabaseTime>;
}
