import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { deleteEmptyAccount, ensureAccount } from "../../platform/storage/db/accounts/accounts.ts";
import { clientTime } from "../../platform/storage/db/client-time.ts";
import { type Database, openDatabase } from "../../platform/storage/db/database.ts";
import { insertJob } from "../../platform/storage/db/jobs/new-job.ts";
import { sampleRows, voiceRows } from "../../platform/storage/db/voices.ts";
import { matchVoice } from "../../speech/speakers/known-voices.ts";
import { MOST_SAMPLES, VoiceLibrary } from "./library.ts";
import { resealVoices, VoiceSeals } from "./voice-seals.ts";

const NOW = clientTime(new Date("2026-01-01T00:00:00Z"));
const MODEL = "a-model";

let folder: string;
let database: Database;
let account: string;
let accounts = 0;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-library-"));
  database = await openDatabase("", path.join(folder, "data"));
});
afterAll(async () => {
  await database.destroy();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  await database.deleteFrom("voices").execute();
  account = (await ensureAccount(database, { id: uuid(), name: `account-${accounts++}` }, NOW)).id;
});

const libraryWith = (key: string, previous = "") =>
  new VoiceLibrary({ database, seals: new VoiceSeals(key, previous), newId: uuid, now: () => NOW });
const voice = (...print: number[]) => ({ print: Float32Array.from(print), seconds: 10, model: MODEL });

test("people are found by their voices, of one account and one model, while the library is on", async () => {
  const library = libraryWith("key");
  await library.turnOn(account);
  const id = await library.enrol(account, { name: "Maria" }, voice(1, 0));
  const people = await library.people(account, MODEL);
  expect(matchVoice({ print: [1, 0], seconds: 5 }, people)).toMatchObject({ id, name: "Maria" });
  expect(await library.people(account, "another-model")).toEqual([]);
  const other = (await ensureAccount(database, { id: uuid(), name: "other" }, NOW)).id;
  await library.turnOn(other);
  expect(await library.people(other, MODEL)).toEqual([]);
  await expect(library.rename(other, id, "Mine")).rejects.toMatchObject({ code: "request.not_found" });
  await expect(library.remove(other, id)).rejects.toMatchObject({ code: "request.not_found" });
  await library.turnOff(account);
  expect(await library.people(account, MODEL)).toEqual([]);
});

test("samples of one person are bounded, and a merge that would have more is refused and changes nothing", async () => {
  const library = libraryWith("key");
  await library.turnOn(account);
  const [id, other] = [
    await library.enrol(account, { name: "A" }, voice(1, 0)),
    await library.enrol(account, { name: "B" }, voice(0, 1)),
  ];
  for (let count = 1; count < MOST_SAMPLES; count++) await library.enrol(account, { id }, voice(1, 0));
  await expect(library.enrol(account, { id }, voice(1, 0))).rejects.toMatchObject({ code: "limit.voice_samples" });
  await expect(library.merge(account, id, other)).rejects.toMatchObject({ code: "limit.voice_samples" });
  expect((await library.list(account)).map(({ samples }) => samples.length)).toEqual([MOST_SAMPLES, 1]);
});

test("names that differ only by case, width or composition are one name", async () => {
  const library = libraryWith("key");
  await library.turnOn(account);
  await library.enrol(account, { name: "Jos\u00e9" }, voice(1, 0));
  const other = await library.enrol(account, { name: "Maria" }, voice(0, 1));
  for (const name of ["JOSE\u0301", "\uff2aos\u00e9"]) {
    const taken = { code: "voices.name_taken" };
    await expect(library.enrol(account, { name }, voice(1, 0))).rejects.toMatchObject(taken);
    await expect(library.rename(account, other, name)).rejects.toMatchObject(taken);
  }
});

test("a person is added with the speaker of a job, or not at all", async () => {
  const library = libraryWith("key");
  await library.turnOn(account);
  const jobs = [uuid(), uuid()];
  const job = { accountId: account, kind: "pre-recorded" as const, model: MODEL, createdAt: NOW, params: {} };
  for (const id of jobs) await insertJob(database, { ...job, id });
  const [kept = "", gone = ""] = jobs;
  const id = await library.enrol(account, { name: "Maria" }, voice(1, 0), { id: kept, speaker: 1 });
  expect(await library.namesOf(kept)).toMatchObject([{ speaker: 1, name: "Maria", confidence: 1, voice_id: id }]);
  const samples = async () => (await library.list(account)).map((one) => one.samples.length);
  // The job is deleted while the voice is computed: neither a person nor a sample is added.
  await database.deleteFrom("jobs").where("id", "=", gone).execute();
  const missing = { code: "request.not_found" };
  await expect(library.enrol(account, { name: "Ann" }, voice(0, 1), { id: gone, speaker: 0 })).rejects.toMatchObject(
    missing,
  );
  await expect(library.enrol(account, { id }, voice(0, 1), { id: gone, speaker: 0 })).rejects.toMatchObject(missing);
  await library.identify(account, gone, [{ speaker: 0, id, name: "Maria", similarity: 1, confidence: 0.9 }]);
  // A job of another account counts as missing.
  const other = (await ensureAccount(database, { id: uuid(), name: "stranger" }, NOW)).id;
  await library.turnOn(other);
  await expect(library.enrol(other, { name: "Eve" }, voice(0, 1), { id: kept, speaker: 0 })).rejects.toMatchObject(
    missing,
  );
  expect(await samples()).toEqual([1]);
  expect(await library.list(other)).toEqual([]);
  // The same applies if the library is turned off meanwhile.
  await library.turnOff(account);
  await expect(library.enrol(account, { name: "Late" }, voice(1, 0))).rejects.toMatchObject({ code: "voices.off" });
  expect(await voiceRows(database, account)).toEqual([]);
});

test("a new key seals what the previous one opens; a lost one is counted and locks", async () => {
  const library = libraryWith("first");
  await library.turnOn(account);
  await library.enrol(account, { name: "Maria" }, voice(1, 0));
  expect(await resealVoices(database, new VoiceSeals("lost"))).toBeGreaterThan(0);
  await expect(libraryWith("lost").list(account)).rejects.toMatchObject({ code: "voices.locked" });
  await expect(libraryWith("").turnOn(account)).rejects.toMatchObject({ code: "voices.no_key" });
  expect(await resealVoices(database, new VoiceSeals("second", "first"))).toBe(0);
  expect(await libraryWith("second").list(account)).toMatchObject([{ name: "Maria", samples: [{ seconds: 10 }] }]);
  await expect(libraryWith("first").list(account)).rejects.toMatchObject({ code: "voices.locked" });
  await resealVoices(database, new VoiceSeals("key", "second"));
});

test("deleting an account deletes its voices", async () => {
  const library = libraryWith("key");
  await library.turnOn(account);
  const id = await library.enrol(account, { name: "Maria" }, voice(1, 0));
  const about = async () => [
    ...(await voiceRows(database, account)).map((row) => row.id),
    ...(await sampleRows(database, undefined)).map((row) => row.voice_id).filter((one) => one === id),
  ];
  expect(await about()).toHaveLength(2);
  expect(await deleteEmptyAccount(database, account)).toBe(true);
  expect(await about()).toEqual([]);
});
