// Which sessions of an account may begin. The count of the account is locked, so that concurrent connections to any number of machines
// cannot exceed its limit. A session is running from its start; until then its admission counts.
import { sql } from "kysely";
import type { Database } from "../database.ts";
import { fromStatement, statementTime } from "../database-time.ts";
import { inTransaction } from "../transaction.ts";

/** An admission expires after this time: the session has failed to start. */
const BEGIN_SECONDS = 60;

/**
 * @param most  sessions of the account that may run
 * @param id    session to admit; without it, nothing is changed
 * @returns whether the limit allows one more. Sessions whose results are still made do not count: their clients may begin others
 */
export async function admitSession(
  database: Database,
  accountId: string,
  most: number,
  id: string | null = null,
): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    let lane = transaction
      .selectFrom("account_lanes")
      .select("running")
      .where("account_id", "=", accountId)
      .where("lane", "=", "live");
    if (id !== null) lane = lane.forUpdate();
    const running = (await lane.executeTakeFirst())?.running ?? 0;
    const { rows } = await sql<{ admitted: string; served: string; is_running: boolean }>`
      select (
        select count(*) from live_admissions join jobs on jobs.id = session_id
        where live_admissions.account_id = ${accountId} and until > now() and jobs.status = 'queued'
          and session_id is distinct from ${id}::uuid
      ) as admitted,
      (
        select count(*) from jobs join live_sessions using (id)
        where account_id = ${accountId} and kind = 'live' and status = 'processing' and is_served and id is distinct from ${id}::uuid
      ) as served,
      exists (select from jobs where id = ${id}::uuid and status = 'processing') as is_running`.execute(transaction);
    const [found] = rows;
    const others = running + Number(found?.admitted ?? 0) - Number(found?.served ?? 0) - (found?.is_running ? 1 : 0);
    if (others >= most) return false;
    if (id === null) return true;
    await transaction
      .deleteFrom("live_admissions")
      .where("account_id", "=", accountId)
      .where("until", "<", statementTime)
      .execute();
    const until = fromStatement(BEGIN_SECONDS);
    await transaction
      .insertInto("live_admissions")
      .values({ session_id: id, account_id: accountId, until })
      .onConflict((conflict) => conflict.column("session_id").doUpdateSet({ until }))
      .execute();
    return true;
  });
}

/** The session has failed to start. */
export async function endAdmission(database: Database, id: string): Promise<void> {
  await database.deleteFrom("live_admissions").where("session_id", "=", id).execute();
}
