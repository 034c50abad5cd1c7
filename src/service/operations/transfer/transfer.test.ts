import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Database, openDatabase } from "../../../platform/storage/db/database.ts";
import { Disk } from "../../../platform/storage/disk/disk.ts";
import { FileStore } from "../../../platform/storage/objects/file-store.ts";
import { importAll } from "./transfer.ts";

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

test("empty lines are no damage", async () => {
  await imported(`\n${ACCOUNT}\n\n`);
  const rows = await database.selectFrom("accounts").select("name").execute();
  expect(rows).toEqual([{ name: "one" }]);
});
