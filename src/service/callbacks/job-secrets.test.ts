// The operator's key changes while requests of jobs have sealed texts.
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { v7 as uuid } from "uuid";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { recordedJob } from "../../../test/fixtures/recorded-job.ts";
import { parseJobParameters } from "../../contract/job-parameters.ts";
import { ensureAccount } from "../../platform/storage/db/accounts/accounts.ts";
import { takeSecretsKey } from "../../platform/storage/db/accounts/callback-secrets.ts";
import { clientTime } from "../../platform/storage/db/client-time.ts";
import { type Database, openDatabase } from "../../platform/storage/db/database.ts";
import { endJob, findJob } from "../../platform/storage/db/jobs/jobs.ts";
import { insertJob } from "../../platform/storage/db/jobs/new-job.ts";
import { replaceRequest, requestsWithSecrets } from "../../platform/storage/db/jobs/sealed-requests.ts";
import { RequestVoices } from "../voices/request-voices.ts";
import { VoiceSeals } from "../voices/voice-seals.ts";
import { lockedJobs, resealJobs } from "./job-secrets.ts";
import { SecretSealer } from "./secret-sealer.ts";

let folder: string;
let database: Database;
let accountId: string;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-job-secrets-"));
  database = await openDatabase("", path.join(folder, "data"));
  accountId = (await ensureAccount(database, { id: uuid(), name: "account" }, clientTime(new Date()))).id;
});
beforeEach(async () => {
  await database.deleteFrom("jobs").execute();
  await database.deleteFrom("deployment").execute();
});
afterAll(async () => {
  await database.destroy();
  rmSync(folder, { recursive: true, force: true });
});

const sealsOf = (...keys: [string, string?]) => ({
  secrets: new SecretSealer(...keys),
  voices: new VoiceSeals(...keys),
});
const people = [{ name: "Ann", print: [1], seconds: 2 }];

test("a search of all jobs reads them in parts, whether or not they have sealed texts", async () => {
  await sql`insert into jobs (id, account_id, kind, status, model, created_at, request_params, post_session_metadata, stage_outputs)
    select gen_random_uuid(), ${accountId}, 'pre-recorded', 'done', 'm', now(), '{}', '{}', '{}' from generate_series(1, 2500)`.execute(
    database,
  );
  const ids = [await jobSealedWith("old"), await jobSealedWith("old")];
  const selects = vi.spyOn(database, "selectFrom");
  try {
    const found: string[] = [];
    for await (const rows of requestsWithSecrets(database, true)) found.push(...rows.map(({ id }) => id));
    expect(found.toSorted()).toEqual(ids.toSorted());
    expect(selects).toHaveBeenCalledTimes(3);
  } finally {
    selects.mockRestore();
  }
});

/** A start of the service. */
async function start(...keys: [string, string?]): Promise<number> {
  const seals = sealsOf(...keys);
  const locked = await resealJobs(database, seals);
  await takeSecretsKey(database, seals.secrets);
  return locked;
}

async function jobSealedWith(key: string): Promise<string> {
  const id = uuid();
  const webhook = { name: "X-Key", value: new SecretSealer(key).seal("open sesame") };
  const form = { punctuates: true, formats: true, multichannel: false };
  const sealed = key === "" ? {} : { sealed_voices: new RequestVoices(key).seal(people) };
  const params = { diarization: true, assemblyai: { form, shown: { a: 1 }, webhook }, ...sealed };
  await insertJob(database, recordedJob(accountId, { id, params }));
  return id;
}

async function openedWith(key: string, id: string) {
  const {
    assemblyai,
    sealed_voices: sealed = "",
    ...others
  } = parseJobParameters((await findJob(database, id))?.request_params);
  return {
    header: new SecretSealer(key).open(assemblyai?.webhook?.value ?? ""),
    people: new RequestVoices(key).open(sealed),
    diarization: others.diarization,
    shown: assemblyai?.shown,
  };
}

test("a start with a new and the previous key seals the secrets of requests again, for the new key alone", async () => {
  await start("old");
  const id = await jobSealedWith("old");
  expect(await start("new", "old")).toBe(0);
  const whole = { header: "open sesame", people, diarization: true, shown: { a: 1 } };
  expect(await openedWith("new", id)).toEqual(whole);
  expect(await start("new")).toBe(0);
  expect(await openedWith("new", id)).toEqual(whole);
});

test("a job that ended is sealed again: its webhook may be sent again", async () => {
  await start("old");
  const id = await jobSealedWith("old");
  await endJob(database, id, { status: "done", completedAt: clientTime(new Date()), resultKey: "r" }, null);
  expect(await start("new", "old")).toBe(0);
  expect(await openedWith("new", id)).toMatchObject({ header: "open sesame" });
});

test("a first key seals the headers that were stored open", async () => {
  const id = await jobSealedWith("");
  await start("first");
  expect(JSON.stringify((await findJob(database, id))?.request_params)).not.toContain("open sesame");
  expect(await openedWith("first", id)).toMatchObject({ header: "open sesame" });
});

test("jobs whose secrets no key opens are counted, and unchanged", async () => {
  await start("old");
  const id = await jobSealedWith("old");
  const before = (await findJob(database, id))?.request_params;
  expect(await start("new")).toBe(1);
  expect(await lockedJobs(database, sealsOf("new"))).toBe(1);
  expect(await lockedJobs(database, sealsOf("new", "old"))).toBe(0);
  expect((await findJob(database, id))?.request_params).toEqual(before);
});

test("a request that has changed since it was read is not replaced", async () => {
  const id = await jobSealedWith("old");
  await replaceRequest(database, { id, stored: "{}" }, '{"diarization":false}');
  expect((await findJob(database, id))?.request_params).toMatchObject({ diarization: true });
});
