// Reports this process to the others that use the same database: its version, roles, models, clock and speed. parlance doctor compares them,
// and each process reads the speed and the models of the others.
import os from "node:os";
import { packageVersion } from "../platform/process/package-version.ts";
import { WatchLoop } from "../platform/process/watch-loop.ts";
import {
  clockDifference,
  endReports,
  REPORT_MILLISECONDS,
  reportedProcesses,
  reportProcess,
} from "../platform/storage/db/machines.ts";
import type { Base } from "./base.ts";
import type { Jobs } from "./jobs.ts";
import type { Stores } from "./stores.ts";

export async function composeReports(
  { logger, started, undo }: Base,
  { database, isOnlyProcess, machine }: Stores,
  { otherWorkers, throughput }: Jobs,
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
    audioSecondsPerSecond: throughput.measured,
  });
  const readOthers = async () => {
    const all = await reportedProcesses(database);
    const isWorker = (one: (typeof all)[number]) =>
      one.isRunning && one.machine !== machine && one.roles.includes("worker");
    otherWorkers.take(all.filter(isWorker));
  };
  const watching = new WatchLoop({
    pauseMilliseconds: REPORT_MILLISECONDS,
    look: async () => {
      await reportProcess(database, machine, await report());
      await readOthers();
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
