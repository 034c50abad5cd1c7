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

/** @returns by id, the states of those that exist; that of its job for a request for add-ons */
export async function jobStates(
  database: Database,
  accountId: string,
  ids: readonly string[],
): Promise<Map<string, JobState>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<
    JobState & { changed: string }
  >`select changed.id as changed, jobs.id, jobs.kind, jobs.status, jobs.name, jobs.tags,
      jobs.stage, round(jobs.progress::numeric, 3)::float8 as share,
      (select jobs.divisions + count(*) + count(undone_at) from corrections where job_id = jobs.id)::integer as version
    from jobs as changed join jobs on jobs.id = coalesce(changed.added_to, changed.id)
    where changed.account_id = ${accountId} and changed.id in (${sql.join([...ids])})`.execute(database);
  return new Map(rows.map(({ changed, ...state }) => [changed, state]));
}
