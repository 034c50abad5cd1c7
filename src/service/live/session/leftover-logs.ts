// Removes logs that a lost process left in a store that machines share: it stopped within the minute for which an ended session is kept for its
// client, or after the row was deleted and before the log was. One process does it for all.
import { sessionsOver } from "../../../platform/storage/db/jobs/live-sessions.ts";
import type { RegistryServices } from "./registry-services.ts";

export const LEFTOVERS_MILLISECONDS = 60_000;
/** Longer than the pause between rounds, and than an owner keeps an ended session. */
const HELD_SECONDS = 150;
const OVER_SECONDS = 120;

export async function removeLeftoverLogs({
  database,
  duties,
  logs,
}: Pick<RegistryServices, "database" | "duties" | "logs">): Promise<void> {
  if (!logs.removeLeftovers || !(await duties.holds("logs of live sessions", HELD_SECONDS))) return;
  await logs.removeLeftovers((ids) => sessionsOver(database, ids, OVER_SECONDS));
}
