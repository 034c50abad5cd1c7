// Ends sessions whose token has expired before a client connected. One process does it for all.
import { errors } from "../../../platform/errors.ts";
import { databaseTime } from "../../../platform/storage/db/database-time.ts";
import { endUnusedSession } from "../../../platform/storage/db/jobs/jobs.ts";
import { unusedSessions } from "../../../platform/storage/db/jobs/live-sessions.ts";
import { eachApart } from "../../../platform/storage/each-apart.ts";
import { failedEnding } from "../../jobs/end-job.ts";
import type { RegistryServices } from "./registry-services.ts";

/** @param isConnected  whether a session has a client in this process */
export async function expireUnused(
  { database, duties, settings, logger }: RegistryServices,
  isConnected: (id: string) => boolean,
): Promise<void> {
  if (!(await duties.holds("unused live sessions"))) return;
  const ids = await unusedSessions(database, settings.liveTokenSeconds);
  const ending = failedEnding(errors.liveSessionUnused(), databaseTime(database));
  await eachApart(
    ids.filter((id) => !isConnected(id)),
    // A client may have started the session in the meantime, in any process.
    (id) => endUnusedSession(database, id, ending),
    (id, error) => logger.error({ err: error, session: id }, "an unused session could not be ended"),
  );
}
