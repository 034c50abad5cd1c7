// Rows that an earlier version stored or that are damaged: none prevents a start or blocks other jobs, and each job ends.
import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Database, openDatabase } from "../../src/platform/storage/db/database.ts";
import { printJsonLine } from "../../src/platform/storage/json-lines.ts";
import { createSession, LiveClient } from "../fixtures/live-client.ts";
import { Receiver } from "../fixtures/receiver.ts";
import { HELLO_MP3, silence, wav } from "../fixtures/recordings.ts";
import { call, finished, type RunningService, ready, startService, submit, upload } from "../service.ts";

/** Each test makes its rows with it, changes them while it is stopped, and starts it again for the next one. */
let service: RunningService;

/** Changes rows while no service runs. */
async function withRows(work: (database: Database) => Promise<unknown>): Promise<void> {
  const database = await openDatabase("", service.folder);
  try {
    await work(database);
  } finally {
    await database.destroy();
  }
}

const AUDIO = wav([silence(0.2)]);
const startOn = (folder?: string) =>
  startService({
    ...(folder === undefined ? {} : { folder }),
    environment: {
      PARLANCE_WORKERS: "1",
      PARLANCE_CALLBACK_FIRST_RETRY_SECONDS: "0.1",
      PARLANCE_CALLBACK_RETRY_SECONDS: "1",
      PARLANCE_LIVE_GRACE_SECONDS: "1",
    },
  });
const startAgain = async () => {
  service = await startOn(service.folder);
  return service;
};
beforeAll(async () => {
  service = await startOn();
});
afterAll(() => service?.remove());

/** Submits jobs at once and waits for all of them. */
async function finishedJobs(on: RunningService, count: number): Promise<string[]> {
  const ids = await Promise.all(Array.from({ length: count }, () => submit(on, AUDIO)));
  await Promise.all(ids.map((id) => finished(on, id)));
  return ids;
}

/** A finished job's row, set back to where a killed process left it. */
const interrupted = (database: Database, id: string, params: string, strikes: number) =>
  sql`update jobs set status = 'processing', completed_at = null, worker = 'gone:1', lease_until = now(), result_key = null,
    request_params = ${params}::json, strikes = ${strikes} where id = ${id}`.execute(database);

const CALLBACKS = [
  ["NUL", '{"callback_url":"http://127.0.0.1:1/\\u0000"}'],
  ["half of a surrogate pair", '{"callback":true,"callback_config":{"url":"http://127.0.0.1:1/\\ud800"}}'],
  ["no address", '{"callback_url":"no address"}'],
  ["a number", '{"callback":true,"callback_config":{"url":5}}'],
  ["nothing", '{"callback":true,"callback_config":{}}'],
] as const;

test("jobs with callback addresses that cannot be requested end, and their callbacks fail", {
  timeout: 200_000,
}, async () => {
  const first = service;
  const ids = await finishedJobs(first, 2 * CALLBACKS.length + 1);
  await first.stop();
  // Each both as one that is given up at the start and as one that goes back to the queue.
  await withRows(async (database) => {
    for (const [at, [, params]] of CALLBACKS.entries()) {
      await interrupted(database, ids[2 * at] as string, params, 4);
      await interrupted(database, ids[2 * at + 1] as string, params, 0);
    }
    await interrupted(database, ids.at(-1) as string, "{}", 0);
  });
  const second = await startAgain();
  for (const [at, [name]] of CALLBACKS.entries()) {
    const givenUp = await finished(second, ids[2 * at] as string);
    expect(givenUp.status, name).toBe("error");
    await finished(second, ids[2 * at + 1] as string);
  }
  expect((await finished(second, ids.at(-1) as string)).status).toBe("done");
  for (const id of ids.slice(0, -1)) {
    await expect
      .poll(
        async () => {
          const { json } = await call(second, "GET", `/v2/transcription/${id}/deliveries`);
          return json.items.map(({ status }: { status: string }) => status);
        },
        { timeout: 60_000 },
      )
      .toEqual(["failed"]);
  }
  expect(await second.stop()).toBe(0);
  // And nothing is left for the next start.
  const third = await startAgain();
  expect((await finished(third, await submit(third, AUDIO))).status).toBe("done");
});

test("rows with impossible contents do not block other jobs", { timeout: 200_000 }, async () => {
  const first = service;
  const ids = await finishedJobs(first, 8);
  const live = (await call(first, "POST", "/v2/live", { body: {} })).json.id as string;
  await first.stop();
  const set = (database: Database, id: string | undefined, change: ReturnType<typeof sql>) =>
    sql`update jobs set status = 'processing', completed_at = null, worker = 'gone:1', result_key = null, ${change} where id = ${id}`.execute(
      database,
    );
  await withRows(async (database) => {
    await set(database, ids[0], sql`stage = 'recognize', stage_outputs = '{"fetch":5,"decode":"x"}'`);
    await set(database, ids[1], sql`stage = 'no such stage', stage_outputs = '[1]'`);
    await set(database, ids[2], sql`request_params = 'null', strikes = 2147483647`);
    await set(database, ids[3], sql`request_params = '[]', strikes = 2147483647`);
    await set(database, ids[4], sql`crashes = 2147483647, stage_outputs = 'null'`);
    await set(database, ids[5], sql`model = 'no such model'`);
    await set(database, ids[6], sql`file_id = null, audio_url = null`);
    // A live session that was under way and whose log is gone.
    await sql`update jobs set status = 'processing', started_at = now(), request_params = '{"encoding":7}' where id = ${live}`.execute(
      database,
    );
  });
  const second = await startAgain();
  expect((await finished(second, await submit(second, AUDIO))).status).toBe("done");
  for (const id of ids.slice(0, 7)) expect(["done", "error"]).toContain((await finished(second, id)).status);
  const session = await finished(second, live);
  expect(session.status).toBe("done");
  expect(session.result.metadata.warnings).toContain("The stored value of encoding could not be read and was not used");
  const list = await call(second, "GET", "/v2/transcription?limit=100");
  expect(list.status).toBe(200);
});

test("live sessions whose rows are lost or name another machine end without their clients", {
  timeout: 200_000,
}, async () => {
  const first = service;
  await ready(first);
  const ids: string[] = [];
  for (let count = 0; count < 3; count++) {
    const { id, url } = await createSession(first, {
      callback: count === 2,
      callback_config: { url: "http://127.0.0.1:1/" },
    });
    const client = await LiveClient.connect(url);
    client.send(AUDIO);
    await client.message(({ type }) => type === "audio_chunk");
    ids.push(id);
  }
  await first.kill();
  const [withoutRow, ofOther, withoutCallbacks] = ids as [string, string, string];
  await withRows(async (database) => {
    await sql`delete from live_sessions where id = ${withoutRow}`.execute(database);
    await sql`update live_sessions set owner = 'another-machine' where id = ${ofOther}`.execute(database);
  });
  const live = path.join(first.folder, "objects", "live");
  // As when the power was cut before the folder was on disk.
  rmSync(path.join(live, ofOther), { recursive: true });
  // Numbers of messages beyond what the database holds.
  const entry = printJsonLine({ kind: "renumbered", from: Number.MAX_SAFE_INTEGER - 1_000 });
  appendFileSync(path.join(live, withoutCallbacks, "journal.jsonl"), entry);
  const second = await startAgain();
  for (const id of ids) expect((await finished(second, id, 60_000)).status).toBe("done");
  const audio = await call(second, "GET", `/v2/live/${withoutRow}/audio`);
  expect(audio.status).toBe(200);
  expect(Number(audio.headers.get("content-length"))).toBe(AUDIO.length);
});

test("callbacks that wait for a time to which the clock was set by mistake are sent after it is set back", {
  timeout: 200_000,
}, async () => {
  const receiver = await Receiver.start();
  const first = service;
  const { audio_url } = (await upload(first, AUDIO)).json;
  const body = { audio_url, callback_url: "http://127.0.0.1:1/" };
  const { id } = (await call(first, "POST", "/v2/pre-recorded", { body })).json;
  await finished(first, id);
  await first.stop();
  await withRows(async (database) => {
    await sql`update deliveries set url = ${receiver.url}, status = 'pending', round_began_at = now() + interval '1 year'
      where job_id = ${id}`.execute(database);
    await sql`update delivery_lanes set due_at = now() + interval '1 year', claimed_until = null`.execute(database);
  });
  await startAgain();
  await receiver.until(() => receiver.of(id).length > 0, 20_000);
  await receiver.stop();
});

test("a transcript that cannot be put into the search keeps no other out of it", { timeout: 200_000 }, async () => {
  const first = service;
  const bad = await submit(first, AUDIO);
  await finished(first, bad);
  await first.stop();
  await withRows(async (database) => {
    const row = await sql<{ result_key: string }>`select result_key from jobs where id = ${bad}`.execute(database);
    const file = path.join(first.folder, "objects", row.rows[0]?.result_key as string);
    const result = JSON.parse(readFileSync(file, "utf8"));
    // More different words than a tsvector can hold.
    const text = Array.from({ length: 80_000 }, (_, at) => `${at.toString(36)}xyzzy`).join(" ");
    result.transcription.utterances = [
      { text, language: "en", start: 0, end: 1, confidence: 1, channel: 0, words: [] },
    ];
    result.transcription.full_transcript = text;
    writeFileSync(file, JSON.stringify(result));
    await sql`update jobs set is_searchable = false, result_hash = null where id = ${bad}`.execute(database);
  });
  const second = await startAgain();
  const good = await submit(second, readFileSync(HELLO_MP3));
  await finished(second, good);
  await expect
    .poll(
      async () =>
        (await call(second, "GET", "/v2/transcription?search=hello")).json.items.map((job: { id: string }) => job.id),
      { timeout: 60_000 },
    )
    .toEqual([good]);
  expect((await upload(second, AUDIO)).status).toBe(200);
});
