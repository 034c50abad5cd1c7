// Reports this process to the others that use the same database: its version, roles, models and clock. parlance doctor compares them.
import os from "node:os";
import { packageVersion } from "../platform/process/package-version.ts";
import { WatchLoop } from "../platform/process/watch-loop.ts";
import { clockDifference, endReports, REPORT_MILLISECONDS, reportProcess } from "../platform/storage/db/machines.ts";
import type { Base } from "./base.ts";
import type { Stores } from "./stores.ts";

export async function composeReports(
  { logger, started, undo }: Base,
  { database, isOnlyProcess, machine }: Stores,
): Promise<void> {
  if (isOnlyProcess) return;
  const { models, roles } = started;
  const version = await packageVersion();
  const report = async () => ({
    host: os.hostname(),
    version,
    roles: [...roles],
    models: (await models.list()).map(({ id }) => id),
    clockMilliseconds: clockDifference(database),
  });
  const watching = new WatchLoop({
    pauseMilliseconds: REPORT_MILLISECONDS,
    look: async () => {
      await reportProcess(database, machine, await report());
      return false;
    },
    onFailed: (error) => logger.warn({ err: error }, "this process could not be reported to parlance doctor"),
  });
  watching.start();
  const stop = async () => {
    await watching.stop();
    await endReports(database, machine).catch(() => undefined);
  };
  undo.push(stop, "reports of this process");
}
