// Callbacks on their way. A delivery is one event for one address; all deliveries of a job go out one after another,
// so a job's lane is what is due, claimed and put off.
import { type Selectable, sql } from "kysely";
import { parseUrl } from "../../addresses/web-url.ts";
import { storableText } from "../../text/storable.ts";
import type { Database } from "./database.ts";
import type { DeliveriesTable, DeliveryAttemptsTable, DeliveryStatus } from "./schema.ts";
import { inTransaction } from "./transaction.ts";

export type DeliveryRow = Selectable<DeliveriesTable>;
export type DeliveryAttemptRow = Selectable<DeliveryAttemptsTable>;

export interface NewDelivery {
  id: string;
  /** Order within the job; one that is there already is not added again. */
  sequence: number;
  event: string;
  /** JSON text; null where the payload is the job's stored result. */
  payload: string | null;
}

export interface DeliveryTarget {
  jobId: string;
  url: string;
  method: string;
}

/** Adds deliveries to the lane of their job; inside the transaction of what they tell. */
export async function insertDeliveries(
  database: Database,
  { jobId, url, method }: DeliveryTarget,
  deliveries: NewDelivery[],
  now: Date,
): Promise<void> {
  // One that is no address has a lane like any other: the sender ends its deliveries as failed.
  const host = parseUrl(url)?.host ?? "";
  // The lane first: its row is the lock against a sender that finds the lane empty at the same moment.
  await database
    .insertInto("delivery_lanes")
    .values({
      job_id: jobId,
      account_id: sql<string>`(select account_id from jobs where id = ${jobId})`,
      host,
      due_at: now,
      claimed_until: null,
    })
    .onConflict((conflict) =>
      conflict.column("job_id").doUpdateSet({ due_at: sql`coalesce(delivery_lanes.due_at, excluded.due_at)` }),
    )
    .execute();
  await database
    .insertInto("deliveries")
    .values(
      deliveries.map((delivery) => ({
        ...delivery,
        job_id: jobId,
        url: storableText(url),
        method,
        status: "pending" as const,
        created_at: now,
        ended_at: null,
        round_began_at: now,
      })),
    )
    .onConflict((conflict) => conflict.columns(["job_id", "sequence"]).doNothing())
    .execute();
}

export interface LaneClaim {
  now: Date;
  until: Date;
  /** Hosts that get no more requests at this moment. */
  busyHosts: string[];
  /** Accounts that have as many requests under way as one may. */
  busyAccounts: string[];
}

/** Takes a lane that is due. A claim that runs out is free again: its process is gone. */
export async function claimLane(
  database: Database,
  { now, until, busyHosts, busyAccounts }: LaneClaim,
): Promise<{ jobId: string; host: string; accountId: string | null } | undefined> {
  const row = await database
    .updateTable("delivery_lanes")
    .set({ claimed_until: until })
    .where("job_id", "=", (select) =>
      select
        .selectFrom("delivery_lanes as due")
        .select("due.job_id")
        .where("due.due_at", "<=", now)
        .where((where) => where.or([where("due.claimed_until", "is", null), where("due.claimed_until", "<", now)]))
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
    .returning(["job_id as jobId", "host", "account_id as accountId"])
    .executeTakeFirst();
  return row;
}

/** Frees every claim: no other process is on this database. */
export async function freeLanes(database: Database): Promise<void> {
  await database
    .updateTable("delivery_lanes")
    .set({ claimed_until: null })
    .where("claimed_until", "is not", null)
    .execute();
}

/**
 * Makes due what waits for a time that no schedule gives: the clock was ahead when the time was written and has been set back since.
 * @param latest  the latest time that a delivery may wait for, or a claim may hold until
 * @returns how many lanes there were
 */
export async function resetLatePlans(database: Database, now: Date, latest: Date): Promise<number> {
  const result = await database
    .updateTable("delivery_lanes")
    .set({ due_at: now, claimed_until: null })
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

export interface DueDelivery extends DeliveryRow {
  accountId: string;
  resultKey: string | null;
  metadata: Record<string, unknown> | null;
  /** traceparent of the request that made the job. */
  trace: string | null;
}

/** The delivery of a lane whose turn it is. */
export async function nextDelivery(database: Database, jobId: string): Promise<DueDelivery | undefined> {
  return database
    .selectFrom("deliveries")
    .innerJoin("jobs", "jobs.id", "deliveries.job_id")
    .selectAll("deliveries")
    .select([
      "jobs.account_id as accountId",
      "jobs.result_key as resultKey",
      "jobs.custom_metadata as metadata",
      "jobs.trace_parent as trace",
    ])
    .where("deliveries.job_id", "=", jobId)
    .where("deliveries.status", "=", "pending")
    .orderBy("deliveries.sequence")
    .limit(1)
    .executeTakeFirst();
}

/** Whoever changes a lane or its deliveries takes the lane's row first: no two wait for each other. */
async function lockLane(transaction: Database, jobId: string): Promise<void> {
  await transaction.selectFrom("delivery_lanes").select("job_id").where("job_id", "=", jobId).forUpdate().execute();
}

/** Sets the lane to its next delivery, or to rest. @param dueAt  when it may go on; null for never by itself */
async function releaseLane(transaction: Database, jobId: string, dueAt: Date): Promise<void> {
  const next = await nextDelivery(transaction, jobId);
  await transaction
    .updateTable("delivery_lanes")
    .set({ claimed_until: null, due_at: next ? dueAt : null })
    .where("job_id", "=", jobId)
    .execute();
}

export interface AttemptRecord {
  at: Date;
  milliseconds: number;
  responseStatus: number | null;
  detail: string;
}

export type AttemptOutcome =
  | { kind: "delivered" }
  | { kind: "retry"; at: Date }
  /** Given up. `stopsLane`: the receiver wants nothing more of this job. */
  | { kind: "failed"; stopsLane: boolean };

/** Writes an attempt down and frees the lane for what follows. */
export async function recordAttempt(
  database: Database,
  delivery: DeliveryRow,
  attempt: AttemptRecord,
  outcome: AttemptOutcome,
): Promise<void> {
  const number = delivery.attempts + 1;
  const endedAt = new Date(attempt.at.getTime() + attempt.milliseconds);
  await inTransaction(database, async (transaction) => {
    await lockLane(transaction, delivery.job_id);
    const status: DeliveryStatus = outcome.kind === "retry" ? "pending" : outcome.kind;
    const updated = await transaction
      .updateTable("deliveries")
      .set({ attempts: number, status, ended_at: status === "pending" ? null : endedAt })
      .where("id", "=", delivery.id)
      .executeTakeFirst();
    // Deleted together with its job.
    if (updated.numUpdatedRows === 0n) return;
    await transaction
      .insertInto("delivery_attempts")
      .values({
        delivery_id: delivery.id,
        number,
        at: attempt.at,
        milliseconds: attempt.milliseconds,
        response_status: attempt.responseStatus,
        detail: attempt.detail,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    if (outcome.kind === "failed" && outcome.stopsLane) {
      await transaction
        .updateTable("deliveries")
        .set({ status: "failed", ended_at: endedAt })
        .where("job_id", "=", delivery.job_id)
        .where("status", "=", "pending")
        .execute();
    }
    await releaseLane(transaction, delivery.job_id, outcome.kind === "retry" ? outcome.at : endedAt);
  });
}

/** Frees a claimed lane that turned out to be empty. */
export async function restLane(database: Database, jobId: string, now: Date): Promise<void> {
  await inTransaction(database, async (transaction) => {
    await lockLane(transaction, jobId);
    await releaseLane(transaction, jobId, now);
  });
}

/** Postpones a claimed lane without an attempt. The retry period of its delivery starts again. */
export async function postponeLane(
  database: Database,
  { id, jobId }: { id: string; jobId: string },
  { now, at }: { now: Date; at: Date },
): Promise<void> {
  await database.updateTable("deliveries").set({ round_began_at: now }).where("id", "=", id).execute();
  await database
    .updateTable("delivery_lanes")
    .set({ due_at: at, claimed_until: null })
    .where("job_id", "=", jobId)
    .execute();
}

/** Attempts of one delivery that are listed, the last ones: it can be sent again any number of times. */
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

/** The last of an account, newest first. */
export async function recentDeliveries(
  database: Database,
  accountId: string,
  { status, limit }: { status?: DeliveryStatus; limit: number },
): Promise<DeliveryWithAttempts[]> {
  let query = database
    .selectFrom("deliveries")
    .innerJoin("jobs", "jobs.id", "deliveries.job_id")
    .select(LISTED.map((column) => `deliveries.${column}` as const))
    .where("jobs.account_id", "=", accountId);
  if (status) query = query.where("deliveries.status", "=", status);
  return withAttempts(database, await query.orderBy("deliveries.created_at", "desc").limit(limit).execute());
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

/** Sends a delivery again, with a round of retries of its own. @returns false when the job has no such delivery */
export async function replayDelivery(database: Database, jobId: string, id: string, now: Date): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    await lockLane(transaction, jobId);
    const updated = await transaction
      .updateTable("deliveries")
      .set({ status: "pending", ended_at: null, round_began_at: now, attempts_before_round: sql`attempts` })
      .where("id", "=", id)
      .where("job_id", "=", jobId)
      .executeTakeFirst();
    if (updated.numUpdatedRows === 0n) return false;
    await transaction.updateTable("delivery_lanes").set({ due_at: now }).where("job_id", "=", jobId).execute();
    return true;
  });
}
