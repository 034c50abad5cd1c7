// Pages of lists of jobs.
import { type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import type { JobOverview } from "../../../../contract/job-overview.ts";
import { clientTime } from "../client-time.ts";
import type { Database } from "../database.ts";
import { metadataPairs, needsComparison } from "../metadata-filter.ts";
import type { DatabaseSchema, JobKind, JobStatus } from "../schema.ts";
import { sizedBatches } from "../sized-batches.ts";
import { FILE_COLUMNS, type JobFile, withFile } from "./job-files.ts";
import { tagPairs } from "./job-tags.ts";
import { isFound } from "./job-texts.ts";
import type { JobRow } from "./jobs.ts";

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
  /** Id of a job: only older ones, or only newer ones, of which the page has the oldest. */
  olderThan?: string;
  newerThan?: string;
  /** Pairs that the job's metadata must contain; every scalar as text. */
  metadata?: object;
  /** Tags that the job must have. */
  tags?: readonly string[];
  /** Words that the transcript, the names or the tags of the job must contain. */
  search?: string;
  /** People of the library of voices whom the search names: jobs in which they speak are found, too. */
  voiceIds?: readonly string[];
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
  const pairs = [...new Set([...(metadata ? metadataPairs(metadata) : []), ...tagPairs(filter.tags ?? [])])];
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
  // Requests for add-ons have no metadata.
  if (pair === undefined) query = query.where("jobs.added_to", "is", null);
  if (kinds) query = query.where(`${along}.kind`, "in", kinds);
  if (from) query = query.where(`${along}.created_at`, ">=", clientTime(from));
  if (before) query = query.where(`${along}.created_at`, "<", clientTime(before));
  if (after) query = query.where(`${along}.created_at`, ">", clientTime(after));
  const place = sql`(${sql.ref(`${along}.created_at`)}, ${sql.ref(pair === undefined ? "jobs.id" : "job_metadata.job_id")})`;
  for (const [id, sign] of [
    [filter.olderThan, sql`<`],
    [filter.newerThan, sql`>`],
  ] as const) {
    if (id !== undefined)
      query = query.where(
        sql<SqlBool>`${place} ${sign} (select one.created_at, one.id from jobs as one where one.id = ${id})`,
      );
  }
  const direction = filter.newerThan === undefined ? "desc" : "asc";
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
    query = query.where(isFound({ accountId, search, voiceIds: filter.voiceIds ?? [] }, id));
  }
  const rows = await query
    .orderBy(`${along}.created_at`, direction)
    .orderBy(pair === undefined ? "jobs.id" : "job_metadata.job_id", direction)
    .offset(offset)
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** What a list reads of the requests of its jobs; those of a job have up to a megabyte. */
const PARAMS = {
  none: sql<JobRow["request_params"]>`'{}'::json`,
  address: sql<JobRow["request_params"]>`json_build_object('audio_url', jobs.request_params -> 'audio_url')`,
  all: sql<JobRow["request_params"]>`jobs.request_params`,
} as const;
export type ListedParams = keyof typeof PARAMS;

/** A page whose rows hold more ends early. */
const MOST_PAGE_CHARACTERS = 8_000_000;

const LISTED = [
  "id",
  "kind",
  "name",
  "tags",
  "status",
  "created_at",
  "completed_at",
  "custom_metadata",
  "post_session_metadata",
  "file_id",
  "error_code",
  "error_message",
  "request_params",
] as const;

/** The columns of a job that a list shows. */
export type ListedJob = Pick<JobRow, (typeof LISTED)[number]> & {
  file: JobFile | null;
};

/** A job of a list, with what the list shows of its transcript; null until the search has read it. */
export type JobOfPage = ListedJob & { overview: JobOverview | null };

export interface JobPage {
  rows: JobOfPage[];
  /** Number of jobs that the page covers, deleted ones included: the offset of the next page. */
  count: number;
  /** Whether there is a next page. */
  hasMore: boolean;
}

/**
 * A page of jobs, newest first; with `newerThan`, those next to that job. It ends before `filter.limit` where its rows are very large: a thousand requests of a megabyte would
 * take several gigabytes of memory.
 * @param params  how much of the requests of the jobs is read
 */
export async function listJobs(database: Database, filter: JobFilter, params: ListedParams): Promise<JobPage> {
  // One more row than the page has shows whether there is a next page.
  const ids = await pageOfIds(database, { ...filter, limit: filter.limit + 1 });
  const rows: JobOfPage[] = [];
  let characters = 0;
  let count = 0;
  for (const batch of sizedBatches(await sizesOf(database, ids.slice(0, filter.limit), params))) {
    if (characters >= MOST_PAGE_CHARACTERS) break;
    const page = batch.map(({ id }) => id);
    const some = await rowsOf(database, page, params);
    count += batch.length;
    for (const one of batch) characters += one.characters;
    if (filter.newerThan === undefined) rows.push(...some);
    else rows.unshift(...some);
  }
  return { rows, count, hasMore: ids.length > count };
}

/** Of deleted jobs, nothing. @returns in the order of `ids` */
async function sizesOf(database: Database, ids: readonly string[], params: ListedParams) {
  if (ids.length === 0) return [];
  const size = sql<number>`octet_length((${PARAMS[params]})::text) + octet_length(post_session_metadata::text)`;
  const rows = await database
    .selectFrom("jobs")
    .select(["id", size.as("characters")])
    .where("id", "in", [...ids])
    .execute();
  const sizes = new Map(rows.map(({ id, characters }) => [id, characters]));
  return ids.map((id) => ({ id, characters: sizes.get(id) ?? 0 }));
}

async function rowsOf(database: Database, ids: readonly string[], params: ListedParams): Promise<JobOfPage[]> {
  const rows = await database
    .selectFrom("jobs")
    .leftJoin("files", "files.id", "jobs.file_id")
    .leftJoin("job_texts", "job_texts.job_id", "jobs.id")
    .select("job_texts.overview")
    .select(LISTED.filter((column) => column !== "request_params").map((column) => `jobs.${column}` as const))
    .select(FILE_COLUMNS)
    .select(PARAMS[params].as("request_params"))
    .where("jobs.id", "in", [...ids])
    .orderBy("jobs.created_at", "desc")
    .orderBy("jobs.id", "desc")
    .execute();
  return rows.map(withFile);
}
