import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ensureAccount } from "../../../platform/storage/db/accounts/accounts.ts";
import { clientTime } from "../../../platform/storage/db/client-time.ts";
import { type Database, openDatabase } from "../../../platform/storage/db/database.ts";
import { listJobs } from "../../../platform/storage/db/jobs/job-lists.ts";
import { insertJob } from "../../../platform/storage/db/jobs/new-job.ts";
import { Disk } from "../../../platform/storage/disk/disk.ts";
import { FileStore } from "../../../platform/storage/objects/file-store.ts";
import { TABLES } from "./tables.ts";
import { exportAll, importAll, mayExportInto } from "./transfer.ts";

let folder: string;
let database: Database;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-transfer-"));
  database = await openDatabase("", path.join(folder, "data"));
});
afterAll(async () => {
  await database.destroy();
  rmSync(folder, { recursive: true, force: true });
});

const ACCOUNT = '{"id":"00000000-0000-4000-8000-000000000001","name":"one","created_at":"2026-01-01T00:00:00Z"}';

function imported(lines: string | undefined, manifest: unknown = { format: 1, tables: ["accounts"] }): Promise<void> {
  const place = mkdtempSync(path.join(folder, "export-"));
  mkdirSync(path.join(place, "tables"));
  if (lines !== undefined) writeFileSync(path.join(place, "tables", "accounts.jsonl"), lines);
  writeFileSync(path.join(place, "export.json"), JSON.stringify(manifest));
  const objects = new FileStore(path.join(folder, "objects"), new Disk(false));
  return importAll({ database, objects, progress: () => undefined }, place);
}

test.each([
  ["no JSON", `${ACCOUNT}\n{{{\n`, /accounts\.jsonl .*line 2/],
  ["a line that is cut off", ACCOUNT.slice(0, -5), /line 1/],
  ["null", "null\n", /line 1: it is no row/],
  ["a list", "[]\n", /line 1: it is no row/],
  ["a column that there is not", `${ACCOUNT.replace('"name"', '"x\\"; drop table jobs; --"')}\n`, /line 1: column/],
])("an export with %s is refused with the place", async (_, lines, message) => {
  await expect(imported(lines)).rejects.toMatchObject({
    code: "transfer.damaged",
    message: expect.stringMatching(message),
  });
});

test("an export without a table that its manifest names, or with a manifest that is none, is not whole", async () => {
  await expect(imported(undefined)).rejects.toMatchObject({ code: "transfer.not_whole" });
  for (const tables of [5, "accounts", null, [["accounts"]]]) {
    await expect(imported(`${ACCOUNT}\n`, { format: 1, tables })).rejects.toMatchObject({ code: "transfer.not_whole" });
  }
});

test("the check of a folder to export into changes nothing there", async () => {
  const place = mkdtempSync(path.join(folder, "target-"));
  const manifest = path.join(place, "export.json");
  writeFileSync(manifest, "of an earlier export");
  expect(await mayExportInto(place)).toBe(true);
  writeFileSync(path.join(place, "other.txt"), "of the user");
  expect(await mayExportInto(place)).toBe(false);
  expect(readFileSync(manifest, "utf8")).toBe("of an earlier export");
});

test("an export that fails on its way is not whole, although an earlier one was", async () => {
  const objects = new FileStore(path.join(folder, "interrupted-source"), new Disk(false));
  const target = path.join(folder, "interrupted");
  await exportAll({ database, objects, progress: () => undefined }, target);
  const manifest = path.join(target, "export.json");
  expect(existsSync(manifest)).toBe(true);
  const progress = () => {
    throw new Error("interrupted");
  };
  await expect(exportAll({ database, objects, progress }, target)).rejects.toThrow("interrupted");
  expect(existsSync(manifest)).toBe(false);
});

test("an export is for its user alone, also where an earlier version made its folders", async () => {
  const objects = new FileStore(path.join(folder, "source"), new Disk(false));
  await objects.put("audio/a", "a");
  const modeOf = (...names: string[]) => statSync(path.join(...names)).mode & 0o777;
  const parts = { database, objects, progress: () => undefined };
  const target = path.join(folder, "private");
  await exportAll(parts, target);
  for (const name of ["", "tables", "objects"]) expect(modeOf(target, name)).toBe(0o700);
  for (const name of ["tables", "objects"]) chmodSync(path.join(target, name), 0o755);
  await exportAll(parts, target);
  for (const name of ["tables", "objects"]) expect(modeOf(target, name)).toBe(0o700);
});

test("an export that is repeated removes what the source has deleted since", async () => {
  const objects = new FileStore(path.join(folder, "changing"), new Disk(false));
  await objects.put("audio/kept", "kept");
  await objects.put("audio/deleted", "deleted");
  const parts = { database, objects, progress: () => undefined };
  const target = path.join(folder, "repeated");
  await exportAll(parts, target);
  await objects.remove("audio/deleted");
  await exportAll(parts, target);
  expect(existsSync(path.join(target, "objects/audio/kept"))).toBe(true);
  expect(existsSync(path.join(target, "objects/audio/deleted"))).toBe(false);
});

/** What is not moved, and why. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  account_lanes: "triggers count again while rows are inserted",
  deployment: "facts of the target itself",
  duties: "leases of processes",
  fleet_models: "models in the object store of the source, which are fetched again",
  job_texts: "the index of words is made again",
  kysely_migration: "migrations of the target",
  kysely_migration_lock: "migrations of the target",
  live_admissions: "places of clients that are about to connect",
  machines: "processes of the source",
  replaced_phrases: "made from the transcripts and their corrections, as the search index",
  request_tokens: "requests of the current seconds",
  tombstones: "files on machines of the source",
  watched_accounts: "streams that are open in processes",
};

test("every table is exported, or left out for a reason", async () => {
  const { rows } = await sql<{ name: string }>`select table_name as name from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE'`.execute(database);
  const names = rows.map(({ name }) => name);
  const exported = TABLES.map(({ name }) => name);
  expect(names.filter((name) => !exported.includes(name) && !(name in LEFT_OUT)).sort()).toEqual([]);
  expect([...exported, ...Object.keys(LEFT_OUT)].filter((name) => !names.includes(name))).toEqual([]);
});

test("empty lines are no damage", async () => {
  await imported(`\n${ACCOUNT}\n\n`);
  const rows = await database.selectFrom("accounts").select("name").execute();
  expect(rows).toEqual([{ name: "one" }]);
});

test("tags of jobs are moved with them, for answers and for filters", async () => {
  const objects = new FileStore(path.join(folder, "tagged"), new Disk(false));
  const [accountId, id] = [crypto.randomUUID(), crypto.randomUUID()];
  const createdAt = clientTime(new Date());
  await ensureAccount(database, { id: accountId, name: "tagged" }, createdAt);
  const job = { id, accountId, kind: "pre-recorded", model: "a-model", createdAt, params: {} } as const;
  await insertJob(database, { ...job, tags: ["Council", 'a "b"'] });
  const target = path.join(folder, "with-tags");
  await exportAll({ database, objects, progress: () => undefined }, target);
  const other = await openDatabase("", path.join(folder, "other"));
  try {
    await importAll({ database: other, objects, progress: () => undefined }, target);
    const page = await listJobs(other, { accountId, tags: ["council"], offset: 0, limit: 10 }, "none");
    expect(page.rows).toMatchObject([{ id, tags: ["Council", 'a "b"'] }]);
  } finally {
    await other.destroy();
  }
});
