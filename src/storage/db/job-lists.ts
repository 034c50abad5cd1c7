// Jobs among others: pages of lists, and the place of one in the queue.
import { type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import type { Database } from "./database.ts";
import { searchQuery } from "./job-texts.ts";
import { type JobRow, type JobWithFile, jobsWithFiles, withFile } from "./jobs.ts";
import { metadataPairs, needsComparison } from "./metadata-filter.ts";
import type { DatabaseSchema, JobKind, JobStatus } from "./schema.ts";

export interface QueuePlace {
  /** Jobs that will be served before this one. */
  ahead: number;
  /** Seconds of audio in them, as far as known. */
  audioSecondsAhead: number;
  /** How many of them have an unknown length. */
  unknownAhead: number;
}

/** Accounts take turns: of each other one, as many jobs go first as of the job's own account. */
export async function queuePlace(
  database: Database,
  job: Pick<JobRow, "id" | "account_id" | "created_at">,
): Promise<QueuePlace> {
  const { rows } = await sql<{ ahead: string; seconds: number; unknown: string }>`
    with waiting as (
      select jobs.account_id, files.audio_duration as seconds,
        row_number() over (partition by jobs.account_id order by jobs.created_at, jobs.id) as place,
        jobs.account_id = ${job.account_id} and (jobs.created_at, jobs.id) >= (${job.created_at}, ${job.id}) as is_later
      from jobs left join files on files.id = jobs.file_id
      where jobs.status = 'queued' and jobs.kind = 'pre-recorded'
    ), before as (
      select seconds from waiting
      where not is_later and place <= (
        select count(*) + 1 from waiting where account_id = ${job.account_id} and not is_later
      )
    ), running as (
      select files.audio_duration * (1 - jobs.progress) as seconds
      from jobs left join files on files.id = jobs.file_id
      where jobs.status = 'processing' and jobs.kind = 'pre-recorded'
    ), all_before as (select seconds from before union all select seconds from running)
    select (select count(*) from before) as ahead,
      (select coalesce(sum(seconds), 0) from all_before) as seconds,
      (select count(*) from all_before where seconds is null) as unknown
  `.execute(database);
  const [row] = rows;
  return {
    ahead: Number(row?.ahead ?? 0),
    audioSecondsAhead: Number(row?.seconds ?? 0),
    unknownAhead: Number(row?.unknown ?? 0),
  };
}

export interface JobFilter {
  accountId: string;
  kinds?: JobKind[];
  statuses?: JobStatus[];
  /** Created from … */
  from?: Date;
  /** … to before. */
  before?: Date;
  /** Created later than. */
  after?: Date;
  /** Pairs that the job's metadata must contain; every scalar as text. */
  metadata?: object;
  /** Words that the transcript must contain. */
  search?: string;
  offset: number;
  limit: number;
}

/** How many matches of a pair are counted to find out which pair of several is the rarest. */
const COUNTED_MATCHES = 5_000;

async function rarest(database: Database, accountId: string, pairs: string[]): Promise<string | undefined> {
  if (pairs.length < 2) return pairs[0];
  const counts = await Promise.all(
    pairs.map(async (pair) => {
      const counted = await database
        .selectFrom((from) =>
          from
            .selectFrom("job_metadata")
            .select("job_id")
            .where("account_id", "=", accountId)
            .where("pair", "=", pair)
            .limit(COUNTED_MATCHES)
            .as("matches"),
        )
        .select((select) => select.fn.countAll<string>().as("count"))
        .executeTakeFirstOrThrow();
      return { pair, count: Number(counted.count) };
    }),
  );
  return counts.sort((left, right) => left.count - right.count)[0]?.pair;
}

type PageQuery = SelectQueryBuilder<DatabaseSchema, "jobs" | "job_metadata", { id: string }>;

/** Ids of a page, newest first, read along the one index that fits the filter best. */
async function pageOfIds(database: Database, filter: JobFilter): Promise<string[]> {
  const { accountId, kinds, statuses, from, before, after, metadata, search, offset, limit } = filter;
  const pairs = metadata ? metadataPairs(metadata) : [];
  const pair = await rarest(database, accountId, pairs);
  const along = pair === undefined ? "jobs" : "job_metadata";
  let query: PageQuery =
    pair === undefined
      ? (database.selectFrom("jobs").select("jobs.id") as unknown as PageQuery)
      : (database.selectFrom("job_metadata").select("job_metadata.job_id as id") as unknown as PageQuery).where(
          "job_metadata.pair",
          "=",
          pair,
        );
  query = query.where(`${along}.account_id`, "=", accountId);
  if (kinds) query = query.where(`${along}.kind`, "in", kinds);
  if (from) query = query.where(`${along}.created_at`, ">=", from);
  if (before) query = query.where(`${along}.created_at`, "<", before);
  if (after) query = query.where(`${along}.created_at`, ">", after);
  const isCompared = metadata !== undefined && needsComparison(metadata);
  if (pair !== undefined && (isCompared || statuses)) {
    query = query.innerJoin("jobs", "jobs.id", "job_metadata.job_id") as unknown as PageQuery;
  }
  for (const other of pairs.filter((candidate) => candidate !== pair)) {
    // The limit keeps the planner from joining with everything that has the other pair: it is looked up row by row.
    const found = sql<SqlBool>`(
      select true from job_metadata as other
      where other.job_id = job_metadata.job_id and other.pair = ${other}::bigint limit 1
    )`;
    query = query.where(found);
  }
  if (isCompared) query = query.where(sql<SqlBool>`jobs.metadata_filter @> ${JSON.stringify(metadata)}::jsonb`);
  if (statuses) query = query.where("jobs.status", "in", statuses);
  if (search !== undefined) {
    const id = sql.ref(pair === undefined ? "jobs.id" : "job_metadata.job_id");
    query = query.where(sql<SqlBool>`${id} in (select job_id from job_texts where words @@ ${searchQuery(search)})`);
  }
  const rows = await query
    .orderBy(`${along}.created_at`, "desc")
    .orderBy(pair === undefined ? "jobs.id" : "job_metadata.job_id", "desc")
    .offset(offset)
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** A page of jobs, newest first. */
export async function listJobs(database: Database, filter: JobFilter): Promise<JobWithFile[]> {
  const ids = await pageOfIds(database, filter);
  if (ids.length === 0) return [];
  const rows = await jobsWithFiles(database)
    .where("jobs.id", "in", ids)
    .orderBy("jobs.created_at", "desc")
    .orderBy("jobs.id", "desc")
    .execute();
  return rows.map(withFile);
}
