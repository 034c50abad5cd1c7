// Deliveries with their attempts, as clients receive them.
import { type Selectable, sql } from "kysely";
import type { Database } from "../database.ts";
import type { DeliveryAttemptsTable, DeliveryStatus } from "../schema.ts";
import type { DeliveryRow } from "./deliveries.ts";
import { DELIVERY_STATUSES } from "./delivery-states.ts";

type DeliveryAttemptRow = Selectable<DeliveryAttemptsTable>;

/** Number of attempts listed for a delivery, the last ones: it can be replayed any number of times. */
const MOST_LISTED_ATTEMPTS = 100;

const LISTED = ["id", "job_id", "event", "url", "method", "status", "created_at", "ended_at", "attempts"] as const;
type ListedDelivery = Pick<DeliveryRow, (typeof LISTED)[number]>;

export interface DeliveryWithAttempts extends ListedDelivery {
  log: DeliveryAttemptRow[];
}

/** Deliveries of a job in their order, each with its attempts. */
export async function listDeliveries(
  database: Database,
  jobId: string,
  page: { offset: number; limit: number },
): Promise<DeliveryWithAttempts[]> {
  const rows = await database
    .selectFrom("deliveries")
    .select(LISTED)
    .where("job_id", "=", jobId)
    .orderBy("sequence")
    .offset(page.offset)
    .limit(page.limit)
    .execute();
  return withAttempts(database, rows);
}

/** The newest deliveries of an account, newest first. */
export async function recentDeliveries(
  database: Database,
  accountId: string,
  { status, limit }: { status?: DeliveryStatus; limit: number },
): Promise<DeliveryWithAttempts[]> {
  const statuses = status ? [status] : DELIVERY_STATUSES;
  // One range of the index for each status.
  const found = await Promise.all(
    statuses.map((one) =>
      database
        .selectFrom("deliveries")
        .select(LISTED)
        .where("account_id", "=", accountId)
        .where("status", "=", one)
        .orderBy("created_at", "desc")
        .limit(limit)
        .execute(),
    ),
  );
  const unfilled = await database
    .selectFrom("deliveries")
    .innerJoin("jobs", "jobs.id", "deliveries.job_id")
    .select(LISTED.map((column) => `deliveries.${column}` as const))
    .where("deliveries.account_id", "is", null)
    .where("jobs.account_id", "=", accountId)
    .where("deliveries.status", "in", statuses)
    .orderBy("deliveries.created_at", "desc")
    .limit(limit)
    .execute();
  const newest = [...found.flat(), ...unfilled].sort(
    (left, right) => right.created_at.getTime() - left.created_at.getTime(),
  );
  return withAttempts(database, newest.slice(0, limit));
}

/**
 * Fills in the account of some deliveries that an earlier version or an import added.
 * @returns the number of them; fewer than `limit` if none are left
 */
export async function fillDeliveryAccounts(database: Database, limit: number): Promise<number> {
  const { rows } = await sql`
    update deliveries set account_id = jobs.account_id from jobs
    where jobs.id = deliveries.job_id
      and deliveries.id = any (array(select id from deliveries where account_id is null order by id limit ${limit}))
    returning deliveries.id`.execute(database);
  return rows.length;
}

async function withAttempts(database: Database, rows: ListedDelivery[]): Promise<DeliveryWithAttempts[]> {
  if (rows.length === 0) return [];
  const attempts = await database
    .selectFrom("delivery_attempts")
    .innerJoin("deliveries", "deliveries.id", "delivery_attempts.delivery_id")
    .selectAll("delivery_attempts")
    .where(
      "delivery_id",
      "in",
      rows.map(({ id }) => id),
    )
    .where(sql<boolean>`delivery_attempts.number > deliveries.attempts - ${MOST_LISTED_ATTEMPTS}::integer`)
    .orderBy("number")
    .execute();
  const log = new Map<string, DeliveryAttemptRow[]>(rows.map(({ id }) => [id, []]));
  for (const attempt of attempts) log.get(attempt.delivery_id)?.push(attempt);
  return rows.map((row) => ({ ...row, log: log.get(row.id) ?? [] }));
}
