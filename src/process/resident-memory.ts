import { readFileSync } from "node:fs";

/** Memory that a process of this machine holds, bytes; undefined where it is gone or the system does not tell. Of Linux only. */
export function residentBytes(processId: number): number | undefined {
  let status: string;
  try {
    // It comes out of memory: to wait for it takes more than to read it.
    status = readFileSync(`/proc/${processId}/status`, "latin1");
  } catch {
    return undefined;
  }
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}
