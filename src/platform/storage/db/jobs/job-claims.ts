// Which job a worker takes next. The claim begins an attempt of the job; leases.ts bounds it.

import { type RawBuilder, sql } from "kysely";
import type { Database } from "../database.ts";
import type { DatabaseTime } from "../database-time.ts";
import { jobStatusesWith } from "./job-states.ts";
import type { JobRow } from "./jobs.ts";
import { leaseEnd, nextAttempt } from "./leases.ts";

/** Number of the oldest jobs that are searched for the next one before the queue of every account is. */
const OLDEST_LOOKED_AT = 200;

/** fetch: jobs whose recording is still to be fetched; process: jobs that have theirs. Each lane is claimed separately. */
export type Lane = "fetch" | "process";

export interface Claim {
  worker: string;
  lane: Lane;
  /** Ids of accounts at their limit in this worker. */
  busyAccounts: readonly string[];
}

/** Recordings of one account that are fetched in advance: more would fill the disk. */
const MOST_FETCHED_AHEAD = 64;

/**
 * Claims the next job of a lane: the oldest one of the account with the fewest running jobs. Accounts at their
 * limit wait, and so do jobs whose model is not installed.
 * @param concurrentJobs  limit of accounts without their own; 0 is none. Only the lane `process` applies the limits of accounts
 * @param models          ids of the installed models; at least one
 * @returns undefined if there is none, or another process claimed it first
 */
export async function claimNextJob(
  database: Database,
  claim: Claim & { concurrentJobs: number; models: readonly string[] },
): Promise<JobRow | undefined> {
  const isFetch = claim.lane === "fetch";
  const inLane = isFetch ? sql`jobs.file_id is null` : sql`jobs.file_id is not null`;
  const waits = sql`jobs.status = 'queued' and jobs.kind = 'pre-recorded' and jobs.model in (${sql.join(claim.models)})`;
  const ownLimit = isFetch ? sql`null::integer` : sql`accounts.concurrent_jobs`;
  // A list as one parameter: the statement has the same text for any number of accounts, and is prepared once.
  const busy = sql`any (string_to_array(${claim.busyAccounts.join(",")}::text, ',')::uuid[])`;
  const mayTake = (account: RawBuilder<unknown>) =>
    isFetch
      ? sql`(select count(*) from (
          select from jobs where jobs.account_id = ${account} and ${waits} and jobs.file_id is not null
          limit ${MOST_FETCHED_AHEAD}
        ) as fetched) < ${MOST_FETCHED_AHEAD}`
      : sql`not (${account} = ${busy})`;
  // If no job of its account runs, the oldest job is next. With many accounts, the oldest jobs include such a one.
  const next = sql<string>`(
    with running as (
      select account_id, count(*) as jobs from jobs
      where status = 'processing' and kind = 'pre-recorded' and ${inLane} group by account_id
    ), oldest as (
      select id, account_id, created_at from jobs where ${waits} and ${inLane}
      order by created_at, id limit ${OLDEST_LOOKED_AT}
    ), of_idle_account as (
      select jobs.id from oldest join jobs on jobs.id = oldest.id and jobs.status = 'queued'
      where oldest.account_id not in (select account_id from running) and ${mayTake(sql`oldest.account_id`)}
      order by oldest.created_at, oldest.id limit 1 for update of jobs skip locked
    )
    select coalesce((select id from of_idle_account), (
      select head.id from accounts
      left join running on running.account_id = accounts.id
      cross join lateral (
        select jobs.id, jobs.created_at from jobs
        where jobs.account_id = accounts.id and ${waits} and ${inLane}
        order by jobs.created_at, jobs.id limit 1 for update skip locked
      ) as head
      where exists (select from jobs where ${waits} and ${inLane})
        and coalesce(nullif(coalesce(${ownLimit}, ${claim.concurrentJobs}::integer), 0), 2147483647)
          > coalesce(running.jobs, 0)
        and ${mayTake(sql`accounts.id`)}
      order by coalesce(running.jobs, 0), head.created_at limit 1
    ))
  )`;
  return database
    .updateTable("jobs")
    .set({
      status: "processing",
      worker: claim.worker,
      attempt: nextAttempt("jobs.attempt"),
      lease_until: leaseEnd(),
      started_at: sql<DatabaseTime>`coalesce(started_at, now())`,
    })
    .where("id", "=", next)
    .where("status", "in", jobStatusesWith("start"))
    .returningAll()
    .executeTakeFirst();
}
