// Memory of a process and its children. Needs Linux, for /proc.
import { readFileSync } from "node:fs";
import path from "node:path";

const SAMPLE_MILLISECONDS = 500;

/** A process, its children and theirs. */
export function treeOf(processId: number): number[] {
  let children = "";
  try {
    children = readFileSync(`/proc/${processId}/task/${processId}/children`, "utf8").trim();
  } catch {
    // The process has ended.
  }
  const ids = children === "" ? [] : children.split(" ").map(Number);
  return [processId, ...ids.flatMap(treeOf)];
}

/** Proportional set size of a process, bytes: pages that several processes share are divided among them. */
function proportionalBytes(processId: number): number {
  try {
    const rollup = readFileSync(`/proc/${processId}/smaps_rollup`, "utf8");
    return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) * 1024;
  } catch {
    return 0; // It ended between the two reads.
  }
}

/** Proportional set size of a process and all below it, bytes: what they occupy together. */
export function treeBytes(processId: number): number {
  return treeOf(processId).reduce((sum, id) => sum + proportionalBytes(id), 0);
}

/** @returns what `read` gave when all processes together were largest */
export async function atPeak<Value>(
  processId: number,
  work: Promise<unknown>,
  read: () => Value,
): Promise<{ bytes: number; value: Value }> {
  let peak = { bytes: treeBytes(processId), value: read() };
  const timer = setInterval(() => {
    const bytes = treeBytes(processId);
    if (bytes > peak.bytes) peak = { bytes, value: read() };
  }, SAMPLE_MILLISECONDS);
  try {
    await work;
  } finally {
    clearInterval(timer);
  }
  return peak;
}

export async function peakWhile(processId: number, work: Promise<unknown>): Promise<number> {
  return (await atPeak(processId, work, () => undefined)).bytes;
}

/** Proportional bytes of one process by what they are. */
export interface ProcessMemory {
  id: number;
  name: string;
  /** Mapped by other processes, too. */
  shared: number;
  private: number;
  /** Mapped graphs and weights. */
  weights: number;
  /** Programs and libraries. */
  code: number;
  /** Memory of WebAssembly: the embedded database in the service, GTCRN in the enhancer. */
  webAssembly: number;
  /** All other anonymous pages: V8's heap, tensors, unshared weights, buffers, stacks. */
  anonymous: number;
}

/** WebAssembly memory is the used part of a reservation of this size or more. */
const RESERVATION_BYTES = 4e9;
const HEADER = /^([0-9a-f]+)-([0-9a-f]+) (\S+) \S+ \S+ \S+ *(.*)$/;

/** The script that the process runs names it. */
function nameOf(processId: number): string {
  const script = readFileSync(`/proc/${processId}/cmdline`, "utf8")
    .split("\0")
    .slice(1)
    .find((argument) => /\.[jt]s$/.test(argument));
  if (script === undefined) return "other";
  if (script.endsWith("parlance.js")) return "service";
  return path.relative(process.cwd(), script).replace(/^dist[/\\](?:compact[/\\])?|[/\\]?child\.[jt]s$/g, "");
}

/** @returns undefined if the process has ended */
function memoryOf(id: number): ProcessMemory | undefined {
  let text: string;
  let name: string;
  try {
    text = readFileSync(`/proc/${id}/smaps`, "utf8");
    name = nameOf(id);
  } catch {
    return undefined;
  }
  const memory: ProcessMemory = {
    id,
    name,
    shared: 0,
    private: 0,
    weights: 0,
    code: 0,
    webAssembly: 0,
    anonymous: 0,
  };
  let kind: "weights" | "code" | "webAssembly" | "anonymous" = "anonymous";
  // The next mapping determines whether an anonymous one belongs to a reservation: its bytes are added then.
  let waiting = 0;
  const settle = (as: "webAssembly" | "anonymous") => {
    memory[as] += waiting;
    waiting = 0;
  };
  for (const line of text.split("\n")) {
    const header = HEADER.exec(line);
    if (header) {
      const [, from = "0", to = "0", rights = "", file = ""] = header;
      const isReservation = rights.startsWith("---") && parseInt(to, 16) - parseInt(from, 16) >= RESERVATION_BYTES;
      settle(isReservation ? "webAssembly" : "anonymous");
      if (/\.(weights|onnx)$/.test(file)) kind = "weights";
      else kind = file.startsWith("/") ? "code" : "anonymous";
      continue;
    }
    const [, field = "", kilobytes = "0"] = /^(\w+):\s+(\d+) kB$/.exec(line) ?? [];
    const bytes = Number(kilobytes) * 1024;
    if (field === "Pss") {
      if (kind === "anonymous") waiting += bytes;
      else memory[kind] += bytes;
      memory.shared += bytes;
    }
    if (field === "Private_Clean" || field === "Private_Dirty") memory.private += bytes;
  }
  settle("anonymous");
  memory.shared -= memory.private;
  return memory;
}

export const processMemories = (processId: number): ProcessMemory[] =>
  treeOf(processId).flatMap((id) => memoryOf(id) ?? []);
