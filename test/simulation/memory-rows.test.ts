// The database of the simulation against PostgreSQL (embedded): the same random commands of jobs and callbacks give the same answers and rows.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { publicText } from "../../src/platform/public-message.ts";
import { type Database, openDatabase } from "../../src/platform/storage/db/database.ts";
import type { DatabaseTime } from "../../src/platform/storage/db/database-time.ts";
import { insertDeliveries, nextDelivery, recordAttempt } from "../../src/platform/storage/db/deliveries/deliveries.ts";
import { claimLane, untilNextLane } from "../../src/platform/storage/db/deliveries/lane-claims.ts";
import { Duties } from "../../src/platform/storage/db/duties.ts";
import { saveFile } from "../../src/platform/storage/db/files/files.ts";
import {
  finishStage,
  type Hold,
  holdOf,
  requeueJob,
  setProgress,
} from "../../src/platform/storage/db/jobs/held-jobs.ts";
import { claimNextJob } from "../../src/platform/storage/db/jobs/job-claims.ts";
import { endJob } from "../../src/platform/storage/db/jobs/jobs.ts";
import { recoverExpired, renewLeases } from "../../src/platform/storage/db/jobs/leases.ts";
import { insertJob } from "../../src/platform/storage/db/jobs/new-job.ts";
import { beginGeneration } from "../../src/platform/storage/db/machines.ts";
import { pick, type Random, randomOf } from "../fixtures/random.ts";
import { MemoryRows } from "./memory-rows.ts";
import { TABLES } from "./memory-tables.ts";
import { Network } from "./network.ts";
import { Place, VirtualTime } from "./virtual-time.ts";

const SEQUENCES = 25;
const COMMANDS = 40;
const ACCOUNTS = ["00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"];
const COMPARED = ["jobs", "account_lanes", "deliveries", "delivery_lanes", "delivery_attempts", "duties", "machines"];
const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1000) as DatabaseTime;
const uuidOf = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, "0")}`;

let folder: string;
let real: Database;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-rows-"));
  real = await openDatabase("", folder);
});
afterAll(async () => {
  await real.destroy();
  rmSync(folder, { recursive: true, force: true });
});

test("its tables have the columns, defaults and keys that the migrations make", async () => {
  const { rows } = await sql<{ table_name: string; column_name: string; is_nullable: string; has_default: boolean }>`
    select table_name, column_name, is_nullable, column_default is not null as has_default from information_schema.columns
    where table_schema = current_schema()`.execute(real);
  for (const [table, { columns }] of Object.entries(TABLES)) {
    const found = rows.filter((row) => row.table_name === table);
    expect(Object.keys(columns).sort()).toEqual(found.map((row) => row.column_name).sort());
    for (const { column_name, is_nullable, has_default } of found)
      if (is_nullable === "YES" && !has_default)
        expect([table, column_name, columns[column_name]]).toEqual([table, column_name, null]);
  }
});

/** A command runs on both databases. */
type Command = (database: Database) => Promise<unknown>;

/** What the commands of a sequence refer to. */
class Sequence {
  private jobs = 0;
  private readonly holds: Hold[] = [];

  constructor(private readonly random: Random) {}

  private job = () => uuidOf(1 + Math.floor(this.random() * Math.max(1, this.jobs)));
  private hold = (): Hold =>
    pick(this.holds.length > 0 ? this.holds : [{ id: uuidOf(1), worker: "a#1", attempt: 1 }], this.random);

  next(): Command {
    const { random } = this;
    const [worker, job, hold, account] = [
      pick(["a#1", "b#1"], random),
      this.job(),
      this.hold(),
      pick(ACCOUNTS, random),
    ];
    const chosen = pick(Object.keys(this.commands) as (keyof typeof this.commands)[], random);
    return (this.commands[chosen] as NonNullable<(typeof this.commands)[string]>)({ worker, job, hold, account });
  }

  private readonly commands: Record<
    string,
    (of: { worker: string; job: string; hold: Hold; account: string }) => Command
  > = {
    insert: ({ account }) => {
      const number = ++this.jobs;
      const createdAt = at(number);
      const isFetched = this.random() < 0.5;
      return async (database) => {
        const id = uuidOf(number);
        if (!isFetched)
          await saveFile(database, {
            ...{ id, account_id: account, filename: "a", source: null, extension: "wav", size: 1, object_key: id },
            created_at: createdAt,
          });
        await insertJob(database, {
          ...{ id, accountId: account, kind: "pre-recorded", model: "m", createdAt, params: {} },
          ...(isFetched ? {} : { fileId: id }),
        });
      };
    },
    claim: ({ worker }) => {
      const lane = pick(["fetch", "process"] as const, this.random);
      const claim = { worker, lane, busyAccounts: [], concurrentJobs: 2, models: ["m"] };
      return async (database) => {
        const row = await claimNextJob(database, claim);
        if (row && database === real) this.holds.push(holdOf(row));
        return row && holdOf(row);
      };
    },
    requeue:
      ({ hold }) =>
      (database) =>
        requeueJob(database, hold, true),
    progress:
      ({ hold }) =>
      (database) =>
        setProgress(database, hold, { stage: "decode", progress: 0.5, restSeconds: 10, clearsStrikes: true }),
    advance:
      ({ hold }) =>
      (database) =>
        finishStage(database, hold, {
          stageOutputs: { fetch: { fileId: hold.id } },
          nextStage: "decode",
          progress: 0.1,
          restSeconds: 10,
          fileId: hold.id,
        }),
    succeed:
      ({ hold }) =>
      (database) =>
        endJob(database, hold.id, { status: "done", completedAt: at(99), resultKey: "r" }, hold),
    fail:
      ({ job }) =>
      (database) =>
        endJob(
          database,
          job,
          { status: "error", completedAt: at(99), errorCode: 500, errorMessage: publicText("no") },
          null,
        ),
    renew:
      ({ hold }) =>
      async (database) => [...(await renewLeases(database, [hold]))],
    expire:
      ({ job }) =>
      (database) =>
        database
          .updateTable("jobs")
          .set({ lease_until: at(1) })
          .where("id", "=", job)
          .where("lease_until", "is not", null)
          .execute(),
    recover:
      ({ worker, hold }) =>
      async (database) => {
        const self = { machine: worker[0] as string, generation: 1 };
        const recovered = await recoverExpired(database, {
          isOnlyProcess: false,
          self,
          running: [hold.id],
          mostStrikes: 2,
        });
        return { requeued: recovered.requeued.sort(), exhausted: recovered.exhausted.map(({ id }) => id).sort() };
      },
    deliver: ({ job }) => {
      const sequence = Math.floor(this.random() * 3);
      const id = uuidOf(1_000_000 + Number(job.slice(-6)) * 10 + sequence);
      return async (database) => {
        const isThere = await database.selectFrom("jobs").select("id").where("id", "=", job).executeTakeFirst();
        if (!isThere) return;
        const event = { id, sequence, event: "e", payload: "{}" };
        await insertDeliveries(
          database,
          { jobId: job, url: "http://a.example/", method: "POST" },
          [event],
          at(sequence),
        );
      };
    },
    send: () => {
      const isDelivered = this.random() < 0.5;
      return async (database) => {
        const lane = await claimLane(database, { heldSeconds: 60, busyHosts: [], busyAccounts: [] });
        const delivery = lane && (await nextDelivery(database, lane.jobId));
        if (!lane || !delivery) return undefined;
        const attempt = { at: at(5), milliseconds: 1, responseStatus: 200, detail: "" };
        await recordAttempt(
          database,
          lane,
          delivery,
          attempt,
          isDelivered ? { kind: "delivered" } : { kind: "retry", at: at(50) },
        );
        return delivery.id;
      };
    },
    look: () => untilNextLane,
    duty:
      ({ worker }) =>
      (database) =>
        new Duties(database, worker, false).holds("recovery"),
    start:
      ({ worker }) =>
      (database) =>
        beginGeneration(database, worker, 0),
  };
}

/** Rows without the times that the database's clock gave, and in one order. */
function comparable(rows: readonly object[]): string[] {
  const kept = ([, value]: [string, unknown]) => !(value instanceof Date) || value.getTime() < at(1_000).getTime();
  const shown = ([name, value]: [string, unknown]) => [name, name === "sequence" ? Number(value) : value];
  return rows.map((row) => JSON.stringify(Object.entries(row).filter(kept).sort().map(shown))).sort();
}

test("random commands of jobs and callbacks have the same effects as in PostgreSQL", async () => {
  for (let seed = 1; seed <= SEQUENCES; seed++) {
    const time = new VirtualTime(randomOf(seed));
    const memory = new MemoryRows(new Network(time, randomOf(seed)), () => undefined);
    // Its clock shows the time of the other one.
    Object.defineProperty(time, "serverTime", { get: () => new Date() });
    for (const table of [...COMPARED].reverse()) await real.deleteFrom(table as "jobs").execute();
    await real.deleteFrom("accounts").execute();
    for (const [index, id] of ACCOUNTS.entries()) {
      const account = { id, name: id, created_at: at(0), concurrent_jobs: index === 0 ? null : 1 };
      await real
        .insertInto("accounts")
        .values(account as never)
        .execute();
      memory.add("accounts", account);
    }
    const connected = memory.connectDirectly(new Place("process"));
    const sequence = new Sequence(randomOf(seed));
    for (let number = 0; number < COMMANDS; number++) {
      const command = sequence.next();
      const expected = await command(real);
      expect([seed, number, await command(connected)]).toEqual([seed, number, expected]);
      for (const table of COMPARED)
        expect(comparable(memory.rows(table))).toEqual(
          comparable(
            await real
              .selectFrom(table as "jobs")
              .selectAll()
              .execute(),
          ),
        );
    }
  }
});
