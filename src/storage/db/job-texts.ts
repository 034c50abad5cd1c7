// The words of transcripts, for the search: PostgreSQL's full text without a language of its own, since one list holds
// transcripts of many.
import { sql } from "kysely";
import { searchableWords } from "../../text/searchable-words.ts";
import type { Database } from "./database.ts";

/** A tsvector holds a megabyte at most; no recording that is accepted has so much text. */
const MOST_CHARACTERS = 900_000;

export interface CorrectionCount {
  made: number;
  undone: number;
}

export async function countCorrections(database: Database, jobId: string): Promise<CorrectionCount> {
  const row = await database
    .selectFrom("corrections")
    .select((select) => [select.fn.countAll<string>().as("made"), select.fn.count<string>("undone_at").as("undone")])
    .where("job_id", "=", jobId)
    .executeTakeFirstOrThrow();
  return { made: Number(row.made), undone: Number(row.undone) };
}

/** The text of this job will be read anew. */
export async function markUnsearchable(database: Database, jobId: string): Promise<void> {
  await database.updateTable("jobs").set({ is_searchable: false }).where("id", "=", jobId).execute();
}

/** Finished jobs whose words are not in the search as they read now, those that ended last first. */
export async function unsearchableJobs(
  database: Database,
  limit: number,
): Promise<{ id: string; result_key: string | null }[]> {
  return database
    .selectFrom("jobs")
    .select(["id", "result_key"])
    .where("status", "=", "done")
    .where("is_searchable", "=", false)
    .orderBy("completed_at", "desc")
    .limit(limit)
    .execute();
}

/**
 * @param text         undefined when it cannot be read: it is not looked for again
 * @param corrections  how many it was read with; where there are others by now, it will be read anew
 */
export async function saveText(
  database: Database,
  jobId: string,
  text: string | undefined,
  corrections: CorrectionCount,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const now = await countCorrections(transaction, jobId);
    if (now.made !== corrections.made || now.undone !== corrections.undone) return;
    const updated = await transaction
      .updateTable("jobs")
      .set({ is_searchable: true })
      .where("id", "=", jobId)
      .executeTakeFirst();
    // It was deleted meanwhile.
    if (updated.numUpdatedRows === 0n || text === undefined) return;
    const kept = searchableWords(text.replaceAll("\0", "")).slice(0, MOST_CHARACTERS);
    const words = sql`to_tsvector('simple', ${kept})`;
    await transaction
      .insertInto("job_texts")
      .values({ job_id: jobId, text: kept, words })
      .onConflict((conflict) => conflict.column("job_id").doUpdateSet({ text: kept, words }))
      .execute();
  });
}

/** The search as PostgreSQL reads it: words, "phrases", or, -not. */
export const searchQuery = (search: string) => sql`websearch_to_tsquery('simple', ${searchableWords(search)})`;

/** Where each of these jobs says it, a few words around. */
export async function passages(
  database: Database,
  jobIds: readonly string[],
  search: string,
): Promise<Map<string, string>> {
  if (jobIds.length === 0) return new Map();
  const rows = await database
    .selectFrom("job_texts")
    .select([
      "job_id",
      sql<string>`ts_headline('simple', text, ${searchQuery(search)},
        'StartSel="", StopSel="", MaxFragments=1, MinWords=8, MaxWords=24')`.as("passage"),
    ])
    .where("job_id", "in", [...jobIds])
    .execute();
  return new Map(rows.map(({ job_id, passage }) => [job_id, passage]));
}
