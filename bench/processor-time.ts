// Processor time of the processes of a service, read from /proc: Linux only.
import { readFileSync } from "node:fs";
import { childrenOf } from "../test/fixtures/processes.ts";
import type { RunningService } from "../test/service.ts";
import { treeOf } from "./process-memory.ts";

/** Ticks of the kernel's clock that counts processor time. */
const TICKS_A_SECOND = 100;

/** User and system mode of a process; of its children that have ended. */
const OWN = [11, 12];
const OF_ENDED = [13, 14];

/** Processor seconds of a process so far. */
function secondsOf(processId: number, counted: readonly number[] = OWN): number {
  const fields = readFileSync(`/proc/${processId}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return counted.reduce((sum, field) => sum + Number(fields[field]), 0) / TICKS_A_SECOND;
}

/** Processor seconds so far of a process and all below it, those that have ended included. */
export const treeSeconds = (processId: number): number =>
  treeOf(processId).reduce((sum, id) => sum + secondsOf(id, [...OWN, ...OF_ENDED]), 0);

/** Processor seconds of the processes of a service so far, by their name; those of children with the same name together. */
export function processorTimes({ processId }: Pick<RunningService, "processId">): Map<string, number> {
  const times = new Map([["service", secondsOf(processId)]]);
  for (const { id, name } of childrenOf(processId)) times.set(name, (times.get(name) ?? 0) + secondsOf(id));
  return times;
}
