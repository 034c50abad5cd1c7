// The tables as Kysely sees them. Columns are explained in the migrations that make them.
import type { ColumnType, Generated, JSONColumnType } from "kysely";

type Timestamp = ColumnType<Date, Date | string, Date | string>;
type Json = JSONColumnType<Record<string, unknown>, string, string>;
type NullableJson = JSONColumnType<Record<string, unknown> | null, string | null, string | null>;

export interface AccountsTable {
  id: string;
  name: string;
  created_at: Timestamp;
}

export interface ApiKeysTable {
  id: string;
  account_id: string;
  name: string;
  hash: string;
  created_at: Timestamp;
  revoked_at: Timestamp | null;
}

export interface FilesTable {
  id: string;
  account_id: string;
  filename: string;
  source: string | null;
  extension: string;
  size: number;
  audio_duration: number | null;
  number_of_channels: number | null;
  object_key: string;
  created_at: Timestamp;
}

export type JobKind = "pre-recorded" | "live";
export type JobStatus = "queued" | "processing" | "done" | "error";

export interface JobsTable {
  id: string;
  account_id: string;
  kind: JobKind;
  status: JobStatus;
  model: string;
  created_at: Timestamp;
  started_at: Timestamp | null;
  completed_at: Timestamp | null;
  request_params: Json;
  custom_metadata: NullableJson;
  /** custom_metadata with every scalar as text: what list filters look into. */
  metadata_filter: NullableJson;
  post_session_metadata: Json;
  file_id: string | null;
  audio_url: string | null;
  error_code: number | null;
  error_message: string | null;
  stage: string | null;
  progress: Generated<number>;
  stage_outputs: Json;
  strikes: Generated<number>;
  crashes: Generated<number>;
  worker: string | null;
  lease_until: Timestamp | null;
  result_key: string | null;
}

export interface LiveSessionsTable {
  id: string;
  token_hash: string;
}

export interface DatabaseSchema {
  live_sessions: LiveSessionsTable;
  accounts: AccountsTable;
  api_keys: ApiKeysTable;
  files: FilesTable;
  jobs: JobsTable;
}
