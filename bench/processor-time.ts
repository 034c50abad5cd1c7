// Processor time of the processes of a service, read from /proc: Linux only.
import { readFileSync } from "node:fs";
import { childrenOf } from "../test/fixtures/processes.ts";
import type { RunningService } from "../test/service.ts";

/** Ticks of the kernel's clock that counts processor time. */
const TICKS_A_SECOND = 100;

/** Processor seconds of a process so far, in user and system mode. */
function secondsOf(processId: number): number {
  const fields = readFileSync(`/proc/${processId}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
}

/** Processor seconds of the processes of a service so far, by their name; those of children with the same name together. */
export function processorTimes({ processId }: Pick<RunningService, "processId">): Map<string, number> {
  const times = new Map([["service", secondsOf(processId)]]);
  for (const { id, name } of childrenOf(processId)) times.set(name, (times.get(name) ?? 0) + secondsOf(id));
  return times;
}
