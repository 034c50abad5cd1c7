// Cores and memory that this process may use. Node reports those of the machine; a container or a systemd unit can have less, as
// control groups (cgroups) limit it.
import { readFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

/** Version 1 means "no limit" by a number near the largest of 64 bits. */
const NO_LIMIT_BYTES = 2 ** 60;
const CGROUPS = "sys/fs/cgroup";

export interface ContainerLimits {
  /** Processor time as a number of cores, such as 0.5. */
  cores?: number;
  memoryBytes?: number;
  /** In use, without the file cache, which the kernel frees when memory runs short. */
  usedBytes?: number;
}

function readText(root: string, ...names: string[]): string | undefined {
  try {
    return readFileSync(path.join(root, ...names), "utf8").trim();
  } catch {
    return undefined;
  }
}

/** @returns undefined for "max", which is no limit, and for what is no number */
function readNumber(root: string, ...names: string[]): number | undefined {
  const value = Number(readText(root, ...names) ?? "");
  return Number.isFinite(value) && value > 0 && value < NO_LIMIT_BYTES ? value : undefined;
}

/** A group and those above it, up to the root: each limits. The path of a host's group does not exist inside its container. */
function groupsOf(group: string): string[] {
  const groups: string[] = [];
  for (let at = path.posix.normalize(group); ; at = path.posix.dirname(at)) {
    groups.push(at);
    if (at === "/" || at === ".") return groups;
  }
}

/** Group of this process by controller; "" is the controller of version 2. */
function ownGroups(root: string): Map<string, string> {
  const lines = (readText(root, "proc/self/cgroup") ?? "").split("\n");
  const groups = new Map<string, string>();
  for (const line of lines) {
    const [, controllers = "", ...group] = line.split(":");
    for (const controller of controllers.split(",")) groups.set(controller, group.join(":") || "/");
  }
  return groups;
}

const least = (values: (number | undefined)[]): number | undefined => {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
};

interface MemoryFiles {
  limit: string;
  usage: string;
  /** Line of memory.stat. */
  inactive: string;
}

/** @param mount  of the controller @param groups  of this process, the innermost first */
function memoryOf(root: string, mount: string, groups: readonly string[], files: MemoryFiles) {
  const found = groups
    .map((group) => ({ group, limit: readNumber(root, mount, group, files.limit) }))
    .filter(({ limit }) => limit !== undefined)
    .sort((left, right) => (left.limit as number) - (right.limit as number))[0];
  if (!found) return {};
  const usage = readNumber(root, mount, found.group, files.usage) ?? 0;
  const stat = readText(root, mount, found.group, "memory.stat") ?? "";
  const inactive = Number(new RegExp(`^${files.inactive} (\\d+)`, "m").exec(stat)?.[1] ?? 0);
  return { memoryBytes: found.limit as number, usedBytes: Math.max(0, usage - inactive) };
}

function versionTwo(root: string, group: string): ContainerLimits {
  const groups = groupsOf(group);
  const cores = least(
    groups.map((one) => {
      const [quota = "", period = ""] = (readText(root, CGROUPS, one, "cpu.max") ?? "").split(" ");
      return Number(quota) > 0 && Number(period) > 0 ? Number(quota) / Number(period) : undefined;
    }),
  );
  const files = { limit: "memory.max", usage: "memory.current", inactive: "inactive_file" };
  return { ...(cores === undefined ? {} : { cores }), ...memoryOf(root, CGROUPS, groups, files) };
}

function versionOne(root: string, groups: ReadonlyMap<string, string>): ContainerLimits {
  const mounts = ["cpu", "cpu,cpuacct", "cpuacct,cpu"].map((name) => path.posix.join(CGROUPS, name));
  const cores = least(
    mounts.flatMap((mount) =>
      groupsOf(groups.get("cpu") ?? "/").map((group) => {
        const quota = readNumber(root, mount, group, "cpu.cfs_quota_us");
        const period = readNumber(root, mount, group, "cpu.cfs_period_us");
        return quota && period ? quota / period : undefined;
      }),
    ),
  );
  const files = {
    limit: "memory.limit_in_bytes",
    usage: "memory.usage_in_bytes",
    inactive: "total_inactive_file",
  };
  const memory = memoryOf(root, path.posix.join(CGROUPS, "memory"), groupsOf(groups.get("memory") ?? "/"), files);
  return { ...(cores === undefined ? {} : { cores }), ...memory };
}

/**
 * Limits of the control groups of this process, both versions; a machine can have controllers of either.
 * @param root  of the file system
 */
export function containerLimits(root = "/"): ContainerLimits {
  const groups = ownGroups(root);
  const [one, two] = [versionOne(root, groups), versionTwo(root, groups.get("") ?? "/")];
  const cores = least([one.cores, two.cores]);
  const memory =
    (one.memoryBytes ?? Number.POSITIVE_INFINITY) < (two.memoryBytes ?? Number.POSITIVE_INFINITY) ? one : two;
  return {
    ...(cores === undefined ? {} : { cores }),
    ...(memory.memoryBytes === undefined ? {} : { memoryBytes: memory.memoryBytes, usedBytes: memory.usedBytes ?? 0 }),
  };
}

/** Cores that can be busy all the time, at least 1. A fraction is left out: beyond its quota the kernel stops every thread. */
export function availableCores(limits = containerLimits()): number {
  return Math.max(1, Math.min(os.availableParallelism(), Math.floor(limits.cores ?? Number.POSITIVE_INFINITY)));
}

/** Bytes of memory in all, and those that are free. */
export function availableMemory({ memoryBytes, usedBytes = 0 } = containerLimits()): { total: number; free: number } {
  const [total, free] = [os.totalmem(), os.freemem()];
  if (memoryBytes === undefined || memoryBytes >= total) return { total, free };
  return { total: memoryBytes, free: Math.max(0, Math.min(free, memoryBytes - usedBytes)) };
}

/** Memory of all processes but the recognisers: service, voice activity, decoders, add-ons (`npm run bench -- memory`). */
const OTHER_PROCESSES_BYTES = 600_000_000;
/** Memory of a recogniser with the default model at work. */
const RECOGNIZER_BYTES = 400_000_000;

/** Recogniser processes where the operator sets none: one per core, as many as the memory holds, at least 1. */
export function defaultRecognizers(limits = containerLimits()): number {
  const byMemory = Math.floor((availableMemory(limits).total - OTHER_PROCESSES_BYTES) / RECOGNIZER_BYTES);
  return Math.max(1, Math.min(availableCores(limits), byMemory));
}
