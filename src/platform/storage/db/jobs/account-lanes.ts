// What each account has waiting and running. Triggers count it (migration 0015), in the transactions that change the jobs; statements that
// must not exceed a limit lock the count. A count that is wrong all the same, after a repair of tables by hand for example, is corrected here.
import { sql } from "kysely";
import { lockAccount } from "../accounts/accounts.ts";
import type { Database } from "../database.ts";
import { inTransaction } from "../transaction.ts";

interface LaneCounts {
  waiting: number;
  running: number;
}

/** Unfinished jobs and sessions of an account. */
export async function countsOf(database: Database, accountId: string): Promise<LaneCounts> {
  const rows = await database
    .selectFrom("account_lanes")
    .select(["waiting", "running"])
    .where("account_id", "=", accountId)
    .execute();
  return {
    waiting: rows.reduce((sum, { waiting }) => sum + waiting, 0),
    running: rows.reduce((sum, { running }) => sum + running, 0),
  };
}

/** Recorded jobs of an account that wait for a worker. Exact until the transaction ends, but for jobs that are claimed or return to the queue. */
export async function waitingJobs(transaction: Database, accountId: string): Promise<number> {
  // Every acceptance takes this lock: two requests could otherwise each find room for the last job.
  await lockAccount(transaction, accountId);
  const rows = await transaction
    .selectFrom("account_lanes")
    .select("waiting")
    .where("account_id", "=", accountId)
    .where("lane", "in", ["fetch", "process"])
    .execute();
  return rows.reduce((sum, { waiting }) => sum + waiting, 0);
}

const RECOUNTED = sql`
  select account_id, lane_of_job(kind, file_id) as lane, count(*) filter (where status = 'queued') as waiting,
    count(*) filter (where status = 'processing') as running,
    min(created_at) filter (where status = 'queued' and kind = 'pre-recorded') as head_at
  from jobs where status in ('queued', 'processing')`;

/** Accounts whose counts differ from their jobs. Both are of one snapshot, so that work under way makes no difference. */
async function wrongAccounts(database: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recounted as (${RECOUNTED} group by 1, 2)
    select distinct account_id as id from recounted full join account_lanes using (account_id, lane)
    where coalesce(recounted.waiting, 0) <> coalesce(account_lanes.waiting, 0)
      or coalesce(recounted.running, 0) <> coalesce(account_lanes.running, 0)
      or recounted.head_at is distinct from account_lanes.head_at
      or (account_lanes.account_id is not null
        and account_lanes.most_running is distinct from most_running_of(account_id, lane))`.execute(database);
  return rows.map(({ id }) => id);
}

/** Counts again where a count is wrong. @returns how many accounts that were */
export async function repairCounts(database: Database): Promise<number> {
  const wrong = await wrongAccounts(database);
  for (const id of wrong) {
    await inTransaction(database, async (transaction) => {
      // The triggers take the same lock: changes that wait for it start from the corrected numbers.
      await sql`insert into account_lanes (account_id, lane) select ${id}, lane from unnest(array['fetch', 'live', 'process']) as lane
        where exists (select from accounts where id = ${id}) on conflict do nothing`.execute(transaction);
      await sql`select from account_lanes where account_id = ${id} order by lane for update`.execute(transaction);
      await sql`
        update account_lanes set waiting = coalesce(found.waiting, 0), running = coalesce(found.running, 0),
          head_at = found.head_at, most_running = most_running_of(${id}, account_lanes.lane)
        from account_lanes as every
          left join (${RECOUNTED} and account_id = ${id} group by 1, 2) as found using (account_id, lane)
        where account_lanes.account_id = ${id} and every.account_id = ${id} and every.lane = account_lanes.lane
      `.execute(transaction);
    });
  }
  return wrong.length;
}

export interface QueueTotals extends LaneCounts {
  /** Since when the job waits that has waited longest. */
  oldestSeconds: number;
}

/** Recorded jobs of all accounts. */
export async function queueTotals(database: Database): Promise<QueueTotals> {
  const { rows } = await sql<{ waiting: string; running: string; oldest: number | null }>`
    select sum(waiting) as waiting, sum(running) as running, extract(epoch from now() - min(head_at))::float8 as oldest
    from account_lanes where lane in ('fetch', 'process') and (waiting > 0 or running > 0)`.execute(database);
  const [row] = rows;
  return {
    waiting: Number(row?.waiting ?? 0),
    running: Number(row?.running ?? 0),
    oldestSeconds: Math.max(0, row?.oldest ?? 0),
  };
}
