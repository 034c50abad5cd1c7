// Memory of a process and its children. Needs Linux, for /proc.
import { readFileSync } from "node:fs";

const SAMPLE_MILLISECONDS = 500;

/**
 * Resident memory of a process and its children, bytes; shared pages are counted once, in the process that owns them.
 */
export function treeBytes(processId: number): number {
  const children = readFileSync(`/proc/${processId}/task/${processId}/children`, "utf8").trim().split(" ");
  let kilobytes = 0;
  for (const id of [String(processId), ...children.filter((child) => child !== "")]) {
    try {
      const rollup = readFileSync(`/proc/${id}/smaps_rollup`, "utf8");
      kilobytes += Number(/Pss:\s+(\d+)/.exec(rollup)?.[1] ?? 0);
    } catch {
      // The process ended between the two reads.
    }
  }
  return kilobytes * 1024;
}

export async function peakWhile(processId: number, work: Promise<unknown>): Promise<number> {
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, treeBytes(processId));
  }, SAMPLE_MILLISECONDS);
  await work;
  clearInterval(timer);
  return peak;
}
