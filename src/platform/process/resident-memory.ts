import { readFileSync } from "node:fs";

/** Resident memory of a process of this machine, bytes; undefined if it has ended, and on systems other than Linux. */
export function residentBytes(processId: number): number | undefined {
  let status: string;
  try {
    // Synchronous: the kernel answers from memory, and an asynchronous read takes longer.
    status = readFileSync(`/proc/${processId}/status`, "latin1");
  } catch {
    return undefined;
  }
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}
