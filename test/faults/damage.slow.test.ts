// The service starts on data folders whose files and rows are damaged at random. What is whole stays as it is, what is damaged is
// made again or answered with an error, and nothing is lost that was not temporary. DAMAGE_ROUNDS sets the number of rounds, FUZZ_SEED
// the damage.
import { createHash } from "node:crypto";
import { existsSync, lstatSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dataFolderFindings } from "../../src/cli/data-folder-findings.ts";
import { loadSettings } from "../../src/platform/config/load.ts";
import { openDatabase } from "../../src/platform/storage/db/database.ts";
import { Quarantine } from "../../src/platform/storage/quarantine.ts";
import { FILE_DAMAGES, filesBelow, ROW_DAMAGES } from "../fixtures/damage.ts";
import { copyFolder, type DataFolder, makeDataFolder } from "../fixtures/data-folder.ts";
import { FUZZ_SEED } from "../fixtures/fuzzing.ts";
import { pick, type Random, randomOf } from "../fixtures/random.ts";
import { Receiver } from "../fixtures/receiver.ts";
import { isThorough } from "../fixtures/thorough.ts";
import { call, finished, type RunningService, ready, startService } from "../service.ts";

const ROUNDS = Number(process.env["DAMAGE_ROUNDS"] ?? (isThorough ? 3 : 1));
const FILES_A_ROUND = 12;
const ROWS_A_ROUND = 5;
/** Sessions and callbacks that wait for somebody must not hold a round up. */
const ENVIRONMENT = {
  PARLANCE_WORKERS: "1",
  PARLANCE_CONCURRENT_JOBS: "2",
  PARLANCE_LIVE_GRACE_SECONDS: "1",
  PARLANCE_LOG_LEVEL: "warn",
};

const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-damage-"));
let base: DataFolder;
let receiver: Receiver;
/** What each job answers on an undamaged copy, when all have ended. */
const whole = new Map<string, { text: string; transcript: { full_transcript: string }; file: string; audio: string }>();

const digest = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

async function audioOf(service: RunningService, id: string): Promise<{ status: number; digest: string }> {
  const response = await fetch(new URL(`/v2/transcription/${id}/file`, service.base), {
    headers: { "x-service-key": "a-key-for-tests" },
  });
  return { status: response.status, digest: digest(Buffer.from(await response.arrayBuffer())) };
}

const fullTranscriptOf = (id: string) => whole.get(id)?.transcript.full_transcript;

const allJobs = () => [...base.done, base.doneLive, ...base.unfinished, base.live];

beforeAll(async () => {
  receiver = await Receiver.start();
  base = await makeDataFolder(path.join(folder, "base"), `http://127.0.0.1:${receiver.port}/`);
  const copy = path.join(folder, "whole");
  copyFolder(base.folder, copy);
  const service = await startService({ folder: copy, environment: ENVIRONMENT });
  for (const id of allJobs()) {
    await finished(service, id, 120_000);
    const { text, json } = await call(service, "GET", `/v2/transcription/${id}`);
    const { digest: audio } = await audioOf(service, id);
    whole.set(id, { text, transcript: json.result.transcription, file: json.file.id, audio });
  }
  await service.remove();
}, 400_000);
afterAll(async () => {
  await receiver?.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Round {
  /** Files that were damaged, relative to the data folder. */
  files: Map<string, string>;
  rows: string[];
  /** Jobs that a row's damage concerns. */
  jobs: Set<string>;
}

const isDatabase = (name: string) => name.startsWith("database/");

async function damageRows(data: string, random: Random, round: Round): Promise<void> {
  const database = await openDatabase("", data);
  for (let count = 0; count < ROWS_A_ROUND; count++) {
    const name = pick(Object.keys(ROW_DAMAGES), random);
    const id = pick(allJobs(), random);
    const statement = (ROW_DAMAGES[name] as string).replaceAll("$id", `'${id}'`);
    await sql.raw(statement).execute(database);
    round.rows.push(`${name} (${id})`);
    round.jobs.add(id);
  }
  await database.destroy();
}

function damageFiles(data: string, random: Random, round: Round): void {
  const names = filesBelow(data).filter((name) => !isDatabase(name));
  for (let count = 0; count < FILES_A_ROUND; count++) {
    const name = pick(names, random);
    if (round.files.has(name)) continue;
    const how = pick(Object.keys(FILE_DAMAGES), random);
    FILE_DAMAGES[how]?.(path.join(data, name), random);
    round.files.set(name, how);
  }
}

/** Content of what must not be lost, by its path: digests of files, "" for a folder. */
function kept(data: string): Map<string, string> {
  const names = filesBelow(data).filter((name) => /^objects\/(audio|results|live)\//.test(name));
  const contents = names.map((name) => [name, readFileSync(path.join(data, name))] as const);
  // A file that damage has emptied has nothing to lose.
  return new Map(contents.filter(([, { length }]) => length > 0).map(([name, bytes]) => [name, digest(bytes)]));
}

/** Whether what lay there still lies there, or in the quarantine, or has become the result of its live session. */
async function checkNothingLost(data: string, before: Map<string, string>): Promise<void> {
  const names = filesBelow(data).filter((name) => !isDatabase(name));
  const now = new Set(names.map((name) => digest(readFileSync(path.join(data, name)))));
  /** The recording of a live session that has ended: an object, or in the quarantine where its row is gone. */
  const isRecorded = (id: string) =>
    names.some((name) => /^(objects\/audio|quarantine)\//.test(name) && name.endsWith(`/${id}`));
  for (const [name, content] of before) {
    const live = /^objects\/live\/([^/]+)\//.exec(name)?.[1];
    const hasEnded = live !== undefined && isRecorded(live);
    const isAppended = existsSync(path.join(data, name)) && /live\//.test(name);
    if (!hasEnded && !isAppended) expect(now, `${name} is lost`).toContain(content);
  }
}

/** Damaged files of a job and of its recording. */
const damagedOf = (id: string, { files }: Round) =>
  [...files.keys()].filter((name) => name.includes(id) || name.includes(whole.get(id)?.file ?? id));

async function checkAnswers(service: RunningService, round: Round): Promise<void> {
  for (const route of ["/health", "/metrics", "/v2/transcription?limit=100"]) {
    expect((await call(service, "GET", route)).status, route).toBe(200);
  }
  for (const id of allJobs()) {
    const { status, json, text } = await call(service, "GET", `/v2/transcription/${id}`);
    expect([200, 404, 500, 503], text).toContain(status);
    expect(json).toBeTypeOf("object");
    const isUntouched = !round.jobs.has(id) && damagedOf(id, round).length === 0;
    if (isUntouched && base.done.includes(id)) expect(text).toBe(whole.get(id)?.text);
    if (isUntouched && base.done.includes(id)) expect((await audioOf(service, id)).digest).toBe(whole.get(id)?.audio);
    const transcript = await call(service, "GET", `/v2/transcription/${id}/transcript?format=json`);
    expect([200, 404, 409, 500, 503]).toContain(transcript.status);
    const audio = await audioOf(service, id);
    expect([200, 404, 500]).toContain(audio.status);
  }
}

/** Jobs whose recordings are whole end with the transcript that they have on an undamaged copy. */
async function checkRebuilt(service: RunningService, round: Round): Promise<void> {
  for (const id of allJobs()) {
    if (round.jobs.has(id)) continue;
    const damaged = damagedOf(id, round);
    const isLive = id === base.live || id === base.doneLive;
    if (damaged.some((name) => /objects\/audio\/|audio\.raw$/.test(name))) continue;
    if (id === base.doneLive && damaged.length > 0) continue;
    const job = await finished(service, id, 120_000);
    expect({ id, isLive, status: job.status, message: job.error_message }).toMatchObject({ status: "done" });
    if (isLive) expect(job.result.transcription.full_transcript).toBe(fullTranscriptOf(id));
    else expect(job.result.transcription).toEqual(whole.get(id)?.transcript);
  }
}

/** As `parlance doctor` does it. */
async function doctorOf(data: string) {
  const settings = { ...loadSettings(), dataDirectory: data, databaseUrl: "", modelsDirectory: "" };
  return dataFolderFindings(settings);
}

describe(`damaged data folders, seed ${FUZZ_SEED}`, () => {
  test.each(Array.from({ length: ROUNDS }, (_, round) => [round]))(
    "a start survives damaged files and rows, round %i",
    { timeout: 400_000 },
    async (number) => {
      const random = randomOf(FUZZ_SEED + number);
      const data = path.join(folder, `round-${number}`);
      copyFolder(base.folder, data);
      const round: Round = { files: new Map(), rows: [], jobs: new Set() };
      // Opening the database writes the lock file; it is damaged afterwards.
      await damageRows(data, random, round);
      damageFiles(data, random, round);
      const told = `seed ${FUZZ_SEED}, round ${number}: ${JSON.stringify([...round.files])} ${JSON.stringify(round.rows)}`;
      const before = kept(data);
      let service: RunningService | undefined;
      try {
        service = await startService({ folder: data, environment: ENVIRONMENT });
        await ready(service);
        await checkAnswers(service, round);
        await checkRebuilt(service, round);
        expect(await service.stop()).toBe(0);
        await checkNothingLost(data, before);
        const entries = await new Quarantine(data).list();
        const findings = await doctorOf(data);
        expect(findings.filter(({ level }) => level === "bad")).toEqual([]);
        for (const { folder: place } of entries.slice(-20)) {
          expect(findings.some((finding) => finding.what === "quarantine" && finding.detail.includes(place))).toBe(
            true,
          );
        }
        rmSync(data, { recursive: true, force: true });
      } catch (error) {
        await service?.stop();
        throw new Error(`${told}\n${service?.log().slice(-6_000) ?? ""}`, { cause: error });
      }
    },
  );

  test("a live session whose journal has lost its beginning ends without its client", {
    timeout: 200_000,
  }, async () => {
    const data = path.join(folder, "first-line");
    copyFolder(base.folder, data);
    const journal = path.join(data, "objects", "live", base.live, "journal.jsonl");
    writeFileSync(journal, readFileSync(journal, "utf8").replace("recordingStarted", "recording-started"));
    const service = await startService({ folder: data, environment: ENVIRONMENT });
    const job = await finished(service, base.live, 120_000);
    expect(job.status).toBe("done");
    expect(job.result.transcription).toMatchObject({ full_transcript: fullTranscriptOf(base.live) });
    await service.remove();
  });

  test.each(Array.from({ length: ROUNDS }, (_, round) => [round]))(
    "a damaged embedded database is opened, or refused with what to do, round %i",
    { timeout: 120_000 },
    async (number) => {
      const random = randomOf(FUZZ_SEED + 100_000 + number);
      const data = path.join(folder, `database-${number}`);
      copyFolder(base.folder, data);
      const names = filesBelow(data).filter(isDatabase);
      const important = names.filter((name) => /global\/|pg_wal\/|PG_VERSION|pg_xact\//.test(name));
      const name = pick(random() < 0.6 ? important : names, random);
      const how = pick(Object.keys(FILE_DAMAGES), random);
      FILE_DAMAGES[how]?.(path.join(data, name), random);
      const before = kept(data);
      const told = `seed ${FUZZ_SEED}, database round ${number}: ${name} ${how}`;
      const started = await startService({ folder: data, environment: ENVIRONMENT }).catch((error: Error) => error);
      if (started instanceof Error) {
        expect(started.message, told).toMatch(/ended at start/);
        expect(started.message, told).toMatch(/The embedded database in .* is damaged: .*Recordings and transcripts/);
        expect(started.message, told).not.toMatch(/\n\s+at /);
        expect(kept(data), told).toEqual(before);
        expect(
          (await doctorOf(data)).some(({ what, level }) => what === "database" && level === "bad"),
          told,
        ).toBe(true);
      } else {
        expect((await call(started, "GET", "/health")).status, told).toBe(200);
        await started.stop();
        await checkNothingLost(data, before);
      }
      rmSync(data, { recursive: true, force: true });
    },
  );
});

test("there are damages for files of every kind", () => {
  const names = filesBelow(base.folder);
  for (const part of [
    "objects/live/",
    "objects/jobs/",
    "objects/results/",
    "objects/audio/",
    "machine",
    "parlance.lock",
  ]) {
    expect(names.some((name) => name.includes(part))).toBe(true);
  }
  expect(lstatSync(base.folder).isDirectory()).toBe(true);
});
