// Results as a table and as JSON for comparisons.
import { mkdirSync, writeFileSync } from "node:fs";
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

/** Writes bench/results/NAME.json with a description of the machine. */
export function saveResults(name: string, results: Result[]): void {
  mkdirSync("bench/results", { recursive: true });
  const machine = { processor: os.cpus()[0]?.model, cores: os.availableParallelism(), node: process.version };
  writeFileSync(`bench/results/${name}.json`, `${JSON.stringify({ machine, results }, null, 2)}\n`);
}

export const rounded = (value: number, digits = 2) => Number(value.toFixed(digits));

export function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

/** A percentile of delays in whole milliseconds; negative delays count as 0. @param values  seconds */
export const milliseconds = (values: number[], share: number) =>
  rounded(Math.max(0, percentile(values, share)) * 1000, 0);
