// Spawns and kills the operating-system process of a supervised child.
import { type ChildProcess, spawn } from "node:child_process";
import { errors, shortageError } from "../errors.ts";
import { addChild, removeChild } from "./running-children.ts";
import type { SupervisedOptions } from "./supervised-options.ts";

/** Windows has no process groups. A detached child would open a console window there. */
const leadsGroup = (options: SupervisedOptions) => options.leadsGroup === true && process.platform !== "win32";

/** Children that run. */
const running = new Map<ChildProcess, SupervisedOptions>();
// A child ends when its channel closes, but one that hangs at its start, for instance without a further thread, does not read it.
process.once("exit", () => {
  for (const [child, options] of running) killChild(child, options);
});

/** @throws system.exhausted when there is no process, memory or descriptor for a child; process.died */
export function createChild(options: SupervisedOptions): ChildProcess {
  const { name, file, execArguments = [], arguments: own = [], environment } = options;
  let child: ChildProcess;
  try {
    child = spawn(process.execPath, [...execArguments, file, ...own], {
      env: environment,
      stdio: ["ignore", "ignore", "pipe", "pipe"],
      // Makes the child the leader of a process group.
      detached: leadsGroup(options),
    });
  } catch (thrown) {
    throw shortageError(thrown) ?? errors.processDied(name, "it could not be started", (thrown as Error).message);
  }
  const { pid } = child;
  if (pid !== undefined) {
    addChild(pid, name);
    running.set(child, options);
    child.once("exit", () => {
      removeChild(pid);
      running.delete(child);
      if (leadsGroup(options)) killGroup(pid);
    });
  }
  return child;
}

/**
 * Kills the child and, if it leads a group, the processes that it started. Sends no signal after the child has ended: another process may have its
 * id by then.
 */
export function killChild(child: ChildProcess, options: SupervisedOptions): void {
  if (child.exitCode !== null || child.signalCode !== null) return;
  if (leadsGroup(options) && child.pid !== undefined) killGroup(child.pid);
  else child.kill("SIGKILL");
}

/** Error codes for a group without running processes. macOS returns the second one for a group of zombies. */
const NO_PROCESSES = ["ESRCH", "EPERM"];

/** @param leader  process id of the child that started the others; it may have exited */
function killGroup(leader: number): void {
  try {
    process.kill(-leader, "SIGKILL");
  } catch (thrown) {
    if (!NO_PROCESSES.includes((thrown as NodeJS.ErrnoException).code ?? "")) throw thrown;
  }
}
