// Tables of notes, of what corrections teach and of vocabulary lists, as Kysely sees them.
import type { Generated, JSONColumnType } from "kysely";
import type { Note } from "../../../contract/notes.ts";
import type { ListedWord } from "../../../contract/vocabulary.ts";
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

export interface NotesTable {
  id: string;
  job_id: string;
  created_at: DatabaseTime;
  made_by: string;
  changed_at: DatabaseTime | null;
  changed_by: string | null;
  version: Generated<number>;
  channel: number;
  starts: number;
  ends: number;
  colour: Note["colour"];
  text: string;
  quote: string;
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

export interface VocabularyListsTable {
  id: string;
  account_id: string;
  created_at: DatabaseTime;
  changed_at: DatabaseTime;
  version: Generated<number>;
  made_by: string;
  name: string;
  words: JSONColumnType<ListedWord[], string, string>;
  word_count: number;
}
