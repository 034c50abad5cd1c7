// The words of transcripts, for the search: PostgreSQL's full text without a language of its own, since one list holds
// transcripts of many.
import { sql } from "kysely";
import { searchableWords } from "../../text/searchable-words.ts";
import type { Database } from "./database.ts";

/** A tsvector holds a megabyte at most; no recording that is accepted has so much text. */
const MOST_CHARACTERS = 900_000;

/** The words of a transcript as they were read. */
export interface JobText {
  jobId: string;
  /** Undefined when it cannot be read: it is not looked for again. */
  text: string | undefined;
  /** How many it was read with; where there are others by now, it will be read anew. */
  corrections: CorrectionCount;
}

export interface CorrectionCount {
  made: number;
  undone: number;
}

async function countCorrections(database: Database, jobIds: readonly string[]): Promise<Map<string, CorrectionCount>> {
  const rows = await database
    .selectFrom("corrections")
    .select(["job_id", (select) => select.fn.countAll<string>().as("made")])
    .select((select) => select.fn.count<string>("undone_at").as("undone"))
    .where("job_id", "in", [...jobIds])
    .groupBy("job_id")
    .execute();
  return new Map(rows.map(({ job_id, made, undone }) => [job_id, { made: Number(made), undone: Number(undone) }]));
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

/** Puts words into the search; of jobs that were deleted or corrected meanwhile nothing is kept. */
export async function saveTexts(database: Database, texts: readonly JobText[]): Promise<void> {
  if (texts.length === 0) return;
  await database.transaction().execute(async (transaction) => {
    const all = texts.map(({ jobId }) => jobId);
    // A correction waits from here on, and is found unsearchable afterwards.
    const locked = await transaction
      .selectFrom("jobs")
      .select("id")
      .where("id", "in", all)
      .orderBy("id")
      .forUpdate()
      .execute();
    const there = new Set(locked.map(({ id }) => id));
    const counts = await countCorrections(transaction, all);
    const asRead = texts.filter(({ jobId, corrections }) => {
      const { made, undone } = counts.get(jobId) ?? { made: 0, undone: 0 };
      return there.has(jobId) && made === corrections.made && undone === corrections.undone;
    });
    if (asRead.length === 0) return;
    const read = asRead.map(({ jobId }) => jobId);
    await transaction.updateTable("jobs").set({ is_searchable: true }).where("id", "in", read).execute();
    const rows = asRead.flatMap(({ jobId, text }) => {
      if (text === undefined) return [];
      const kept = searchableWords(text.replaceAll("\0", "")).slice(0, MOST_CHARACTERS);
      return [{ job_id: jobId, text: kept, words: sql`to_tsvector('simple', ${kept})` }];
    });
    if (rows.length === 0) return;
    await transaction
      .insertInto("job_texts")
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .column("job_id")
          .doUpdateSet((row) => ({ text: row.ref("excluded.text"), words: row.ref("excluded.words") })),
      )
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
