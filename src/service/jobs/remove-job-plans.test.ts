// How the statements that delete a job find their rows: by indexes, whatever the number of jobs.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { CompiledQuery, type KyselyPlugin, type RootOperationNode, sql } from "kysely";
import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Database, openDatabase } from "../../platform/storage/db/database.ts";
import { unusedFilesOfAccount } from "../../platform/storage/db/files/files.ts";
import { deletedSessions, sessionsOver } from "../../platform/storage/db/jobs/live-sessions.ts";
import { Disk } from "../../platform/storage/disk/disk.ts";
import { FileStore } from "../../platform/storage/objects/file-store.ts";
import { type RemovalServices, removeWholeJobs } from "./remove-job.ts";

/** So many that reading a table costs more than an index. */
const ROWS = 4_000;

let folder: string;
let database: Database;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-plans-"));
  database = await openDatabase("", folder, new Disk(false));
  const account = uuid();
  await database
    .insertInto("accounts")
    .values({ id: account, name: "a", created_at: new Date() } as never)
    .execute();
  await sql`insert into files (id, account_id, filename, extension, size, object_key, created_at)
    select gen_random_uuid(), ${account}::uuid, 'a', 'wav', 1, 'audio/' || n, now() from generate_series(1, ${ROWS}::integer) as n`.execute(
    database,
  );
  await sql`insert into jobs (id, account_id, file_id, kind, status, model, created_at, completed_at, request_params,
      post_session_metadata, stage_outputs, result_key)
    select gen_random_uuid(), account_id, id, 'pre-recorded', 'done', 'm', now(), now(), '{}', '{}', '{}', 'results/' || id || '.json'
    from files`.execute(database);
  await sql`insert into tombstones (key, is_folder) select 'audio/' || n, false from generate_series(1, ${ROWS}::integer) as n`.execute(
    database,
  );
  await sql`analyze`.execute(database);
});
afterAll(async () => {
  await database.destroy();
  rmSync(folder, { recursive: true, force: true });
});

/** Statements that `work` executes, with their plans. */
async function plansOf(work: (observed: Database) => Promise<unknown>): Promise<string[]> {
  const nodes: RootOperationNode[] = [];
  const observer: KyselyPlugin = {
    transformQuery: ({ node }) => {
      nodes.push(node);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  await work(database.withPlugin(observer));
  const plans: string[] = [];
  for (const node of nodes) {
    const { sql: text, parameters } = database.getExecutor().compileQuery(node, { queryId: "plan" });
    const { rows } = await database.executeQuery<{ "QUERY PLAN": string }>(
      CompiledQuery.raw(`explain ${text}`, [...parameters]),
    );
    plans.push([text, ...rows.map((row) => row["QUERY PLAN"])].join("\n"));
  }
  return plans;
}

test("the deletion of a job reads no whole table of jobs or files", async () => {
  const [job] = await database.selectFrom("jobs").select("id").limit(1).execute();
  const services: RemovalServices = {
    database,
    objects: new FileStore(folder, new Disk(false)),
    worker: { cancel: async () => undefined },
    live: { discard: async () => undefined },
    isOnlyProcess: true,
  };
  const plans = await plansOf((observed) => removeWholeJobs([job?.id ?? ""], { ...services, database: observed }));
  expect(plans.length).toBeGreaterThan(4);
  for (const plan of plans) expect(plan).not.toMatch(/Seq Scan on "?(jobs|files)"?/);
  expect(plans.join("\n")).toMatch(/files_by_object/);
  expect(plans.join("\n")).toMatch(/jobs_by_result/);
});

test("the files of an account are found by an index", async () => {
  const plans = await plansOf((observed) => unusedFilesOfAccount(observed, uuid(), 10));
  expect(plans).toHaveLength(1);
  expect(plans[0]).toMatch(/files_by_account/);
});

test("sessions that are over or were deleted are found by indexes", async () => {
  const ids = Array.from({ length: 20 }, () => uuid());
  const plans = await plansOf(async (observed) => {
    await sessionsOver(observed, ids, 60);
    await deletedSessions(observed, ids);
  });
  expect(plans).toHaveLength(2);
  for (const plan of plans) {
    expect(plan).not.toMatch(/Seq Scan on "?(jobs|tombstones)"?/);
    expect(plan).toMatch(/tombstones_of_sessions/);
  }
});
