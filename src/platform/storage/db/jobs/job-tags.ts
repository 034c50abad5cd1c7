// Tags of jobs. The job has their texts; job_metadata has a pair for each, so that a list finds them as fast as metadata.
import { sql } from "kysely";
import { MOST_LISTED_TAGS, MOST_TAGS } from "../../../../contract/bounds.ts";
import { type Beginning, firstOf } from "../../../../contract/first-of.ts";
import { distinctTags, tagKey, tidyTag } from "../../../../contract/tag-text.ts";
import { errors } from "../../../errors.ts";
import type { Database } from "../database.ts";
import { tagPair } from "../metadata-filter.ts";
import { inTransaction } from "../transaction.ts";

/** Tagged jobs of an account whose tags are counted, the newest ones: this bounds the work for an account with very many. */
const MOST_COUNTED_JOBS = 5_000;
const VISIBLE = /[\p{L}\p{N}\p{S}\p{P}]/u;

/**
 * The tags of a request as they are stored.
 * @param field  name of the field that has them
 * @throws request.invalid
 */
export function requestedTags(field: string, tags: readonly string[]): string[] {
  const blank = tags.flatMap((tag, index) => (VISIBLE.test(tidyTag(tag)) ? [] : [`${field}.${index}`]));
  if (blank.length > 0)
    throw errors.invalidParameters(blank.map((name) => `${name} must have a letter, a digit or a sign`));
  return distinctTags(tags);
}

export const tagPairs = (tags: readonly string[]): string[] => tags.map((tag) => tagPair(tagKey(tag)));

/** What lists show and find a job by. Applied in this order. */
export interface LabelChange {
  /** Null for the name of its file; undefined keeps the name. */
  name?: string | null | undefined;
  tags?: readonly string[] | undefined;
  removed?: readonly string[] | undefined;
  added?: readonly string[] | undefined;
}

export interface Labels {
  name: string | null;
  tags: string[];
}

/** @throws limit.tags */
function changedTags(former: readonly string[], { tags = former, removed = [], added = [] }: LabelChange): string[] {
  const gone = new Set(removed.map(tagKey));
  const changed = distinctTags([...tags.filter((tag) => !gone.has(tagKey(tag))), ...added]);
  if (changed.length > MOST_TAGS) throw errors.tooManyTags(MOST_TAGS, changed.length);
  return changed;
}

/**
 * Changes the name and the tags of a job. Two changes at the same time both take effect.
 * @returns those that it has then; undefined if the job was deleted
 * @throws limit.tags
 */
export async function labelJob(database: Database, jobId: string, change: LabelChange): Promise<Labels | undefined> {
  return inTransaction(database, async (transaction) => {
    const row = await transaction
      .selectFrom("jobs")
      .select(["account_id", "created_at", "kind", "name", "tags"])
      .where("id", "=", jobId)
      .forUpdate()
      .executeTakeFirst();
    if (!row) return undefined;
    const { account_id, created_at, kind } = row;
    const name = change.name === undefined ? row.name : change.name;
    const tags = changedTags(row.tags, change);
    await transaction
      .updateTable("jobs")
      .set({ name, tags: JSON.stringify(tags), is_searchable: false, has_overview: false })
      .where("id", "=", jobId)
      .execute();
    const former = tagPairs(row.tags);
    const pairs = tagPairs(tags);
    const gone = former.filter((pair) => !pairs.includes(pair));
    if (gone.length > 0)
      await transaction.deleteFrom("job_metadata").where("job_id", "=", jobId).where("pair", "in", gone).execute();
    const fresh = pairs.filter((pair) => !former.includes(pair));
    if (fresh.length > 0)
      await transaction
        .insertInto("job_metadata")
        .values(fresh.map((pair) => ({ account_id, pair, created_at, job_id: jobId, kind })))
        .execute();
    return { name, tags };
  });
}

interface CountedTag {
  tag: string;
  jobs: number;
}

/** Tags of the newest tagged jobs of an account, those of the most jobs first, each in its most frequent spelling. */
export async function tagsOfAccount(database: Database, accountId: string): Promise<Beginning<CountedTag>> {
  const { rows } = await sql<CountedTag>`
    select tag, count(*)::int as jobs
    from (
      select tags from jobs where account_id = ${accountId} and tags <> '[]'::jsonb
      order by created_at desc limit ${MOST_COUNTED_JOBS}
    ) as tagged cross join lateral jsonb_array_elements_text(tagged.tags) as one(tag)
    group by tag order by jobs desc, tag`.execute(database);
  const byKey = new Map<string, CountedTag>();
  for (const { tag, jobs } of rows) {
    const known = byKey.get(tagKey(tag));
    if (known) known.jobs += jobs;
    else byKey.set(tagKey(tag), { tag, jobs });
  }
  const sorted = [...byKey.values()].sort((left, right) => right.jobs - left.jobs);
  return firstOf(sorted, MOST_LISTED_TAGS);
}
