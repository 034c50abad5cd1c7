// How a child ended, in the words of an error message.

/** Node ends this way if it cannot start its threads, at its start or at its first work. */
const ABORTED_AT_START =
  "SIGABRT while it started; this happens when no processes or memory are left. Raise the limits: ulimit -u, TasksMax= of a systemd unit, the container's memory and pids";

/** @param hasAnswered  whether the child answered a call before it ended */
export function exitReason(exitCode: number | null, signal: NodeJS.Signals | null, hasAnswered: boolean): string {
  if (signal === "SIGABRT" && !hasAnswered) return ABORTED_AT_START;
  return signal ?? `exit code ${exitCode}`;
}
