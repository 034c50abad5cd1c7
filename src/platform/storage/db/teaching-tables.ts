// Tables of what corrections teach, as Kysely sees them.
import type { JSONColumnType } from "kysely";
import type { DatabaseTime } from "./database-time.ts";

export interface ReplacedPhrasesTable {
  job_id: string;
  pair: string;
  phrase: string;
  account_id: string;
  before: string;
  after: string;
  utterances: number;
  changed_at: DatabaseTime;
}

export interface DismissedPairsTable {
  account_id: string;
  pair: string;
  dismissed_at: DatabaseTime;
}

export interface VocabularyWordsTable {
  id: string;
  account_id: string;
  created_at: DatabaseTime;
  made_by: string;
  value: string;
  pronunciations: JSONColumnType<string[], string, string>;
  language: string | null;
  intensity: number | null;
}
