// Creates and kills the operating system's process of a supervised child.
import { type ChildProcess, spawn } from "node:child_process";
import { errors, shortageError } from "../errors.ts";
import { addChild, removeChild } from "./running-children.ts";
import type { SupervisedOptions } from "./supervised-options.ts";

/** Windows has no process groups; a console application that is detached opens a window there. */
const hasGroup = (options: SupervisedOptions) => options.isGroup === true && process.platform !== "win32";

/** @throws system.exhausted when there is no process, memory or descriptor for a child; process.died */
export function createChild(options: SupervisedOptions): ChildProcess {
  const { name, file, execArguments = [], arguments: own = [], environment } = options;
  let child: ChildProcess;
  try {
    child = spawn(process.execPath, [...execArguments, file, ...own], {
      env: environment,
      stdio: ["ignore", "ignore", "pipe", "pipe"],
      // Makes the child the leader of a process group.
      detached: hasGroup(options),
    });
  } catch (thrown) {
    throw shortageError(thrown) ?? errors.processDied(name, "it could not be started", (thrown as Error).message);
  }
  const { pid } = child;
  if (pid !== undefined) {
    addChild(pid, name);
    child.once("exit", () => {
      removeChild(pid);
      if (hasGroup(options)) killGroup(pid);
    });
  }
  return child;
}

/** Kills the child, and the processes that it started if it is a group. */
export function killChild(child: ChildProcess, options: SupervisedOptions): void {
  if (hasGroup(options) && child.pid !== undefined) killGroup(child.pid);
  else child.kill("SIGKILL");
}

/** @param leader  process id of the child that started the others; it need not run any more */
function killGroup(leader: number): void {
  try {
    process.kill(-leader, "SIGKILL");
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== "ESRCH") throw thrown;
  }
}
