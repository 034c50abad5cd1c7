// parlance doctor on a fleet: PostgreSQL, an S3 server, NATS and two processes, and what is wrong with them one after the other.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Database, openDatabase } from "../../src/platform/storage/db/database.ts";
import { insertJob } from "../../src/platform/storage/db/jobs/new-job.ts";
import { hasNats, type NatsServers, startNats } from "../fixtures/nats.ts";
import { parlanceWith } from "../fixtures/parlance.ts";
import { hasPostgres, type PostgresServer, startPostgres } from "../fixtures/postgres.ts";
import { recordedJob } from "../fixtures/recorded-job.ts";
import { type S3Server, startS3, VERSITYGW } from "../fixtures/s3.ts";
import { type RunningService, startService } from "../service.ts";

type Finding = { what: string; level: string; detail: string };

const isThere = hasPostgres && hasNats && VERSITYGW !== undefined;

describe.skipIf(!isThere)("doctor (skipped without PostgreSQL, nats-server and versitygw)", () => {
  let postgres: PostgresServer;
  let s3: S3Server;
  let nats: NatsServers | undefined;
  let database: Database;
  let folder: string;
  let environment: Record<string, string>;
  const services: RunningService[] = [];

  const findings = async (): Promise<Finding[]> => {
    const settings = { ...environment, PARLANCE_DATA_DIR: folder, PARLANCE_PORT: "0" };
    const output = await parlanceWith(settings, "doctor", "--json").catch((error: { stdout: string }) => error.stdout);
    return JSON.parse(output).findings;
  };
  const finding = async (what: string) => (await findings()).filter((one) => one.what === what);

  beforeAll(async () => {
    [postgres, s3, nats] = [await startPostgres(), await startS3(), await startNats(1)];
    folder = mkdtempSync(path.join(os.tmpdir(), "parlance-doctor-"));
    environment = { DATABASE_URL: postgres.url, PARLANCE_NATS_URL: nats.url, ...s3.environment };
  });
  afterAll(async () => {
    await database?.destroy();
    for (const service of services) await service.remove();
    await Promise.all([s3?.remove(), nats?.remove()]);
    postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test("before the first start, it makes no tables", async () => {
    expect(await findings()).toEqual(
      expect.arrayContaining([
        { what: "migrations", level: "good", detail: "none yet; the first start makes the tables" },
        {
          what: "nats",
          level: "good",
          detail: expect.stringMatching(/^NATS \d.* streams are created by the next start/),
        },
        { what: "object store access", level: "good", detail: expect.stringMatching(/stores and deletes objects$/) },
      ]),
    );
    expect(await finding("migrations")).toEqual([
      expect.objectContaining({ detail: expect.stringMatching(/^none yet/) }),
    ]);
  });

  test("processes, versions, clocks and models agree", async () => {
    for (const roles of ["api,live", "worker"]) {
      services.push(
        await startService({ environment: { ...environment, PARLANCE_ROLES: roles, PARLANCE_WORKERS: "1" } }),
      );
    }
    database = await openDatabase(postgres.url, folder, undefined, { migrates: false });
    const reported = async () => (await finding("processes")).map(({ detail }) => detail).join();
    await expect.poll(reported).toMatch(/^2 run: .*worker/);
    const all = await findings();
    for (const what of ["processes", "versions", "clocks", "fleet models", "migrations", "orphans", "object store"]) {
      expect(all.filter((one) => one.what === what)).toEqual([expect.objectContaining({ what, level: "good" })]);
    }
  });

  test("other versions, wrong clocks and missing models are named with their process", async () => {
    const report = { host: "far", version: "0.0.1", roles: ["worker"], models: [], clockMilliseconds: -40_000 };
    const now = new Date() as never;
    const row = { generation: 1, started_at: now, reported_at: now, report: JSON.stringify(report) };
    await database
      .insertInto("machines")
      .values({ ...row, name: "far-away" })
      .execute();
    const all = await findings();
    const of = (what: string) => all.filter((one) => one.what === what);
    expect(of("versions")).toEqual([
      { what: "versions", level: "warning", detail: expect.stringMatching(/0\.0\.1: far \(worker, far-away\)/) },
    ]);
    expect(of("clocks")).toEqual([
      { what: "clocks", level: "bad", detail: expect.stringMatching(/far \(worker, far-away\): -40\.0 s\. .*NTP/) },
    ]);
    expect(of("fleet models")).toEqual([
      expect.objectContaining({
        level: "warning",
        detail: expect.stringMatching(/^far .* lacks .*POST \/v2\/models/),
      }),
    ]);
  });

  test("a process that was lost is named, and the work that it leaves", async () => {
    const before = new Date(Date.now() - 3_600_000) as never;
    await database.updateTable("machines").set({ reported_at: before }).where("name", "=", "far-away").execute();
    expect(await finding("processes")).toContainEqual({
      what: "processes",
      level: "warning",
      detail: expect.stringMatching(
        /^far .* did not shut down gracefully and was last seen 36\d\d s ago; .*delete from machines where name = 'far-away'/,
      ),
    });
    const [row] = await database.selectFrom("machines").selectAll().where("name", "=", "far-away").execute();
    const more = Array.from({ length: 6 }, (_, at) => ({ ...(row as never as object), name: `far-${at}` }));
    const rows = more.map((one) => ({ ...one, report: JSON.stringify(row?.report) }));
    await database
      .insertInto("machines")
      .values(rows as never)
      .execute();
    expect(await finding("processes")).toContainEqual({
      what: "processes",
      level: "warning",
      detail: expect.stringMatching(/^2 more did not shut down gracefully: select name, report from machines/),
    });
    await database.deleteFrom("machines").where("name", "like", "far-%").execute();
    await services[1]?.stop();
    const [account] = await database.selectFrom("accounts").select("id").execute();
    const job = recordedJob(account?.id ?? "");
    await insertJob(database, job);
    const lost = { status: "processing", worker: "far-away", lease_until: before } as const;
    await database.updateTable("jobs").set(lost).where("id", "=", job.id).execute();
    const all = await findings();
    expect(all).toContainEqual({
      what: "orphans",
      level: "warning",
      detail: expect.stringMatching(/^1 recorded jobs, whose process was lost/),
    });
    expect(all).toContainEqual({
      what: "nats",
      level: "good",
      detail: expect.stringMatching(/^NATS \d.* stores and deletes messages$/),
    });
    expect(all).toContainEqual({
      what: "processes",
      level: "warning",
      detail: expect.stringMatching(/None has the role worker: start one with PARLANCE_ROLES=worker/),
    });
  });

  test("servers that do not answer are named with their setting", { timeout: 180_000 }, async () => {
    await Promise.all([s3.stop(), nats?.remove()]);
    nats = undefined;
    const all = await findings();
    expect(all).toContainEqual({
      what: "object store access",
      level: "bad",
      detail: expect.stringMatching(/PARLANCE_S3_/),
    });
    expect(all).toContainEqual({ what: "nats", level: "bad", detail: expect.stringMatching(/PARLANCE_NATS_URL/) });
    expect(all).toContainEqual(expect.objectContaining({ what: "migrations", level: "good" }));
    await s3.start();
  });
});
