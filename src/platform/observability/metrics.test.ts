// Which process reports the figures of the whole fleet, and what a figure shows that could not be read.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Database, openDatabase } from "../storage/db/database.ts";
import { Duties } from "../storage/db/duties.ts";
import type { QueueState } from "../storage/db/jobs/queue-state.ts";
import { Engines } from "./engines.ts";
import { type MetricSources, Metrics } from "./metrics.ts";

const QUEUE: QueueState = { counts: { queued: 7, processing: 2 }, oldestSeconds: 31, pendingDeliveries: 4 };
/** The same in every process; summed over six processes, a figure would be six times too high. */
const OF_THE_FLEET = ["jobs_unfinished", "job_oldest_waiting_seconds", "deliveries_pending", "database_bytes"];

let folder: string;
let database: Database;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-metrics-"));
  database = await openDatabase("", folder);
});
afterAll(async () => {
  await database?.destroy();
  rmSync(folder, { recursive: true, force: true });
});

function metricsOf(sources: Partial<MetricSources>): Metrics {
  const metrics = new Metrics({ waiting: 0, onRecognized: () => undefined });
  metrics.watch({
    isReady: () => true,
    liveSessions: () => 3,
    finalDelay: () => 0,
    liveLoad: () => ({ sessions: 8, audioCapacity: 8, audio: 3 }),
    loadStage: () => 0,
    freeBytes: async () => 1,
    reportsFleet: async () => true,
    databaseBytes: async () => 5,
    queue: async () => QUEUE,
    engines: new Engines({}),
    ...sources,
  });
  return metrics;
}

/** Value of a sample without labels, or the sum of those with labels; undefined if there is none. */
async function sampleOf(metrics: Metrics, name: string): Promise<number | undefined> {
  const lines = (await metrics.registry.metrics()).split("\n");
  const samples = lines.filter((line) => line.startsWith(`parlance_${name}`));
  return samples.length === 0 ? undefined : samples.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
}

test("of several processes, one reports the figures of the fleet; after it stops, another one does", async () => {
  const duties = ["a#1", "b#1", "c#1"].map((name) => new Duties(database, name, false));
  const processes = duties.map((own) => metricsOf({ reportsFleet: () => own.holds("fleet figures") }));
  const reported = async (name: string) => {
    const values: (number | undefined)[] = [];
    for (const one of processes) values.push(await sampleOf(one, name));
    return values;
  };
  for (const name of OF_THE_FLEET) {
    const values = await reported(name);
    expect(values[0], name).toBeGreaterThan(0);
    expect(values.slice(1), name).toEqual([undefined, undefined]);
  }
  expect(await reported("live_sessions")).toEqual([3, 3, 3]);
  await duties[0]?.release();
  processes.shift();
  expect(await reported("jobs_unfinished")).toEqual([9, undefined]);
});

test("a figure that cannot be read is missing, and not 0", async () => {
  const fail = () => Promise.reject(new Error("the database does not answer"));
  for (const sources of [{ queue: fail, databaseBytes: fail }, { reportsFleet: fail }]) {
    const metrics = metricsOf(sources);
    for (const name of OF_THE_FLEET) expect(await sampleOf(metrics, name), name).toBeUndefined();
    expect(await sampleOf(metrics, "ready")).toBe(1);
  }
  const metrics = metricsOf({ freeBytes: fail });
  expect(await sampleOf(metrics, "disk_free_bytes")).toBeUndefined();
});
