// The objects that rows of the database refer to.
import type { Database } from "../database.ts";

export interface KeptRows {
  /** Object of each file. */
  files: ReadonlyMap<string, string>;
  /** Result of each job that has one, or will have one (""): a result may be stored before its row says so. */
  results: ReadonlyMap<string, string>;
  /** Jobs that have not ended. */
  unfinished: ReadonlySet<string>;
}

/** @param ids  of files or jobs */
export async function keptRows(database: Database, ids: readonly string[]): Promise<KeptRows> {
  if (ids.length === 0) return { files: new Map(), results: new Map(), unfinished: new Set() };
  const files = await database
    .selectFrom("files")
    .select(["id", "object_key"])
    .where("id", "in", [...ids])
    .execute();
  const jobs = await database
    .selectFrom("jobs")
    .select(["id", "status", "result_key"])
    .where("id", "in", [...ids])
    .execute();
  // A live session is unfinished until its row says that it has ended, too.
  const unfinished = jobs.filter(({ status }) => status !== "done" && status !== "error");
  const withResult = jobs.filter(({ status, result_key }) => result_key !== null || status !== "error");
  return {
    files: new Map(files.map(({ id, object_key }) => [id, object_key])),
    results: new Map(withResult.map(({ id, result_key }) => [id, result_key ?? ""])),
    unfinished: new Set(unfinished.map(({ id }) => id)),
  };
}
