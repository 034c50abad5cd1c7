// The limit of requests a second, of one process and of several on one database.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ensureAccount } from "../../platform/storage/db/accounts/accounts.ts";
import { type Database, openDatabase } from "../../platform/storage/db/database.ts";
import { databaseTime } from "../../platform/storage/db/database-time.ts";
import { RequestRate } from "./request-rate.ts";

let folder: string;
let database: Database;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-rate-"));
  database = await openDatabase("", folder);
});
afterAll(async () => {
  await database?.destroy();
  rmSync(folder, { recursive: true, force: true });
});

async function newAccount(): Promise<string> {
  const id = crypto.randomUUID();
  return (await ensureAccount(database, { id, name: id }, databaseTime(database))).id;
}

/** Requests at once, of which each process gets as many. */
async function allowed(processes: RequestRate[], account: string, rate: number, each: number) {
  const began = performance.now();
  const waits = await Promise.all(
    processes.flatMap((one) => Array.from({ length: each }, () => one.take(account, rate))),
  );
  const seconds = (performance.now() - began) / 1000;
  for (const wait of waits) expect(wait).toBeLessThanOrEqual(1);
  return { count: waits.filter((wait) => wait === 0).length, seconds };
}

test.each([
  [1, 5],
  [2, 5],
  [4, 40],
])(
  "%i processes together allow a burst of a second's worth of %i requests, and what is due in its time",
  async (count, rate) => {
    const processes = Array.from({ length: count }, () => new RequestRate(count === 1 ? undefined : database));
    const account = await newAccount();
    const burst = await allowed(processes, account, rate, 60);
    expect(burst.count).toBeGreaterThanOrEqual(rate);
    // The lease that each process may still have is less than a tenth.
    expect(burst.count).toBeLessThanOrEqual(rate + Math.ceil(burst.seconds * rate) + count * Math.max(1, rate / 10));
    for (const one of processes) one.stop();
  },
);

test("a request that was refused is allowed after the stated time", async () => {
  const [one, other] = [new RequestRate(database), new RequestRate(database)];
  const account = await newAccount();
  await allowed([one, other], account, 2, 20);
  const wait = await other.take(account, 2);
  await new Promise((resolve) => setTimeout(resolve, wait * 1000 + 50));
  expect(await other.take(account, 2)).toBe(0);
  for (const process of [one, other]) process.stop();
});

test("without the database, each process limits alone", async () => {
  await database.destroy();
  const rate = new RequestRate(database);
  const { count, seconds } = await allowed([rate], crypto.randomUUID(), 3, 10);
  expect(count).toBeGreaterThanOrEqual(3);
  expect(count).toBeLessThanOrEqual(3 + Math.ceil(seconds * 3));
  rate.stop();
});
