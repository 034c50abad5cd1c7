// The words of transcripts, for the search: PostgreSQL's full text without a language of its own, since one list holds
// transcripts of many.
import { sql } from "kysely";
import { beginningOf, storableText } from "../../../storable.ts";
import type { Database } from "../database.ts";
import { inTransaction } from "../transaction.ts";
import type { JobRow } from "./jobs.ts";
import { searchableWords, withoutAccents } from "./searchable-words.ts";

/** A tsvector holds a megabyte at most, more than the text of any accepted recording. */
const MOST_CHARACTERS = 900_000;

/** The words of a transcript as they were read. */
export interface JobText {
  jobId: string;
  /** Undefined if it cannot be read; it is not read again. */
  text: string | undefined;
  /** Number of corrections that it was indexed with; where it differs now, the text is indexed again. */
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

/** The text of this job will be indexed again. */
export async function markUnsearchable(database: Database, jobId: string): Promise<void> {
  await database.updateTable("jobs").set({ is_searchable: false }).where("id", "=", jobId).execute();
}

/** Finished jobs whose words are not in the search as they read now, those that ended last first. */
export async function unsearchableJobs(database: Database, limit: number): Promise<JobRow[]> {
  return database
    .selectFrom("jobs")
    .selectAll()
    .where("status", "=", "done")
    .where("is_searchable", "=", false)
    .orderBy("completed_at", "desc")
    .limit(limit)
    .execute();
}

/** Adds texts to the search index, except those of jobs that were deleted or corrected meanwhile. */
export async function saveTexts(database: Database, texts: readonly JobText[]): Promise<void> {
  if (texts.length === 0) return;
  await inTransaction(database, async (transaction) => {
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
      const kept = beginningOf(searchableWords(storableText(text)), MOST_CHARACTERS);
      const plain = withoutAccents(kept);
      return [{ job_id: jobId, text: kept, plain_text: plain, words: sql`to_tsvector('simple', ${plain})` }];
    });
    if (rows.length === 0) return;
    await transaction
      .insertInto("job_texts")
      .values(rows)
      .onConflict((conflict) =>
        conflict.column("job_id").doUpdateSet((row) => ({
          text: row.ref("excluded.text"),
          plain_text: row.ref("excluded.plain_text"),
          words: row.ref("excluded.words"),
        })),
      )
      .execute();
  });
}

/**
 * The search as PostgreSQL reads it: words, "phrases", or, -not. Accents do not count, and words match those that begin with them;
 * a word after "-" matches itself alone.
 */
export const searchQuery = (search: string) =>
  sql`regexp_replace(websearch_to_tsquery('simple', ${withoutAccents(searchableWords(search))})::text, ${QUOTED_WORD}, '\\1:*', 'g')::tsquery`;
/** A word of a tsquery as text, unless "!" is before it. */
const QUOTED_WORD = "(?<!!)('(?:[^']|'')*')";

/** Each is searched in a whole transcript; the embedded database runs other queries between two such statements. */
const PASSAGES_AT_ONCE = 20;

/** The passage of each job that matches, with a few words around it. */
export async function passages(
  database: Database,
  jobIds: readonly string[],
  search: string,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (let at = 0; at < jobIds.length; at += PASSAGES_AT_ONCE) {
    const headlines = database
      .selectFrom("job_texts")
      .select([
        "job_id",
        "text",
        "plain_text",
        sql<string>`ts_headline('simple', plain_text, ${searchQuery(search)},
          'StartSel="", StopSel="", MaxFragments=1, MinWords=8, MaxWords=24')`.as("headline"),
      ])
      .where("job_id", "in", jobIds.slice(at, at + PASSAGES_AT_ONCE));
    const rows = await database
      .selectFrom(headlines.as("found"))
      .select([
        "job_id",
        // The same place in the text with its accents, which has as many characters.
        sql<string>`case when strpos(plain_text, headline) > 0
          then substr(text, strpos(plain_text, headline), char_length(headline)) else headline end`.as("passage"),
      ])
      .execute();
    for (const { job_id, passage } of rows) found.set(job_id, passage);
  }
  return found;
}
