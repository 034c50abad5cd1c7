// When the sender looks for due callbacks again, and the check of stored times against the clock.
import type { Logger } from "pino";
import type { Database } from "../../platform/storage/db/database.ts";
import { resetLatePlans, untilNextLane } from "../../platform/storage/db/deliveries/lane-claims.ts";
import type { Duties } from "../../platform/storage/db/duties.ts";

/** Least pause after a claim that found nothing; a wake-up shortens it. */
const POLL_MILLISECONDS = 1_000;
/** Most, unless a lane is due before: signals announce others. */
export const IDLE_MILLISECONDS = 60_000;
/** A plan that is later than the schedule allows by more was made before the clock was set back. */
const PLAN_MARGIN_SECONDS = 3_600;

/** Milliseconds until the next look: retries of any process are due at their time. */
export async function untilNextLook(database: Database): Promise<number> {
  const due = await untilNextLane(database).catch(() => 0);
  // One that is due now waits for its host or account, or was claimed in the meantime.
  return due === 0 ? POLL_MILLISECONDS : Math.min(IDLE_MILLISECONDS, due ?? IDLE_MILLISECONDS);
}

/** If the clock is set back by a year, callbacks would otherwise wait for that year. */
export async function checkSchedule(options: {
  database: Database;
  spanSeconds: number;
  /** One process checks the schedule for all. */
  duties: Pick<Duties, "holds">;
  logger: Logger;
}): Promise<void> {
  const { database, spanSeconds, duties, logger } = options;
  try {
    if (!(await duties.holds("schedule of callbacks"))) return;
    const count = await resetLatePlans(database, spanSeconds + PLAN_MARGIN_SECONDS);
    if (count > 0) logger.warn({ count }, "the clock was set back; callbacks scheduled far in the future are due now");
  } catch (error) {
    logger.warn({ err: error }, "could not check the schedule of callbacks against the clock");
  }
}
