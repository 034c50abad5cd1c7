// Which job a worker takes next. The claim begins an attempt of the job; leases.ts bounds it.
import { type RawBuilder, sql } from "kysely";
import { sleep } from "../../../process/sleep.ts";
import type { Database } from "../database.ts";
import { jobStatusesWith } from "./job-states.ts";
import type { JobRow } from "./jobs.ts";
import { leaseEnd, nextAttempt } from "./leases.ts";

/** fetch: jobs whose recording is still to be fetched; process: jobs that have theirs. Each lane is claimed separately. */
export type Lane = "fetch" | "process";

export interface Claim {
  worker: string;
  lane: Lane;
  /** Ids of accounts at their limit in this worker. */
  busyAccounts: readonly string[];
}

/** Above every count. */
const NO_LIMIT = 2_147_483_647;

/** Recordings of one account that are fetched in advance: more would fill the disk. */
const MOST_FETCHED_AHEAD = 64;

/** Accounts that one statement considers. It skips those that another claim has locked. */
const CANDIDATES = 8;

const CLAIM_TRIES = 5;
const LEAST_PAUSE_MILLISECONDS = 10;
const PAUSE_SPREAD = 4;

interface FullClaim extends Claim {
  concurrentJobs: number;
  models: readonly string[];
}

/**
 * Claims the next job of a lane: the oldest one of the account with the fewest running jobs. Accounts at their
 * limit wait, and so do jobs whose model is not installed. The count of the account is locked, so that no number of processes exceeds a
 * limit.
 * @param concurrentJobs  limit of accounts without their own; 0 is none. Only the lane `process` applies the limits of accounts
 * @param models          ids of the installed models; at least one
 * @param onContended     called if other processes hold the locks of all candidates: there may be a job
 * @returns undefined if there is none
 */
export async function claimNextJob(
  database: Database,
  claim: FullClaim,
  onContended?: () => void,
): Promise<JobRow | undefined> {
  for (let tries = 1; ; tries++) {
    const { row, hasCandidates } = await claimUnlocked(database, claim);
    // Other processes hold the locks of all these accounts. A stopped process may hold a lock for long: this one does not wait, and tries again.
    if (row || !hasCandidates) return row;
    if (tries === CLAIM_TRIES) {
      onContended?.();
      return undefined;
    }
    await sleep(LEAST_PAUSE_MILLISECONDS * (1 + Math.random() * PAUSE_SPREAD));
  }
}

async function claimUnlocked(
  database: Database,
  { worker, lane, busyAccounts, concurrentJobs, models }: FullClaim,
): Promise<{ row: JobRow | undefined; hasCandidates: boolean }> {
  const isFetch = lane === "fetch";
  const limit = sql`${concurrentJobs > 0 ? concurrentJobs : NO_LIMIT}::integer`;
  // A list as one parameter: the statement has the same text for any number of items, and is prepared once.
  const busy = sql`(string_to_array(${busyAccounts.join(",")}::text, ',')::uuid[])`;
  const eligible = sql`jobs.status = 'queued' and jobs.kind = 'pre-recorded'
    and jobs.file_id is ${isFetch ? sql`null` : sql`not null`} and jobs.model in (${sql.join(models)})`;
  const mayTake = isFetch
    ? sql`not exists (select from account_lanes as fetched where fetched.account_id = lanes.account_id
        and fetched.lane = 'process' and fetched.waiting >= ${MOST_FETCHED_AHEAD}
        and (select count(*) from (select from jobs as ahead where ahead.account_id = lanes.account_id
          and ahead.status = 'queued' and ahead.kind = 'pre-recorded' and ahead.file_id is not null
          and ahead.model in (${sql.join(models)}) limit ${MOST_FETCHED_AHEAD}) as runnable) >= ${MOST_FETCHED_AHEAD})`
    : sql`not (lanes.account_id = any ${busy})`;
  const turns = (isBelowLimit: RawBuilder<unknown>) => sql`(
    select account_id, running, head_at from account_lanes as lanes
    where lane = ${lane} and waiting > 0 and ${isBelowLimit} and ${mayTake}
      and exists (select from jobs where jobs.account_id = lanes.account_id and ${eligible})
    order by running, head_at limit ${CANDIDATES})`;
  const { rows } = await sql<JobRow & { has_candidates: boolean }>`
    with candidates as materialized (
      ${turns(sql`most_running is null and running < ${limit}`)}
      union all ${turns(sql`running < most_running`)}
    ), chosen as materialized (
      select lanes.account_id from candidates join account_lanes as lanes on lanes.account_id = candidates.account_id
      where lanes.lane = ${lane} and lanes.waiting > 0 and lanes.running < coalesce(lanes.most_running, ${limit})
      order by candidates.running, candidates.head_at limit 1
      for update of lanes skip locked
    ), next as materialized (
      select id from jobs where account_id = (select account_id from chosen) and ${eligible}
      order by created_at, id limit 1 for update skip locked
    ), claimed as (
      update jobs set status = 'processing', worker = ${worker}, attempt = ${nextAttempt("jobs.attempt")},
        lease_until = ${leaseEnd()}, started_at = coalesce(started_at, now()), expected_at = null
      from next where jobs.id = next.id and jobs.status in (${sql.join(jobStatusesWith("start"))}) returning jobs.*
    )
    select claimed.*, exists (select from candidates) as has_candidates from (select) as one left join claimed on true
  `.execute(database);
  const [{ has_candidates: hasCandidates, ...row } = { has_candidates: false, id: null }] = rows;
  return { row: row.id === null ? undefined : (row as JobRow), hasCandidates };
}
