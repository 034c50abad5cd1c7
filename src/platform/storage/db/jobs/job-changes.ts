// Accounts with open streams of events, and the state of jobs that changed.
import { sql } from "kysely";
import type { JobState } from "../../../../contract/job-events.ts";
import type { Database } from "../database.ts";

/**
 * Has the database send a notification of each change of these accounts' jobs (migration 0020).
 * @param seconds  from now on; never shortens the time that another process requested
 */
export async function watchAccounts(database: Database, ids: readonly string[], seconds: number): Promise<void> {
  if (ids.length === 0) return;
  // An account may have been deleted. In one order, so that two processes do not wait for each other.
  await sql`insert into watched_accounts as watched (account_id, until)
    select id, now() + make_interval(secs => ${seconds}::float8) from accounts
    where id in (${sql.join([...ids])}) order by id
    on conflict (account_id) do update set until = greatest(watched.until, excluded.until)`.execute(database);
}

/** @returns those of the jobs that exist */
export async function jobStates(database: Database, accountId: string, ids: readonly string[]): Promise<JobState[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<JobState>`select id, kind, status, name, stage,
      round(progress::numeric, 3)::float8 as share,
      (select count(*) + count(undone_at) from corrections where job_id = jobs.id)::integer as version
    from jobs where account_id = ${accountId} and id in (${sql.join([...ids])})`.execute(database);
  return rows;
}
