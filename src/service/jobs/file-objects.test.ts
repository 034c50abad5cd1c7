import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ensureAccount } from "../../platform/storage/db/accounts/accounts.ts";
import { clientTime } from "../../platform/storage/db/client-time.ts";
import { type Database, openDatabase } from "../../platform/storage/db/database.ts";
import { saveFile } from "../../platform/storage/db/files/files.ts";
import { Disk } from "../../platform/storage/disk/disk.ts";
import { FileStore } from "../../platform/storage/objects/file-store.ts";
import { audioKey, peaksKey } from "../../platform/storage/objects/keys.ts";
import { putForFile } from "./file-objects.ts";
import { removeAudio, removeWholeFiles } from "./remove-job.ts";

let folder: string;
let database: Database;
let objects: FileStore;
let accountId: string;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-file-objects-"));
  database = await openDatabase("", path.join(folder, "data"));
  accountId = (await ensureAccount(database, { id: uuid(), name: "account" }, clientTime(new Date()))).id;
  objects = new FileStore(path.join(folder, "objects"), new Disk(false));
});
afterAll(async () => {
  await database.destroy();
  rmSync(folder, { recursive: true, force: true });
});

async function newFile(): Promise<string> {
  const id = uuid();
  await saveFile(database, {
    ...{ id, account_id: accountId, filename: "a.wav", source: null, extension: "wav", size: 5 },
    ...{ object_key: audioKey(id), audio_duration: 1, number_of_channels: 1, created_at: clientTime(new Date()) },
  });
  return id;
}

test("an object of a recording is stored", async () => {
  const id = await newFile();
  expect(await putForFile({ database, objects }, id, peaksKey(id), "peaks")).toBe(true);
  expect(await objects.size(peaksKey(id))).toBe(5);
});

test.each([
  ["the audio", removeAudio],
  ["the file", (id: string, stores: { database: Database; objects: FileStore }) => removeWholeFiles([id], stores)],
])("an object of a recording is not stored after the deletion of %s, also while it is written", async (_, remove) => {
  const id = await newFile();
  const key = peaksKey(id);
  const late = {
    put: async (...parameters: Parameters<FileStore["put"]>) => {
      await remove(id, { database, objects });
      await objects.put(...parameters);
    },
    remove: (one: string) => objects.remove(one),
  };
  expect(await putForFile({ database, objects: late }, id, key, "peaks")).toBe(false);
  expect(await objects.size(key)).toBeUndefined();
  expect(await putForFile({ database, objects }, id, key, "peaks")).toBe(false);
  expect(await objects.size(key)).toBeUndefined();
});
