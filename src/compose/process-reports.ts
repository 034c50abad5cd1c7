// Reports this process to the others that use the same database: its version, roles, models, clock and speed. parlance doctor compares them,
// and each process reads the speed and the models of the others.
import os from "node:os";
import { packageVersion } from "../platform/process/package-version.ts";
import { sleep } from "../platform/process/sleep.ts";
import { WatchLoop } from "../platform/process/watch-loop.ts";
import {
  announceReport,
  clockDifference,
  endReports,
  REPORT_MILLISECONDS,
  reportProcess,
} from "../platform/storage/db/machines.ts";
import { reportedModels } from "../service/models/other-processes.ts";
import { type InstalledModel, recognizesSpeech } from "../service/models/store.ts";
import type { Base } from "./base.ts";
import type { Jobs } from "./jobs.ts";
import { readOthers } from "./models.ts";
import type { Shared } from "./shared.ts";
import type { Stores } from "./stores.ts";

/** Least pause between reads of the reports. In a large fleet, many processes report the same model at the same time. */
const READ_MILLISECONDS = 2_000;

export async function composeReports(
  { logger, started, undo }: Base,
  { database, isOnlyProcess, machine, signals }: Stores,
  { throughput }: Jobs,
  { others, fleet, supply }: Shared,
): Promise<void> {
  if (isOnlyProcess) return;
  const { models, roles } = started;
  const version = await packageVersion();
  let announced = "";
  const report = async () => {
    const all = await models.all();
    await reportProcess(database, machine, {
      host: os.hostname(),
      version,
      roles: [...roles],
      models: all.filter(recognizesSpeech).map(({ id }) => id),
      installed: reportedModels(all),
      clockMilliseconds: clockDifference(database),
      audioSecondsPerSecond: throughput.measured,
    });
    const ids = idsOf(all);
    if (ids !== announced) await announceReport(database);
    announced = ids;
  };
  const watching = new WatchLoop({
    pauseMilliseconds: REPORT_MILLISECONDS,
    look: async () => {
      await report();
      return false;
    },
    onFailed: (error) => logger.warn({ err: error }, "this process could not report its state to the others"),
  });
  const reading = new WatchLoop({
    pauseMilliseconds: REPORT_MILLISECONDS,
    look: async (signal) => {
      await readOthers(database, machine, others);
      await sleep(READ_MILLISECONDS, signal);
      return false;
    },
    onFailed: (error) => logger.warn({ err: error }, "the reports of the other processes could not be read"),
  });
  signals.on("models", () => reading.wake());
  watching.start();
  reading.start();
  const onChanged = async () => {
    if (idsOf(await models.all()) !== announced) watching.wake();
  };
  await fleet?.start(
    (name, isRequested) => supply.provide(name, undefined, isRequested),
    () => void onChanged(),
  );
  const stop = async () => {
    await Promise.all([watching.stop(), reading.stop()]);
    await endReports(database, machine).catch(() => undefined);
  };
  undo.push(stop, "reports of this process");
}

const idsOf = (models: readonly InstalledModel[]) => models.map(({ id }) => id).join(" ");
