// Reports what is given up under load, and that it was taken back, in the log.
import type { Logger } from "pino";
import type { LoadStage } from "./partial-pace.ts";

const MESSAGES: Record<LoadStage, string> = {
  normal: "the load of live speech is normal again",
  "fewer-partials": "the load of live speech is high: partials are less frequent",
  "fewer-recordings":
    "the load of live speech is very high: partials are rare, and recordings are recognised one segment at a time",
};
/** At the limit of the capacity, stages may change every few seconds: those that follow are logged with the level debug. */
const QUIET_MILLISECONDS = 30_000;

/** @param now  milliseconds of a clock that never goes back */
export function loadStageLog(
  logger: Pick<Logger, "info" | "debug">,
  now: () => number = () => performance.now(),
): (stage: LoadStage) => void {
  let loggedAt = Number.NEGATIVE_INFINITY;
  return (stage) => {
    const isQuiet = now() - loggedAt < QUIET_MILLISECONDS;
    if (!isQuiet) loggedAt = now();
    logger[isQuiet ? "debug" : "info"]({ stage }, MESSAGES[stage]);
  };
}
