// The words of transcripts, for the search: PostgreSQL's full text without a language of its own, since one list holds
// transcripts of many.
import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { JobStatus } from "../../../../contract/job.ts";
import type { JobOverview } from "../../../../contract/job-overview.ts";
import { inTurns, type Steps } from "../../../process/steps.ts";
import { beginningOf, storableText, storableValue } from "../../../storable.ts";
import type { Database } from "../database.ts";
import { inTransaction } from "../transaction.ts";
import { type JobWithFile, jobsWithFiles, withFile } from "./job-files.ts";
import { type Replaced, saveReplaced } from "./replaced-phrases.ts";
import { makingSearchable, searchableNames, searchableWords, withoutAccents } from "./searchable-words.ts";

/** A tsvector holds a megabyte at most, more than the text of any accepted recording. */
const MOST_CHARACTERS = 900_000;

/** Names of one job, of its file and of its speakers, and its tags. */
const MOST_NAME_CHARACTERS = 50_000;

/** They lose their accents in a few milliseconds. */
const CHARACTERS_OF_A_STEP = 10_000;

/** The words of a transcript and the names of its job as they were read. */
export interface JobText {
  jobId: string;
  /** Of the job when it was read. If they have changed, its result is being made again. */
  status: JobStatus;
  resultKey: string | null;
  /** Undefined if it cannot be read; it is not read again. */
  text: string | undefined;
  /** Of the job when it was read; where it differs now, the job is indexed again. */
  name: string | null;
  /** Likewise. */
  tags: readonly string[];
  /** Other names that find the job: of its file and of its speakers. */
  names: readonly string[];
  overview: JobOverview | null;
  /** What people replaced in it. */
  replaced: readonly Replaced[];
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
  await database
    .updateTable("jobs")
    .set({ is_searchable: false, has_overview: false })
    .where("id", "=", jobId)
    .execute();
}

/** In this order in the condition of an index. */
const INDEXED: JobStatus[] = ["done", "error"];

/** Jobs that ended and whose words and names are not in the search as they read now, those that ended last first. */
export async function unsearchableJobs(database: Database, limit: number): Promise<JobWithFile[]> {
  const rows = await jobsWithFiles(database)
    .where("status", "in", INDEXED)
    .where(sql<boolean>`not (is_searchable and has_overview)`)
    .where("added_to", "is", null)
    .orderBy("completed_at", "desc")
    .limit(limit)
    .execute();
  return rows.map(withFile);
}

const isEqualList = (left: readonly string[], right: readonly string[]) =>
  left.length === right.length && left.every((text, at) => text === right[at]);

interface TextColumns {
  text: string;
  /** Without accents, as `plainNames`. */
  plain: string;
  plainNames: string;
}

/** What the search reads of a job, in steps: a transcript may have hundreds of thousands of characters. */
function* textColumns({ text: given = "", name, names, tags }: JobText): Steps<TextColumns> {
  const words = yield* makingSearchable(storableText(beginningOf(given, MOST_CHARACTERS)));
  const text = beginningOf(words, MOST_CHARACTERS);
  let plain = "";
  for (let at = 0; at < text.length; yield) {
    const piece = beginningOf(text.slice(at, at + CHARACTERS_OF_A_STEP + 1), CHARACTERS_OF_A_STEP);
    plain += withoutAccents(piece);
    at += piece.length;
  }
  const all = searchableNames([...(name === null ? [] : [name]), ...names, ...tags].map(storableText));
  return { text, plain, plainNames: withoutAccents(beginningOf(all, MOST_NAME_CHARACTERS)) };
}

/** Adds texts to the search index, except those of jobs that were deleted, corrected or made again meanwhile. */
export async function saveTexts(database: Database, texts: readonly JobText[]): Promise<void> {
  if (texts.length === 0) return;
  const columns = new Map<string, TextColumns>();
  for (const text of texts) columns.set(text.jobId, await inTurns(textColumns(text)));
  await inTransaction(database, async (transaction) => {
    const all = texts.map(({ jobId }) => jobId);
    // A correction waits from here on, and is found unsearchable afterwards.
    const locked = await transaction
      .selectFrom("jobs")
      .select(["id", "name", "tags", "status", "result_key"])
      .where("id", "in", all)
      .orderBy("id")
      .forUpdate()
      .execute();
    const there = new Map(locked.map((row) => [row.id, row]));
    const counts = await countCorrections(transaction, all);
    const asRead = texts.filter(({ jobId, name, tags, status, resultKey, corrections }) => {
      const row = there.get(jobId);
      if (row?.name !== name || !isEqualList(row.tags, tags) || row.status !== status || row.result_key !== resultKey)
        return false;
      const { made, undone } = counts.get(jobId) ?? { made: 0, undone: 0 };
      return made === corrections.made && undone === corrections.undone;
    });
    if (asRead.length === 0) return;
    const read = asRead.map(({ jobId }) => jobId);
    await transaction
      .updateTable("jobs")
      .set({ is_searchable: true, has_overview: true })
      .where("id", "in", read)
      .execute();
    await saveReplaced(transaction, asRead);
    const rows = asRead.map(({ jobId, overview }) => {
      const { text, plain, plainNames } = columns.get(jobId) as TextColumns;
      return {
        job_id: jobId,
        text,
        plain_text: plain,
        words: sql`to_tsvector('simple', ${plain}) || to_tsvector('simple', ${plainNames})`,
        overview: overview && JSON.stringify(storableValue(overview)),
      };
    });
    await transaction
      .insertInto("job_texts")
      .values(rows)
      .onConflict((conflict) =>
        conflict.column("job_id").doUpdateSet((row) => ({
          text: row.ref("excluded.text"),
          plain_text: row.ref("excluded.plain_text"),
          words: row.ref("excluded.words"),
          overview: row.ref("excluded.overview"),
        })),
      )
      .execute();
  });
}

/**
 * The search as PostgreSQL reads it: words, "phrases", or, -not. Accents do not count, and words match those that begin with them;
 * a word after "-" matches itself alone.
 */
const searchQuery = (search: string) =>
  sql`regexp_replace(websearch_to_tsquery('simple', ${withoutAccents(searchableWords(search))})::text, ${QUOTED_WORD}, '\\1:*', 'g')::tsquery`;
/** A word of a tsquery as text, unless "!" is before it. */
const QUOTED_WORD = "(?<!!)('(?:[^']|'')*')";

/** Unfinished jobs of each state that a search reads; further ones are found once they have ended. */
const MOST_UNFINISHED = 1_000;
/** Accents of Latin, Greek and Cyrillic letters in decomposed text. */
const ACCENTS = "[\u0300-\u036f]+";
const PUNCTUATION = "._-()[]+&,";

const newestOf = (accountId: string, status: JobStatus) => sql`(
  select id, name, tags, file_id from jobs where account_id = ${accountId} and status = ${status}
  order by created_at desc limit ${MOST_UNFINISHED}
)`;

interface Search {
  accountId: string;
  search: string;
  /** People of the library of voices whom it names. */
  voiceIds: readonly string[];
}

/** Whether a job is found: an ended one by its words, names and tags, an unfinished one by its names and tags. @param id  of the job */
export function isFound({ accountId, search, voiceIds }: Search, id: RawBuilder<unknown>): RawBuilder<SqlBool> {
  const query = searchQuery(search);
  const names = sql`translate(regexp_replace(normalize(concat_ws(' ', one.name, files.filename, one.tags::text), NFD), ${ACCENTS}, '', 'g'), 'ı', 'i')`;
  // Materialized: without statistics, the planner would read the names of all unfinished jobs again for each job of the page.
  return sql<SqlBool>`${id} in (
    with unfinished as materialized (
      select one.id
      from (${newestOf(accountId, "queued")} union all ${newestOf(accountId, "processing")}) as one
      left join files on files.id = one.file_id
      where to_tsvector('simple', ${names}) || to_tsvector('simple',
        translate(${names}, ${PUNCTUATION}, repeat(' ', length(${PUNCTUATION})))) @@ ${query}
    )
    select job_id from job_texts where words @@ ${query}
    union all
    select job_id from job_voices where voice_id = any (${[...voiceIds]}::uuid[])
    union all
    select id from unfinished
  )`;
}

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
      .where("job_id", "in", jobIds.slice(at, at + PASSAGES_AT_ONCE))
      .where("text", "<>", "");
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
