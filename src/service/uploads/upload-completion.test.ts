// An upload is deleted while a process makes its file.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ensureAccount } from "../../platform/storage/db/accounts/accounts.ts";
import { clientTime } from "../../platform/storage/db/client-time.ts";
import { type Database, openDatabase } from "../../platform/storage/db/database.ts";
import { addUploadParts, claimUpload, findUpload, insertUpload } from "../../platform/storage/db/files/uploads.ts";
import { Disk } from "../../platform/storage/disk/disk.ts";
import { FreeSpace } from "../../platform/storage/free-space.ts";
import { FileStore } from "../../platform/storage/objects/file-store.ts";
import { audioKey, uploadFolder, uploadPartKey } from "../../platform/storage/objects/keys.ts";
import { removeUploads } from "./remove-uploads.ts";
import { UploadCompletion, type UploadServices } from "./upload-completion.ts";

const BOUNDS = { mostUploads: 10, mostBytes: 1_000, expirySeconds: 60 };

let folder: string;
let database: Database;
let services: UploadServices;
let accountId: string;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-completion-"));
  database = await openDatabase("", path.join(folder, "data"));
  accountId = (await ensureAccount(database, { id: uuid(), name: "account" }, clientTime(new Date()))).id;
  const objects = new FileStore(path.join(folder, "objects"), new Disk(false));
  const metrics = { uploadOutcome: () => undefined, uploadedBytes: () => undefined };
  services = { database, objects, space: new FreeSpace(folder, 0), bounds: BOUNDS, metrics };
});
afterAll(async () => {
  await database.destroy();
  rmSync(folder, { recursive: true, force: true });
});

async function completeUpload() {
  const id = uuid();
  await insertUpload(database, { id, accountId, length: 5, filename: "a.wav", metadata: "" }, BOUNDS);
  const object_key = uploadPartKey(id, 0, "first");
  await services.objects.put(object_key, "audio");
  const writer = uuid();
  await claimUpload(database, id, writer, 0);
  await addUploadParts(database, { id, writer, expirySeconds: 60 }, [{ start: 0, size: 5, object_key }]);
  const upload = await findUpload(database, id, accountId);
  if (!upload) throw new Error("the upload is missing");
  return upload;
}

const plans = async (id: string) =>
  database
    .selectFrom("object_removals")
    .selectAll()
    .where("key", "in", [audioKey(id), uploadFolder(id)])
    .execute();

test("an upload that is deleted while its file is judged leaves no recording", async () => {
  const { objects } = services;
  const upload = await completeUpload();
  const key = audioKey(upload.id);
  const judge = async () => {
    expect(await objects.size(key)).toBe(5);
    await removeUploads([upload.id], services);
    // As if the file had been written after the removal.
    await objects.put(key, "audio");
    const file = { id: upload.id, account_id: accountId, filename: "a.wav", source: null, extension: "wav", size: 5 };
    const about = { object_key: key, audio_duration: 1, number_of_channels: 1, created_at: clientTime(new Date()) };
    return { file: { ...file, ...about }, answer: {} };
  };
  await expect(new UploadCompletion(services).verdict(upload, judge)).rejects.toThrow();
  expect(await objects.size(key)).toBeUndefined();
});

test("the objects of a deleted upload are removed again later: a request may write one meanwhile", async () => {
  const upload = await completeUpload();
  await removeUploads([upload.id], services);
  expect(await services.objects.size(uploadPartKey(upload.id, 0, "first"))).toBeUndefined();
  const planned = await plans(upload.id);
  expect(planned.map(({ key }) => key).sort()).toEqual([audioKey(upload.id), uploadFolder(upload.id)].sort());
  for (const { due_at } of planned) expect(due_at.getTime()).toBeGreaterThan(Date.now() + 30_000);
});

test("a file that is judged after a failure is kept: the next request continues with its upload", async () => {
  const upload = await completeUpload();
  const judge = () => Promise.reject(new Error("the decoder was killed"));
  await expect(new UploadCompletion(services).verdict(upload, judge)).rejects.toThrow("the decoder was killed");
  expect(await services.objects.size(audioKey(upload.id))).toBe(5);
});
