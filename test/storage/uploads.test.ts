// Rows of uploads that resume: who may add bytes, and who judges the complete file.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Database, openDatabase } from "../../src/platform/storage/db/database.ts";
import {
  addUploadParts,
  claimCompletion,
  claimUpload,
  decideLength,
  insertUpload,
  settleUpload,
} from "../../src/platform/storage/db/files/uploads.ts";
import { prepareAccounts } from "../../src/service/accounts/first-account.ts";

let folder: string;
let database: Database;
let accountId: string;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-uploads-"));
  database = await openDatabase("", folder);
  accountId = (await prepareAccounts(database, false, () => crypto.randomUUID())).account.id;
});
afterAll(async () => {
  await database?.destroy();
  rmSync(folder, { recursive: true, force: true });
});

test("a length is decided once, within the bound of the account, and ends the request that adds bytes", async () => {
  const [id, writer] = [crypto.randomUUID(), crypto.randomUUID()];
  const bounds = { mostUploads: 10, mostBytes: 1_000, expirySeconds: 60 };
  const row = { id, accountId, length: 5_000, isLengthDeferred: true, filename: "a.webm", metadata: "" };
  const upload = await insertUpload(database, row, bounds);
  const other = { id: crypto.randomUUID(), accountId, length: 600, filename: "b.wav", metadata: "" };
  await insertUpload(database, other, bounds);
  expect(await claimUpload(database, id, writer, 0)).toBe(true);
  const add = (start: number, size: number) =>
    addUploadParts(database, { id, writer, expirySeconds: 60 }, [
      { start, size, object_key: `uploads/${id}/${start}` },
    ]);
  expect(await add(0, 10)).toBe(true);
  await expect(decideLength(database, upload, 401, 1_000)).rejects.toThrow(/Unfinished uploads of this account/);
  expect(await decideLength(database, upload, 9, 1_000)).toBe(false);
  expect(await decideLength(database, upload, 10, 1_000)).toBe(true);
  expect(await decideLength(database, upload, 20, 1_000)).toBe(false);
  // The request was storing a part meanwhile.
  expect(await add(10, 10)).toBe(false);
  expect(await claimCompletion(database, { id, writer: crypto.randomUUID(), seconds: 30 })).toBe(true);
});

test("no request replaces the process that judges a complete upload", async () => {
  const [id, writer] = [crypto.randomUUID(), crypto.randomUUID()];
  const bounds = { mostUploads: 10, mostBytes: 1_000, expirySeconds: 60 };
  await insertUpload(database, { id, accountId, length: 10, filename: "a.wav", metadata: "" }, bounds);
  expect(await claimUpload(database, id, writer, 0)).toBe(true);
  const part = { start: 0, size: 10, object_key: `uploads/${id}/0.${writer}` };
  expect(await addUploadParts(database, { id, writer, expirySeconds: 60 }, [part])).toBe(true);
  const claim = { id, writer: crypto.randomUUID() };
  expect(await claimCompletion(database, { ...claim, seconds: 30 })).toBe(true);
  // A client that repeats its last request, without bytes.
  expect(await claimUpload(database, id, crypto.randomUUID(), 10)).toBe(false);
  const refusal = { code: "file.empty", status: 400, message: "The file is empty" };
  expect(await settleUpload(database, claim, { refusal }, undefined)).toBe(true);
});
