// The tables of the processes as Kysely sees them. Columns are explained in the migrations that make them.
import type { ColumnType } from "kysely";
import type { DatabaseTime } from "./database-time.ts";

export interface MachinesTable {
  name: string;
  generation: number;
  started_at: DatabaseTime;
  /** What its process last reported; null when it has stopped in order. */
  report: ColumnType<ProcessReport | null, string | null | undefined, string | null>;
  reported_at: DatabaseTime | null;
  /** Report of a process that has stopped in order. */
  last_report: ColumnType<ProcessReport | null, string | null | undefined, string | null>;
}

/** A model that a process has. */
export interface ReportedModel {
  id: string;
  engine: string;
  languages: readonly string[];
  capabilities: object;
  licence: string;
  /** What it was added as. */
  source: string;
  bytes: number;
}

/** What a process reports about itself. */
export interface ProcessReport {
  host: string;
  version: string;
  roles: string[];
  /** Ids of its models that recognise speech. */
  models: string[];
  /** All models that do not come with the program; left out by the previous version. */
  installed?: ReportedModel[];
  /** Clock of the machine minus that of the database. */
  clockMilliseconds: number;
  /** Recorded audio that it processes in a second; left out before its first job, and by the previous version. */
  audioSecondsPerSecond?: number | undefined;
}

export interface DeploymentTable {
  name: string;
  value: string;
}

export interface DutiesTable {
  name: string;
  holder: string;
  until: DatabaseTime;
}
