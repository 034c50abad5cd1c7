// The tables as Kysely sees them. Columns are explained in the migrations that make them.
import type { ColumnType, Generated, JSONColumnType, Kysely, RawBuilder } from "kysely";
import type { JobKind, JobStatus } from "../../../contract/job.ts";
import type { JobOverview } from "../../../contract/job-overview.ts";
import type { TranscriptChange } from "../../../contract/transcript/correction.ts";
import type { DatabaseTime } from "./database-time.ts";
import type {
  LiveAdmissionsTable,
  LiveCaptionPartsTable,
  LiveCaptionsTable,
  LiveSessionsTable,
} from "./live-tables.ts";
import type { DeploymentTable, DutiesTable, MachinesTable } from "./machine-tables.ts";
import type { SharesTable } from "./share-table.ts";
import type {
  DismissedPairsTable,
  NotesTable,
  ReplacedPhrasesTable,
  VocabularyListsTable,
  VocabularyWordsTable,
} from "./teaching-tables.ts";
import type { UploadPartsTable, UploadsTable } from "./upload-tables.ts";

type Timestamp = DatabaseTime;
type Json = JSONColumnType<Record<string, unknown>, string, string>;
type NullableJson = JSONColumnType<Record<string, unknown> | null, string | null, string | null>;

/** Own limits of an account; null where the service's setting holds. */
export interface AccountLimitColumns {
  requests_per_second: number | null;
  concurrent_jobs: number | null;
  live_sessions: number | null;
  upload_bytes: number | null;
  audio_seconds: number | null;
}

export interface AccountsTable extends AccountLimitColumns {
  id: string;
  name: string;
  created_at: Timestamp;
  callback_secret: string | null;
  previous_callback_secret: string | null;
  /** When the current one replaced another. */
  callback_secret_at: ColumnType<DatabaseTime | null, DatabaseTime | null | undefined, DatabaseTime | null>;
  /** No key opens it from then on; its data is being removed. */
  deleting_at: ColumnType<DatabaseTime | null, DatabaseTime | null | undefined, DatabaseTime | null>;
  /** When the library of voices was turned on; null while it is off. */
  voices_since: ColumnType<DatabaseTime | null, DatabaseTime | null | undefined, DatabaseTime | null>;
  /** Whether requests without `account_vocabulary` use the vocabulary of the account; null: they do. */
  uses_vocabulary: ColumnType<boolean | null, boolean | null | undefined, boolean | null>;
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
  /** When its age ended it; the rest stays as the jobs' record of it. */
  audio_deleted_at: ColumnType<DatabaseTime | null, DatabaseTime | null | undefined, DatabaseTime | null>;
  /** Whether a job is known to have used it; set by the search for unused uploads. */
  has_job: Generated<boolean>;
}

export type { JobKind, JobStatus };

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
  /** Null until somebody names the job. */
  name: ColumnType<string | null, string | null | undefined, string | null>;
  /** At most MOST_TAGS, no two of which differ in case alone. */
  tags: ColumnType<string[], string | undefined, string>;
  error_code: number | null;
  error_message: string | null;
  stage: string | null;
  progress: Generated<number>;
  /** When the job is expected to end; null before the first estimate of the attempt. */
  expected_at: ColumnType<DatabaseTime | null, DatabaseTime | null | undefined, DatabaseTime | null>;
  stage_outputs: Json;
  strikes: Generated<number>;
  crashes: Generated<number>;
  worker: string | null;
  /** Number of the last attempt: how often the job was claimed. */
  attempt: Generated<number>;
  lease_until: Timestamp | null;
  result_key: string | null;
  result_hash: string | null;
  /** How often speakers that were found later divided the utterances of the result again. */
  divisions: Generated<number>;
  /** Whether the search has its words as they read now. */
  is_searchable: Generated<boolean>;
  /** Whether it has its names and overview, too. */
  has_overview: Generated<boolean>;
  /** traceparent of the request that made it. */
  trace_parent: string | null;
  /** Nobody waits for it after this; null for a job that stays. */
  wanted_until: Timestamp | null;
  /** The job whose transcript gets add-ons by this row; null for a job with a transcript of its own. */
  added_to: ColumnType<string | null, string | null | undefined, never>;
}

export interface JobTextsTable {
  job_id: string;
  text: string;
  /** The text without accents, as many characters. */
  plain_text: string;
  /** Written and compared in SQL only. */
  words: unknown;
  overview: JSONColumnType<JobOverview | null, string | null, string | null>;
}

export interface CorrectionsTable {
  id: string;
  job_id: string;
  created_at: Timestamp;
  made_by: string;
  change: JSONColumnType<TranscriptChange, string, string>;
  undone_at: Timestamp | null;
  undone_by: string | null;
}

/** One row for every scalar in a job's metadata. */
export interface JobMetadataTable {
  account_id: string;
  /** bigint in decimal, see metadataPairs. */
  pair: string;
  created_at: Timestamp;
  job_id: string;
  kind: JobKind;
}

export interface ObjectRemovalsTable {
  key: string;
  is_folder: boolean;
  due_at: Timestamp;
}

export interface TombstonesTable {
  id: Generated<string>;
  key: string;
  is_folder: boolean;
  created_at: Generated<Timestamp>;
}

export type DeliveryStatus = "pending" | "delivered" | "failed";

export interface DeliveriesTable {
  id: string;
  job_id: string;
  /** Of the job. Null in rows of earlier versions until it is filled in. */
  account_id: ColumnType<string | null, string | RawBuilder<string> | null, string | null>;
  /** bigint: returned as text. */
  sequence: ColumnType<string, number, number>;
  event: string;
  url: string;
  method: string;
  payload: string | null;
  status: DeliveryStatus;
  created_at: Timestamp;
  ended_at: Timestamp | null;
  round_began_at: Timestamp;
  attempts: Generated<number>;
  attempts_before_round: Generated<number>;
}

export interface DeliveryLanesTable {
  job_id: string;
  /** Null in lanes that an older version exported. */
  account_id: ColumnType<string | null, string | RawBuilder<string> | null, never>;
  host: string;
  due_at: Timestamp | null;
  claimed_until: Timestamp | null;
}

export interface DeliveryAttemptsTable {
  delivery_id: string;
  number: number;
  at: Timestamp;
  milliseconds: number;
  response_status: number | null;
  detail: string;
}

export interface VoicesTable {
  id: string;
  account_id: string;
  created_at: Timestamp;
  /** Sealed. */
  name: string;
}

export interface VoiceSamplesTable {
  id: string;
  voice_id: string;
  created_at: Timestamp;
  seconds: number;
  model: string;
  /** Sealed. */
  print: string;
}

export interface JobVoicesTable {
  job_id: string;
  speaker: number;
  voice_id: string;
  confidence: number;
}

export interface AccountLanesTable {
  account_id: string;
  lane: "fetch" | "process" | "live";
  waiting: Generated<number>;
  running: Generated<number>;
  head_at: Timestamp | null;
  /** Null where the service's setting holds. */
  most_running: number | null;
}

export interface DatabaseSchema {
  account_lanes: AccountLanesTable;
  live_admissions: LiveAdmissionsTable;
  live_captions: LiveCaptionsTable;
  live_caption_parts: LiveCaptionPartsTable;
  duties: DutiesTable;
  voices: VoicesTable;
  voice_samples: VoiceSamplesTable;
  job_voices: JobVoicesTable;
  deployment: DeploymentTable;
  machines: MachinesTable;
  deliveries: DeliveriesTable;
  delivery_lanes: DeliveryLanesTable;
  delivery_attempts: DeliveryAttemptsTable;
  job_metadata: JobMetadataTable;
  job_texts: JobTextsTable;
  corrections: CorrectionsTable;
  replaced_phrases: ReplacedPhrasesTable;
  notes: NotesTable;
  shares: SharesTable;
  dismissed_pairs: DismissedPairsTable;
  vocabulary_words: VocabularyWordsTable;
  vocabulary_lists: VocabularyListsTable;
  live_sessions: LiveSessionsTable;
  object_removals: ObjectRemovalsTable;
  tombstones: TombstonesTable;
  accounts: AccountsTable;
  api_keys: ApiKeysTable;
  files: FilesTable;
  uploads: UploadsTable;
  upload_parts: UploadPartsTable;
  jobs: JobsTable;
}

export type Database = Kysely<DatabaseSchema>;
