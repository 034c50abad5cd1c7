import { readFile } from "node:fs/promises";

/** Memory that a process of this machine holds, bytes; undefined where it is gone or the system does not tell. Of Linux only. */
export async function residentBytes(processId: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${processId}/status`, "utf8").catch(() => "");
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}
