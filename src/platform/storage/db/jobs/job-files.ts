// Jobs together with the files that they transcribe.
import type { Database } from "../database.ts";
import type { DatabaseTime } from "../database-time.ts";
import type { JobRow } from "./jobs.ts";

/** The part of a job's file that clients receive. */
export interface JobFile {
  id: string;
  filename: string;
  source: string | null;
  audio_duration: number | null;
  number_of_channels: number | null;
  object_key: string;
  /** Bytes. */
  size: number;
  audio_deleted_at: DatabaseTime | null;
}

export interface JobWithFile extends JobRow {
  file: JobFile | null;
}

export const FILE_COLUMNS = [
  "files.filename",
  "files.source",
  "files.audio_duration",
  "files.number_of_channels",
  "files.object_key",
  "files.size",
  "files.audio_deleted_at",
] as const;

type FileColumns = { [Column in keyof Omit<JobFile, "id">]: JobFile[Column] | null };

export function withFile<Row extends Pick<JobRow, "file_id">>({
  filename,
  source,
  audio_duration,
  number_of_channels,
  object_key,
  size,
  audio_deleted_at,
  ...row
}: Row & FileColumns): Omit<Row & FileColumns, keyof FileColumns> & { file: JobFile | null } {
  const isThere = row.file_id !== null && filename !== null && object_key !== null && size !== null;
  const file = isThere
    ? {
        ...{ id: row.file_id as string, filename, source, audio_duration, number_of_channels },
        ...{ object_key, size, audio_deleted_at },
      }
    : null;
  return { ...row, file };
}

/** The file of a job, if its audio was not deleted. Other machines may still have copies of deleted audio, which no request may read. */
export const fileWithAudio = ({ file }: Pick<JobWithFile, "file">): JobFile | undefined =>
  file?.audio_deleted_at === null ? file : undefined;

export function jobsWithFiles(database: Database) {
  return database
    .selectFrom("jobs")
    .leftJoin("files", "files.id", "jobs.file_id")
    .selectAll("jobs")
    .select(FILE_COLUMNS);
}

/** @returns undefined also for a request for add-ons, which is no job of its own */
export async function findJobWithFile(database: Database, id: string): Promise<JobWithFile | undefined> {
  const row = await jobsWithFiles(database)
    .where("jobs.id", "=", id)
    .where("jobs.added_to", "is", null)
    .executeTakeFirst();
  return row && withFile(row);
}
