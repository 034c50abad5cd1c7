// Deliveries and their lanes. A delivery is one event for one address; the deliveries of a job are sent one after another,
// so lanes are scheduled, claimed and postponed.
import { type Selectable, sql } from "kysely";
import { parseUrl } from "../../../addresses/web-url.ts";
import { storableText } from "../../../storable.ts";
import type { Database } from "../database.ts";
import { addSeconds, type DatabaseTime, fromStatement, type Moment, statementTime } from "../database-time.ts";
import type { DeliveriesTable } from "../schema.ts";
import { inTransaction } from "../transaction.ts";
import { DELIVERY_TRANSITIONS, deliveryStatusesWith } from "./delivery-states.ts";
import type { ClaimedLane } from "./lane-claims.ts";

export type DeliveryRow = Selectable<DeliveriesTable>;

export interface NewDelivery {
  id: string;
  /** Order within the job; an existing one is not added again. */
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

/** Adds deliveries to the lane of their job, in the transaction of the change that they report. */
export async function insertDeliveries(
  database: Database,
  { jobId, url, method }: DeliveryTarget,
  deliveries: NewDelivery[],
  now: Moment,
): Promise<void> {
  // An invalid address has a lane like any other: the sender ends its deliveries as failed.
  const host = parseUrl(url)?.host ?? "";
  const accountId = sql<string>`(select account_id from jobs where id = ${jobId})`;
  // The lane first: its row is the lock against a sender that finds the lane empty at the same moment.
  await database
    .insertInto("delivery_lanes")
    .values({
      job_id: jobId,
      account_id: accountId,
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
        account_id: accountId,
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

type Claim = Pick<ClaimedLane, "jobId" | "until">;

export interface DueDelivery extends DeliveryRow {
  accountId: string;
  resultKey: string | null;
  metadata: Record<string, unknown> | null;
  /** traceparent of the request that made the job. */
  trace: string | null;
}

/** The first pending delivery of a lane. */
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

/** Every change of a lane or its deliveries locks the lane's row first, which prevents deadlocks. */
async function lockLane(transaction: Database, jobId: string): Promise<void> {
  await transaction.selectFrom("delivery_lanes").select("job_id").where("job_id", "=", jobId).forUpdate().execute();
}

/**
 * Locks a lane that this process claimed.
 * @returns false if the claim expired, and another sender has the lane
 */
async function lockClaimed(transaction: Database, { jobId, until }: Claim): Promise<boolean> {
  const row = await transaction
    .selectFrom("delivery_lanes")
    .select("claimed_until")
    .where("job_id", "=", jobId)
    .forUpdate()
    .executeTakeFirst();
  return row?.claimed_until?.getTime() === until.getTime();
}

/** Schedules the lane's next delivery, or none. @param dueAt  when that is due */
async function releaseLane(transaction: Database, jobId: string, dueAt: (next: DueDelivery) => Moment): Promise<void> {
  const next = await nextDelivery(transaction, jobId);
  await transaction
    .updateTable("delivery_lanes")
    .set({ claimed_until: null, due_at: next ? dueAt(next) : null })
    .where("job_id", "=", jobId)
    .execute();
}

/** Whether a delivery had no attempt in its round of retries. A round begins with its first attempt: until then, the delivery may wait for others. */
export const isFirstOfRound = ({ attempts, attempts_before_round }: DeliveryRow) => attempts === attempts_before_round;

export interface AttemptRecord {
  at: DatabaseTime;
  milliseconds: number;
  responseStatus: number | null;
  detail: string;
}

export type AttemptOutcome =
  | { kind: "delivered" }
  | { kind: "retry"; at: DatabaseTime }
  /** Given up. `stopsLane`: the receiver accepts no further deliveries of this job. */
  | { kind: "failed"; stopsLane: boolean };

const EVENT_OF = { delivered: "deliver", retry: "retry", failed: "giveUp" } as const;

/** Whether replayDelivery changed a delivery since it was read. @param delivery  as it was read by the sender that holds its lane */
async function isReplayedSince(transaction: Database, { id, round_began_at }: DeliveryRow): Promise<boolean> {
  const row = await transaction
    .selectFrom("deliveries")
    .select("round_began_at")
    .where("id", "=", id)
    .executeTakeFirst();
  return row !== undefined && row.round_began_at.getTime() !== round_began_at.getTime();
}

/**
 * Records an attempt and frees the lane. If another sender has claimed the lane meanwhile, only a delivery that arrived is recorded, and the
 * lane stays with that sender. A delivery that was replayed during the attempt stays pending, whatever the outcome, and is due at once.
 */
export async function recordAttempt(
  database: Database,
  claim: Claim,
  delivery: DeliveryRow,
  attempt: AttemptRecord,
  outcome: AttemptOutcome,
): Promise<void> {
  const number = delivery.attempts + 1;
  const endedAt = addSeconds(attempt.at, attempt.milliseconds / 1000);
  await inTransaction(database, async (transaction) => {
    const isHeld = await lockClaimed(transaction, claim);
    if (!isHeld && outcome.kind !== "delivered") return;
    const isReplayed = isHeld && (await isReplayedSince(transaction, delivery));
    const event = isReplayed ? "retry" : EVENT_OF[outcome.kind];
    const status = DELIVERY_TRANSITIONS.pending[event] ?? "pending";
    const updated = await transaction
      .updateTable("deliveries")
      .set({ attempts: number, status, ended_at: status === "pending" ? null : endedAt })
      .$if(isReplayed, (update) => update.set({ attempts_before_round: number }))
      .$if(!isReplayed && isFirstOfRound(delivery), (update) => update.set({ round_began_at: attempt.at }))
      .where("id", "=", delivery.id)
      .where("status", "in", deliveryStatusesWith(event))
      .executeTakeFirst();
    // Otherwise a sender whose claim expired has delivered it, or it was deleted together with its job.
    if (updated.numUpdatedRows > 0n) await insertAttempt(transaction, delivery, number, attempt);
    if (outcome.kind === "failed" && outcome.stopsLane) {
      await transaction
        .updateTable("deliveries")
        .set({ status: "failed", ended_at: endedAt })
        .where("job_id", "=", delivery.job_id)
        .where("status", "in", deliveryStatusesWith("stopLane"))
        .$if(isReplayed, (update) => update.where("id", "!=", delivery.id))
        .execute();
    }
    // Only this delivery waits until its retry is due. Another one, such as an earlier one that was replayed during the attempt, is due at once.
    const dueAt = ({ id }: DueDelivery) =>
      outcome.kind === "retry" && !isReplayed && id === delivery.id ? outcome.at : endedAt;
    if (isHeld) await releaseLane(transaction, delivery.job_id, dueAt);
  });
}

async function insertAttempt(
  transaction: Database,
  { id }: DeliveryRow,
  number: number,
  attempt: AttemptRecord,
): Promise<void> {
  await transaction
    .insertInto("delivery_attempts")
    .values({
      delivery_id: id,
      number,
      at: attempt.at,
      milliseconds: attempt.milliseconds,
      response_status: attempt.responseStatus,
      detail: attempt.detail,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Frees a claimed lane without pending deliveries. */
export async function restLane(database: Database, claim: Claim): Promise<void> {
  await inTransaction(database, async (transaction) => {
    if (await lockClaimed(transaction, claim)) await releaseLane(transaction, claim.jobId, () => statementTime);
  });
}

/** Postpones a claimed lane without an attempt. The retry period of its delivery starts again. */
export async function postponeLane(
  database: Database,
  claim: Claim,
  deliveryId: string,
  pauseSeconds: number,
): Promise<void> {
  await inTransaction(database, async (transaction) => {
    if (!(await lockClaimed(transaction, claim))) return;
    await transaction
      .updateTable("deliveries")
      .set({ round_began_at: statementTime })
      .where("id", "=", deliveryId)
      .execute();
    await transaction
      .updateTable("delivery_lanes")
      .set({ due_at: fromStatement(pauseSeconds), claimed_until: null })
      .where("job_id", "=", claim.jobId)
      .execute();
  });
}

/** Sends a delivery again, with a round of retries of its own. @returns false when the job has no such delivery */
export async function replayDelivery(database: Database, jobId: string, id: string): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    await lockLane(transaction, jobId);
    const updated = await transaction
      .updateTable("deliveries")
      .set({ status: "pending", ended_at: null, round_began_at: statementTime, attempts_before_round: sql`attempts` })
      .where("id", "=", id)
      .where("job_id", "=", jobId)
      .executeTakeFirst();
    if (updated.numUpdatedRows === 0n) return false;
    await transaction
      .updateTable("delivery_lanes")
      .set({ due_at: statementTime })
      .where("job_id", "=", jobId)
      .execute();
    return true;
  });
}
