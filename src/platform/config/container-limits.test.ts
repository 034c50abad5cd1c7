import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { availableCores, availableMemory, containerLimits, defaultRecognizers } from "./container-limits.ts";

let root: string | undefined;
afterEach(() => {
  if (root) rmSync(root, { recursive: true });
  root = undefined;
});

/** A file system with these files. */
function system(files: Record<string, string>): string {
  root = mkdtempSync(path.join(os.tmpdir(), "parlance-cgroups-"));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.join(root, path.dirname(name)), { recursive: true });
    writeFileSync(path.join(root, name), `${content}\n`);
  }
  return root;
}

test("version 2: the limits of the group and of those above it", () => {
  const limits = containerLimits(
    system({
      "proc/self/cgroup": "0::/system.slice/parlance.service",
      "sys/fs/cgroup/system.slice/parlance.service/cpu.max": "max 100000",
      "sys/fs/cgroup/system.slice/cpu.max": "200000 100000",
      "sys/fs/cgroup/system.slice/parlance.service/memory.max": "1073741824",
      "sys/fs/cgroup/system.slice/parlance.service/memory.current": "500000000",
      "sys/fs/cgroup/system.slice/parlance.service/memory.stat": "anon 1\ninactive_file 100000000",
      "sys/fs/cgroup/system.slice/memory.max": "max",
    }),
  );
  expect(limits).toEqual({ cores: 2, memoryBytes: 1_073_741_824, usedBytes: 400_000_000 });
});

test("version 2 in a container: its group is the root", () => {
  const files = {
    "proc/self/cgroup": "0::/",
    "sys/fs/cgroup/cpu.max": "50000 100000",
    "sys/fs/cgroup/memory.max": "max",
  };
  expect(containerLimits(system(files))).toEqual({ cores: 0.5 });
});

test("version 1: the path is that of the host, and the container's group is mounted at the root", () => {
  const limits = containerLimits(
    system({
      "proc/self/cgroup": "5:cpu,cpuacct:/docker/abc\n4:memory:/docker/abc\n0::/",
      "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us": "150000",
      "sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us": "100000",
      "sys/fs/cgroup/memory/memory.limit_in_bytes": "2000000000",
      "sys/fs/cgroup/memory/memory.usage_in_bytes": "700000000",
      "sys/fs/cgroup/memory/memory.stat": "inactive_file 5\ntotal_inactive_file 200000000",
    }),
  );
  expect(limits).toEqual({ cores: 1.5, memoryBytes: 2_000_000_000, usedBytes: 500_000_000 });
});

test("no limits", () => {
  const unlimited = {
    "proc/self/cgroup": "2:memory:/\n1:cpu:/",
    "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1",
    "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000",
    "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712",
  };
  expect(containerLimits(system(unlimited))).toEqual({});
  rmSync(root as string, { recursive: true });
  expect(containerLimits(system({}))).toEqual({});
  expect(availableCores({})).toBe(os.availableParallelism());
  expect(availableMemory({}).total).toBe(os.totalmem());
});

test("the number of recognisers follows cores and memory", () => {
  expect(availableCores({ cores: 0.5 })).toBe(1);
  expect(availableMemory({ memoryBytes: 1e9, usedBytes: 4e8 })).toMatchObject({ total: 1e9 });
  expect(availableMemory({ memoryBytes: 1e9, usedBytes: 4e8 }).free).toBeLessThanOrEqual(6e8);
  expect(availableMemory({ memoryBytes: 1e9, usedBytes: 2e9 }).free).toBe(0);
  expect(defaultRecognizers({ cores: 1.9 })).toBe(1);
  expect(defaultRecognizers({ memoryBytes: 1e9 })).toBe(1);
  expect(defaultRecognizers({ memoryBytes: 1e8 })).toBe(1);
});
