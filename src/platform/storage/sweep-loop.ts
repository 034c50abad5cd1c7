// Sweeps the data folder behind everything else: once after the start, then once an hour.
import type { Logger } from "pino";
import { addSeconds, databaseTime } from "./db/database-time.ts";
import { type SweepOptions, type SweepReport, sweepDataFolder } from "./sweep.ts";

const SWEEP_MILLISECONDS = 3_600_000;
/** What is older is not in use: the longest upload, and the longest job that another machine works on, end before. */
const DAY_SECONDS = 86_400;

export interface SweepLoopOptions extends Omit<SweepOptions, "before" | "isDryRun" | "signal" | "logger"> {
  /** Other processes work on the same database or the same objects. */
  isShared: boolean;
  logger: Logger;
}

const foundAnything = ({ temporary, unknown, foreign }: SweepReport) =>
  temporary.count + unknown.count + foreign.count > 0;

/** @returns ends it */
export function startSweeps(options: SweepLoopOptions): () => Promise<void> {
  const { isShared, logger } = options;
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  const sweep = (before: Date, copiesBefore = before) => {
    running ??= sweepDataFolder({ ...options, before, copiesBefore, isDryRun: false, signal: stopping.signal })
      .then((report) => {
        if (foundAnything(report)) logger.info(report, "the data folder was swept");
      })
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) logger.error({ err: error }, "the data folder could not be swept");
      })
      .finally(() => {
        running = undefined;
      });
  };
  // Objects of a shared store have been written by other machines.
  const dayAgo = () => addSeconds(databaseTime(options.database), -DAY_SECONDS);
  const timer = setInterval(() => sweep(dayAgo()), SWEEP_MILLISECONDS).unref();
  // Nothing that this process writes is older than its start.
  const started = new Date(Date.now() - process.uptime() * 1000);
  sweep(isShared ? dayAgo() : started, started);
  return async () => {
    clearInterval(timer);
    stopping.abort();
    await running;
  };
}
