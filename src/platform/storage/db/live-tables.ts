// The tables of live sessions as Kysely sees them. Columns are explained in the migrations that make them.
import type { ColumnType, Generated } from "kysely";
import type { DatabaseTime } from "./database-time.ts";

export interface LiveSessionsTable {
  id: string;
  token_hash: string;
  owner: ColumnType<string | null, string | null | undefined, string | null>;
  /** The key that made the session. */
  key_id: ColumnType<string | null, string | null | undefined, never>;
  /** Whether a session with a source is to end. */
  stop_requested: Generated<boolean>;
  /** Whether its client has all messages. Its result is still made if the job is not done. */
  is_served: Generated<boolean>;
  /** Of the token with which viewers read its captions; null without viewers. */
  viewer_hash: ColumnType<string | null, string | null | undefined, never>;
}

export interface LiveCaptionsTable {
  session_id: string;
  number: number;
  hash: string;
  message: string;
}

export interface LiveCaptionPartsTable {
  session_id: string;
  /** bigint: returned as text. */
  number: ColumnType<string, number, never>;
  sequence: ColumnType<string | null, number | null, never>;
  starts: number;
  seconds: number;
  /** Milliseconds since 1970. */
  on_air_at: number;
  ticks: ColumnType<string | null, number | null, number | null>;
  discontinuities: number;
  /** Null until it is published. */
  text: ColumnType<string | null, null | undefined, string>;
}

export interface LiveAdmissionsTable {
  session_id: string;
  account_id: string;
  until: DatabaseTime;
}
