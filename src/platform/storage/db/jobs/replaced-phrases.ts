// Words that people replaced in transcripts. The rows of a job are written together with its text for the search, and deleted with the job.
import { type RawBuilder, type SqlBool, sql } from "kysely";
import { storableText } from "../../../storable.ts";
import { hashOf } from "../../content-hash.ts";
import type { Database } from "../database.ts";
import { searchableWords, withoutAccents } from "./searchable-words.ts";

/** A phrase and what replaced it in one transcript. */
export interface Replaced {
  before: string;
  after: string;
  /** The same for each way of writing `before`. */
  key: string;
  /** Utterances of the job in which it was replaced. */
  utterances: number;
}

const LEAST_UTTERANCES = 2;

/** The same for the same texts, in the form of a UUID. */
const idOf = (...texts: string[]) =>
  hashOf(JSON.stringify(texts))
    .slice(0, 32)
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");

/** Replaces the rows of jobs. @param jobs  locked */
export async function saveReplaced(
  transaction: Database,
  jobs: readonly { jobId: string; replaced: readonly Replaced[] }[],
): Promise<void> {
  const rows = jobs.flatMap(({ jobId, replaced }) =>
    replaced.map(({ key, utterances, ...texts }) => {
      const [before, after] = [storableText(texts.before), storableText(texts.after)];
      return { job_id: jobId, pair: idOf(key, after), phrase: idOf(key), before, after, utterances };
    }),
  );
  const kept = sql`select job_id, pair from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as kept (job_id uuid, pair uuid)`;
  await transaction
    .deleteFrom("replaced_phrases")
    .where("job_id", "in", [...jobs.map(({ jobId }) => jobId)])
    .where(sql<SqlBool>`(job_id, pair) not in (${kept})`)
    .execute();
  if (rows.length === 0) return;
  await sql`
    insert into replaced_phrases (job_id, pair, phrase, account_id, before, after, utterances, changed_at)
    select distinct on (found.job_id, found.pair) found.job_id, pair, phrase, account_id, before, after, utterances, date_trunc('milliseconds', now())
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as found (job_id uuid, pair uuid, phrase uuid, before text, after text, utterances integer)
    join jobs on jobs.id = found.job_id
    on conflict (job_id, pair) do update set before = excluded.before, utterances = excluded.utterances,
      changed_at = case when excluded.utterances > replaced_phrases.utterances then excluded.changed_at
        else replaced_phrases.changed_at end
    where replaced_phrases.utterances <> excluded.utterances or replaced_phrases.before <> excluded.before`.execute(
    transaction,
  );
}

/** A phrase that was replaced by the same words in two utterances or more. */
export interface RepeatedCorrection {
  pair: string;
  before: string;
  after: string;
  utterances: number;
  recordings: number;
  changedAt: Date;
  isDismissed: boolean;
  /** What else replaced the phrase. */
  others: string[];
}

interface Filter {
  accountId: string;
  /** Those to which this job has contributed. */
  jobId?: string | undefined;
  isDismissed: boolean;
  limit: number;
  /** The last one of the page before. */
  after?: { changedAt: Date; pair: string } | undefined;
}

const isDismissed = (accountId: string, pair: RawBuilder<unknown>) =>
  sql<boolean>`exists (select from dismissed_pairs where dismissed_pairs.account_id = ${accountId} and dismissed_pairs.pair = ${pair})`;

interface Sums {
  pair: string;
  utterances: string;
  recordings: string;
  changed_at: Date;
  is_dismissed: boolean;
}

async function withTexts(database: Database, accountId: string, sums: readonly Sums[]): Promise<RepeatedCorrection[]> {
  if (sums.length === 0) return [];
  const texts = await sql<{ pair: string; before: string; after: string; others: string[] | null }>`
    select distinct on (pair) pair, before, after, (
      select array_agg(distinct other.after) from replaced_phrases as other
      where other.account_id = ${accountId} and other.phrase = one.phrase and other.after <> one.after
    ) as others
    from replaced_phrases as one
    where account_id = ${accountId} and pair in (${sql.join(sums.map(({ pair }) => pair))})
    order by pair, utterances desc, job_id`.execute(database);
  const byPair = new Map(texts.rows.map((row) => [row.pair, row]));
  return sums.flatMap(({ pair, utterances, recordings, changed_at: changedAt, is_dismissed }) => {
    const text = byPair.get(pair);
    // Its recordings were deleted meanwhile.
    if (!text) return [];
    const { before, after, others } = text;
    const counts = { utterances: Number(utterances), recordings: Number(recordings) };
    return [{ pair, before, after, ...counts, changedAt, isDismissed: is_dismissed, others: others ?? [] }];
  });
}

/** Repeated corrections, the one that was repeated last at the beginning. */
export async function listRepeated(database: Database, filter: Filter): Promise<RepeatedCorrection[]> {
  const { accountId, jobId, isDismissed: wanted, limit, after } = filter;
  const ofJob =
    jobId === undefined ? sql`` : sql`and pair in (select pair from replaced_phrases where job_id = ${jobId})`;
  const from = after
    ? sql`and (changed_at, pair) < (${after.changedAt.toISOString()}::timestamptz, ${after.pair}::uuid)`
    : sql``;
  // Sums are made along an index; only repeated ones are compared with those that were dismissed.
  const { rows } = await sql<Sums>`
    select repeated.*, ${wanted}::boolean as is_dismissed
    from (
      select pair, sum(utterances) as utterances, count(*) as recordings, max(changed_at) as changed_at
      from replaced_phrases
      where account_id = ${accountId} ${ofJob}
      group by pair having sum(utterances) >= ${LEAST_UTTERANCES}
    ) as repeated
    where ${isDismissed(accountId, sql.ref("repeated.pair"))} = ${wanted} ${from}
    order by changed_at desc, pair desc limit ${limit}`.execute(database);
  return withTexts(database, accountId, rows);
}

/** @returns undefined if the account has no repeated correction with this pair */
export async function findRepeated(
  database: Database,
  accountId: string,
  pair: string,
): Promise<RepeatedCorrection | undefined> {
  const { rows } = await sql<Sums>`
    select pair, sum(utterances) as utterances, count(*) as recordings, max(changed_at) as changed_at,
      ${isDismissed(accountId, sql`${pair}::uuid`)} as is_dismissed
    from replaced_phrases where account_id = ${accountId} and pair = ${pair}
    group by pair having sum(utterances) >= ${LEAST_UTTERANCES}`.execute(database);
  return (await withTexts(database, accountId, rows))[0];
}

export async function setDismissed(
  database: Database,
  { accountId, pair }: { accountId: string; pair: string },
  isDismissed: boolean,
): Promise<void> {
  if (!isDismissed) {
    await database.deleteFrom("dismissed_pairs").where("account_id", "=", accountId).where("pair", "=", pair).execute();
    return;
  }
  await sql`insert into dismissed_pairs (account_id, pair, dismissed_at)
    values (${accountId}, ${pair}, now()) on conflict do nothing`.execute(database);
}

/**
 * Finished jobs of an account whose words have those of a phrase one after another, the newest first.
 * @param until  id from which on jobs are listed; absent: from the newest
 */
export async function jobsWithPhrase(
  database: Database,
  { accountId, phrase, until, limit }: { accountId: string; phrase: string; until?: string | undefined; limit: number },
): Promise<string[]> {
  let query = database
    .selectFrom("jobs")
    .innerJoin("job_texts", "job_texts.job_id", "jobs.id")
    .select("jobs.id")
    .where("jobs.account_id", "=", accountId)
    .where("jobs.status", "=", "done")
    .where(
      sql<SqlBool>`job_texts.words @@ phraseto_tsquery('simple', ${withoutAccents(searchableWords(storableText(phrase)))})`,
    );
  if (until !== undefined) query = query.where("jobs.id", "<=", until);
  const rows = await query.orderBy("jobs.id", "desc").limit(limit).execute();
  return rows.map(({ id }) => id);
}
