// Results as a table and as JSON for comparisons.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import os from "node:os";

export interface Result {
  name: string;
  /** Shown unchanged; units are part of the names. */
  values: Record<string, number | string>;
  /** Whether the goal is met, if there is one. */
  isMet?: boolean;
  goal?: string;
}

export function printResults(title: string, results: Result[]): void {
  process.stdout.write(`\n${title}\n`);
  const columns = [...new Set(results.flatMap(({ values }) => Object.keys(values)))];
  const rows = results.map(({ name, values, goal, isMet }) => [
    name,
    ...columns.map((column) => String(values[column] ?? "")),
    goal ? `${isMet ? "met" : "MISSED"}: ${goal}` : "",
  ]);
  const header = ["", ...columns, "goal"];
  const widths = header.map((text, column) => Math.max(text.length, ...rows.map((row) => (row[column] ?? "").length)));
  for (const row of [header, ...rows]) {
    process.stdout.write(
      `${row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd()}\n`,
    );
  }
}

/** A file in bench/results. */
export interface SavedResults {
  /** Day of the run, as in 2026-11-28; commit of the code, with a + if it was changed. */
  date?: string;
  commit?: string;
  machine: { processor: string; cores: number; node: string; features?: string[] };
  results: Result[];
}

/** Extensions of the processor on which the speed of recognition depends most, by their names in /proc/cpuinfo. */
const FEATURES = {
  avx2: "AVX2",
  avx512f: "AVX-512",
  avx512_vnni: "AVX-512 VNNI",
  avx_vnni: "AVX-VNNI",
  amx_int8: "AMX",
};

function processorFeatures(): string[] | undefined {
  if (!existsSync("/proc/cpuinfo")) return undefined;
  const flags = new Set(/^flags\s*:(.*)$/m.exec(readFileSync("/proc/cpuinfo", "utf8"))?.[1]?.trim().split(" "));
  return Object.entries(FEATURES).flatMap(([flag, name]) => (flags.has(flag) ? [name] : []));
}

function commitOfCode(): string | undefined {
  const git = (...args: string[]) => spawnSync("git", args, { encoding: "utf8" });
  const { status, stdout } = git("rev-parse", "--short=8", "HEAD");
  if (status !== 0) return undefined;
  const isChanged = git("status", "--porcelain", "--untracked-files=no", "--", "src", "bench").stdout !== "";
  return `${stdout.trim()}${isChanged ? "+" : ""}`;
}

/** Results of x86 processors without VNNI are beside the others: their 8-bit products take about twice as long. */
function resultsFolder(features: readonly string[] | undefined): string {
  const lacksVnni = features?.includes("AVX2") === true && !features.some((feature) => feature.includes("VNNI"));
  return lacksVnni ? "bench/results/avx2" : "bench/results";
}

/** Writes bench/results/NAME.json, or bench/results/avx2/NAME.json, with the day, the commit and a description of the machine. */
export function saveResults(name: string, results: Result[]): void {
  const features = processorFeatures();
  const folder = resultsFolder(features);
  mkdirSync(folder, { recursive: true });
  const commit = commitOfCode();
  const saved: SavedResults = {
    date: new Date().toISOString().slice(0, 10),
    ...(commit === undefined ? {} : { commit }),
    machine: {
      processor: os.cpus()[0]?.model ?? "unknown",
      ...{ cores: os.availableParallelism(), node: process.version },
      ...(features === undefined ? {} : { features }),
    },
    results,
  };
  writeFileSync(`${folder}/${name}.json`, `${JSON.stringify(saved, null, 2)}\n`);
}

export const rounded = (value: number, digits = 2) => Number(value.toFixed(digits));

export function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** A percentile of delays in whole milliseconds; negative delays count as 0. @param values  seconds */
export const milliseconds = (values: number[], share: number) =>
  rounded(Math.max(0, percentile(values, share)) * 1000, 0);
