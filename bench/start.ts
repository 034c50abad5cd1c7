// Starts: time until the port is open and until the service is ready, processor time of each process until then, memory a little later.
// The first start on a new data folder, and the second on the same. With the folder of another built checkout, its starts alternate with
// those of this one, and the ratios of the medians are printed. Usage: npm run bench -- start [CHECKOUT [RUNS]]. Needs Linux, for /proc.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { sleep } from "../src/platform/process/sleep.ts";
import { type RunningService, startService } from "../test/service.ts";
import { treeBytes } from "./process-memory.ts";
import { processorTimes, treeSeconds } from "./processor-time.ts";
import { percentile, printResults, type Result, rounded, saveResults } from "./table.ts";

const USUAL_RUNS = 7;
/** The second model is loaded and prepared after the service is ready. */
const SETTLE_MILLISECONDS = 6_000;
const LOOK_MILLISECONDS = 10;

interface Start {
  "port s": number;
  "ready s": number;
  "processor s": number;
  "… service s": number;
  "… recognisers s": number;
  "idle MB": number;
}

async function readyNow(service: RunningService): Promise<boolean> {
  const { status } = await fetch(new URL("/ready", service.base));
  return status === 200;
}

async function measuredStart(program: string, folder: string): Promise<Start> {
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1000;
  const service = await startService({ program, folder });
  const port = seconds();
  while (!(await readyNow(service))) await sleep(LOOK_MILLISECONDS);
  const ready = seconds();
  const all = treeSeconds(service.processId);
  const times = processorTimes(service);
  await sleep(SETTLE_MILLISECONDS);
  const idle = treeBytes(service.processId) / 1e6;
  await service.stop();
  return {
    "port s": port,
    "ready s": ready,
    "processor s": all,
    "… service s": times.get("service") ?? 0,
    "… recognisers s": times.get("inference") ?? 0,
    "idle MB": idle,
  };
}

const [, , other, given] = process.argv;
const runs = Number(given ?? USUAL_RUNS);
const programs = ["this", ...(other === undefined ? [] : [other])];
const starts = new Map<string, Start[]>();
for (let run = 0; run < runs; run++) {
  for (const program of programs) {
    const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-start-"));
    try {
      for (const name of ["first", "later"]) {
        const start = await measuredStart(program === "this" ? "." : program, folder);
        const key = `${program}, ${name}`;
        starts.set(key, [...(starts.get(key) ?? []), start]);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

const NAMES = ["port s", "ready s", "processor s", "… service s", "… recognisers s", "idle MB"] as const;
const median = (key: string, name: keyof Start) => {
  const values = (starts.get(key) ?? []).map((start) => start[name]);
  return percentile(values, 0.5);
};
const rowOf = (name: string, value: (column: keyof Start) => number): Result => ({
  name,
  values: Object.fromEntries(NAMES.map((column) => [column, rounded(value(column))])),
});
const GOALS: Record<string, number> = { first: 4, later: 1.5 };
const rows = [...starts.keys()].map((key): Result => {
  const goal = GOALS[key.split(", ")[1] ?? ""] ?? 0;
  const isMet = median(key, "ready s") <= goal && median(key, "idle MB") <= 350;
  return { ...rowOf(key, (column) => median(key, column)), goal: `ready in ${goal} s, 350 MB`, isMet };
});
const ratios = programs
  .slice(1)
  .flatMap((against) =>
    ["first", "later"].map((name) =>
      rowOf(
        `this / ${against}, ${name}`,
        (column) => median(`this, ${name}`, column) / median(`${against}, ${name}`, column),
      ),
    ),
  );
const results = [...rows, ...ratios];
printResults(`Medians of ${runs} starts`, results);
saveResults("start", results);
