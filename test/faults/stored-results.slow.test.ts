// Stored results that were damaged behind the service's back: none is handed out, and what can be made again is.
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "../../src/platform/storage/db/database.ts";
import { planRemovals } from "../../src/platform/storage/db/files/object-removals.ts";
import { Quarantine } from "../../src/platform/storage/quarantine.ts";
import { createSession, LiveClient } from "../fixtures/live-client.ts";
import { HELLO_MP3 } from "../fixtures/recordings.ts";
import { decodeSpeech, encodePcm, repeated } from "../fixtures/speech.ts";
import { call, finished, type RunningService, ready, startService, submit } from "../service.ts";

let folder: string;
let service: RunningService;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-results-"));
  service = await startService({ folder, environment: { PARLANCE_WORKERS: "1" } });
  await ready(service);
});
afterAll(async () => {
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const resultFile = (id: string) => path.join(folder, "objects", "results", `${id}.json`);
const audioFile = (id: string) => path.join(folder, "objects", "audio", id);

function flip(file: string): void {
  const bytes = readFileSync(file);
  const at = bytes.indexOf("Hello") + 1;
  bytes[at] = (bytes[at] as number) ^ 1;
  writeFileSync(file, bytes);
}

const damages: [string, (file: string) => void][] = [
  ["truncated", (file) => truncateSync(file, 200)],
  ["changed in one bit, which leaves it JSON", flip],
  ["missing", (file) => rmSync(file)],
  ["empty", (file) => truncateSync(file, 0)],
];

test.each(damages)("a result that is %s is made again from its recording", async (_, damage) => {
  const id = await submit(service, readFileSync(HELLO_MP3));
  const before = await finished(service, id);
  damage(resultFile(id));
  const { status, json } = await call(service, "GET", `/v2/pre-recorded/${id}`);
  expect({ status, state: json.status, result: json.result }).toMatchObject({ status: 200, result: null });
  expect(["queued", "processing"]).toContain(json.status);
  const after = await finished(service, id);
  expect(after.result.transcription).toEqual(before.result.transcription);
  expect((await call(service, "GET", `/v2/transcription/${id}/transcript?format=txt`)).text).toMatch(/Hello/);
});

test("exports notice the damage, too, and say that the transcript is made again", async () => {
  const id = await submit(service, readFileSync(HELLO_MP3));
  await finished(service, id);
  flip(resultFile(id));
  const answer = await call(service, "GET", `/v2/transcription/${id}/transcript?format=srt`);
  expect(answer.status).toBe(503);
  expect(answer.json.message).toMatch(/damaged; the job is transcribed again/);
  expect((await finished(service, id)).status).toBe("done");
});

test("a damaged result without a recording is an error that says so, and stays in the quarantine", async () => {
  const id = await submit(service, readFileSync(HELLO_MP3));
  const { file } = await finished(service, id);
  rmSync(audioFile(file.id));
  flip(resultFile(id));
  for (let count = 0; count < 2; count++) {
    const { status, json } = await call(service, "GET", `/v2/pre-recorded/${id}`);
    expect(status).toBe(500);
    expect(json.message).toMatch(/stored transcript of this job is damaged.*recording is missing or damaged/);
  }
  const entries = await new Quarantine(folder).list();
  expect(entries.find(({ from }) => from.endsWith(`${id}.json`))?.reason).toMatch(
    /its SHA-256 is [0-9a-f]{64} instead of/,
  );
});

test("a damaged result of a live session is an error that names its recording", async () => {
  const session = await createSession(service, { endpointing: 0.3 });
  const client = await LiveClient.connect(session.url);
  client.send(encodePcm([repeated(await decodeSpeech(), 1, 1)]));
  await client.message(({ type, data }) => type === "transcript" && data.is_final);
  client.stop();
  await client.closed;
  await finished(service, session.id);
  flip(resultFile(session.id));
  const { status, json } = await call(service, "GET", `/v2/live/${session.id}`);
  expect(status).toBe(500);
  expect(json.message).toMatch(/from a live session.*download it and submit it as a new job/);
  expect((await call(service, "GET", `/v2/live/${session.id}/audio`)).status).toBe(200);
});

test("a recording that was cut short is not handed out as a whole one", async () => {
  const id = await submit(service, readFileSync(HELLO_MP3));
  const { file } = await finished(service, id);
  truncateSync(audioFile(file.id), 1_000);
  const { status, json } = await call(service, "GET", `/v2/pre-recorded/${id}/file`);
  expect(status).toBe(500);
  expect(json.message).toMatch(/it has 1000 of \d+ bytes/);
});

test("damaged peaks are made again", async () => {
  const id = await submit(service, readFileSync(HELLO_MP3));
  const { file } = await finished(service, id);
  const peaks = await call(service, "GET", `/v2/transcription/${id}/peaks`);
  truncateSync(path.join(folder, "objects", "peaks", `${file.id}.json`), 50);
  expect((await call(service, "GET", `/v2/transcription/${id}/peaks`)).json).toEqual(peaks.json);
});

test("results of an earlier version have no hash: a whole one gets it, a damaged one is made again", async () => {
  const ids = [await submit(service, readFileSync(HELLO_MP3)), await submit(service, readFileSync(HELLO_MP3))];
  const [first, second] = await Promise.all(ids.map((id) => finished(service, id)));
  await service.stop();
  const database = await openDatabase("", folder);
  await sql`update jobs set result_hash = null, is_searchable = false`.execute(database);
  await database.destroy();
  truncateSync(resultFile(second.id), 300);
  service = await startService({ folder, environment: { PARLANCE_WORKERS: "1" } });
  await ready(service);
  expect(await finished(service, first.id)).toEqual(first);
  expect((await finished(service, second.id)).result.transcription).toEqual(first.result.transcription);
  await service.stop();
  const again = await openDatabase("", folder);
  const row = await again.selectFrom("jobs").select("result_hash").where("id", "=", first.id).executeTakeFirstOrThrow();
  await again.destroy();
  const content = readFileSync(resultFile(first.id));
  expect(row.result_hash).toBe(createHash("sha256").update(content).digest("hex"));
  service = await startService({ folder, environment: { PARLANCE_WORKERS: "1" } });
});

test("a deletion that a kill interrupted leaves nothing", async () => {
  const id = await submit(service, readFileSync(HELLO_MP3));
  const { file } = await finished(service, id);
  await service.stop();
  const database = await openDatabase("", folder);
  // As the service leaves it between the two steps of a deletion.
  await sql`delete from jobs where id = ${id}`.execute(database);
  await sql`delete from files where id = ${file.id}`.execute(database);
  const keys = [`results/${id}.json`, `audio/${file.id}`];
  await planRemovals(
    database,
    keys.map((key) => ({ key, isFolder: false })),
  );
  await database.destroy();
  service = await startService({ folder, environment: { PARLANCE_WORKERS: "1" } });
  await expect.poll(() => existsSync(resultFile(id)) || existsSync(audioFile(file.id))).toBe(false);
  expect((await new Quarantine(folder).list()).some(({ from }) => from.includes(file.id))).toBe(false);
});
