// Claims of lanes: one sender at a time sends the deliveries of a job, until its claim expires.
import { sql } from "kysely";
import type { Database } from "../database.ts";
import { type DatabaseTime, fromStatement, statementTime } from "../database-time.ts";

export interface LaneClaim {
  /** The claim ends after this time. */
  heldSeconds: number;
  /** Hosts at their limit of concurrent requests. */
  busyHosts: string[];
  /** Accounts at their limit of concurrent requests. */
  busyAccounts: string[];
}

/** A lane that this process has claimed. */
export interface ClaimedLane {
  jobId: string;
  host: string;
  accountId: string | null;
  /** When the claim expires. It also distinguishes the claim from later ones of the lane. */
  until: DatabaseTime;
}

/** Claims a lane that is due. An expired claim is free again: its process has ended or was stopped. */
export async function claimLane(
  database: Database,
  { heldSeconds, busyHosts, busyAccounts }: LaneClaim,
): Promise<ClaimedLane | undefined> {
  const row = await database
    .updateTable("delivery_lanes")
    .set({ claimed_until: fromStatement(heldSeconds) })
    .where("job_id", "=", (select) =>
      select
        .selectFrom("delivery_lanes as due")
        .select("due.job_id")
        .where("due.due_at", "<=", statementTime)
        .where((where) =>
          where.or([where("due.claimed_until", "is", null), where("due.claimed_until", "<", statementTime)]),
        )
        .$if(busyHosts.length > 0, (query) => query.where("due.host", "not in", busyHosts))
        .$if(busyAccounts.length > 0, (query) =>
          query.where((where) =>
            where.or([where("due.account_id", "is", null), where("due.account_id", "not in", busyAccounts)]),
          ),
        )
        .orderBy("due.due_at")
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .returning(["job_id as jobId", "host", "account_id as accountId", "claimed_until as until"])
    .executeTakeFirst();
  return row?.until ? { ...row, until: row.until } : undefined;
}

/** Milliseconds until a lane that no process has claimed is due; 0 if one is due now, undefined if there is none. */
export async function untilNextLane(database: Database): Promise<number | undefined> {
  const { rows } = await sql<{ milliseconds: number }>`
    select (extract(epoch from due_at - now()) * 1000)::float8 as milliseconds from delivery_lanes
    where due_at is not null and (claimed_until is null or claimed_until < now()) order by due_at limit 1`.execute(
    database,
  );
  return rows[0] && Math.max(0, rows[0].milliseconds);
}

/** Frees every claim, if no other process uses this database. */
export async function freeLanes(database: Database): Promise<void> {
  await database
    .updateTable("delivery_lanes")
    .set({ claimed_until: null })
    .where("claimed_until", "is not", null)
    .execute();
}

/**
 * Makes lanes due whose time is later than any schedule allows: the clock was ahead when the time was stored, and was set back.
 * @param latestSeconds  the longest time that a delivery may wait, or a claim may hold
 * @returns how many lanes there were
 */
export async function resetLatePlans(database: Database, latestSeconds: number): Promise<number> {
  const latest = fromStatement(latestSeconds);
  const result = await database
    .updateTable("delivery_lanes")
    .set({ due_at: statementTime, claimed_until: null })
    .where("due_at", ">", latest)
    .executeTakeFirst();
  await database
    .updateTable("delivery_lanes")
    .set({ claimed_until: null })
    .where("due_at", "is not", null)
    .where("claimed_until", ">", latest)
    .execute();
  return Number(result.numUpdatedRows);
}
