// What one account has stored can be large; reading it must not take the memory, or the time, of everybody.
import { readFileSync } from "node:fs";
import { sql } from "kysely";
import { afterEach, expect, test } from "vitest";
import { residentBytes } from "../../src/platform/process/resident-memory.ts";
import { openDatabase } from "../../src/platform/storage/db/database.ts";
import { HELLO_MP3 } from "../fixtures/recordings.ts";
import { call, finished, type RunningService, startService, submit } from "../service.ts";

const isLinux = process.platform === "linux";
const ENVIRONMENT = { PARLANCE_WORKERS: "1", PARLANCE_LOG_LEVEL: "warn" };
let service: RunningService | undefined;
afterEach(async () => {
  await service?.remove();
  service = undefined;
});

/** Highest memory above the beginning while `work` runs. */
async function growth(processId: number, work: () => Promise<void>): Promise<number> {
  const memory = () => residentBytes(processId) ?? Number.NaN;
  const before = memory();
  let most = 0;
  const timer = setInterval(() => {
    most = Math.max(most, memory() - before);
  }, 20);
  await work().finally(() => clearInterval(timer));
  return most;
}

test.skipIf(!isLinux)("lists of jobs with the largest requests are cut into pages", { timeout: 120_000 }, async () => {
  const first = await startService({ environment: ENVIRONMENT });
  service = first;
  const vocabulary = Array.from({ length: 4_800 }, (_, at) => `w${at} `.padEnd(190, "a"));
  const body = { realtime_processing: { custom_vocabulary: true, custom_vocabulary_config: { vocabulary } } };
  expect((await call(first, "POST", "/v2/live", { body })).status).toBe(201);
  await first.stop();
  const database = await openDatabase("", first.folder);
  await sql`create temporary table copied as select jobs.* from jobs, generate_series(2, 100)`.execute(database);
  await sql`update copied set id = gen_random_uuid()`.execute(database);
  await sql`insert into jobs select * from copied`.execute(database);
  const { rows: made } = await sql<{ id: string }>`select id from jobs`.execute(database);
  await database.destroy();
  const running = await startService({ folder: first.folder, environment: ENVIRONMENT });
  service = running;
  const listed: string[] = [];
  const ofLive = await growth(running.processId, async () => {
    for (let address: string | null = "/v2/live?limit=1000"; address !== null; ) {
      const { status, json } = await call(running, "GET", address);
      expect(status).toBe(200);
      listed.push(...json.items.map(({ id }: { id: string }) => id));
      address = json.next === null ? null : `${new URL(json.next).pathname}${new URL(json.next).search}`;
    }
  });
  expect(listed.toSorted()).toEqual(made.map(({ id }) => id).toSorted());
  // Read at once, they took more than a gigabyte.
  expect(ofLive).toBeLessThan(600e6);
  const ofAll = await growth(running.processId, async () => {
    const { json } = await call(running, "GET", "/v2/transcription?limit=1000");
    expect(json.items).toHaveLength(100);
  });
  expect(ofAll).toBeLessThan(200e6);
});

test("a transcript has no more corrections, and an account no more keys, than can be read together", {
  timeout: 120_000,
}, async () => {
  const first = await startService({ environment: ENVIRONMENT });
  service = first;
  const id = await submit(first, readFileSync(HELLO_MP3));
  expect((await finished(first, id)).status).toBe("done");
  const correct = (running: RunningService, text: string) =>
    call(running, "PATCH", `/v2/transcription/${id}/transcript`, { body: { utterances: [{ index: 0, text }] } });
  expect((await correct(first, "One.")).status).toBe(201);
  await first.stop();
  const database = await openDatabase("", first.folder);
  await sql`insert into corrections (id, job_id, created_at, made_by, change)
    select gen_random_uuid(), ${id}, now(), 'test', '{"utterances":[{"index":0,"text":"Two."}]}' from generate_series(2, 9999)`.execute(
    database,
  );
  await sql`insert into api_keys (id, account_id, name, hash, created_at)
    select gen_random_uuid(), (select account_id from jobs limit 1), 'test', gen_random_uuid()::text, now() from generate_series(1, 1000)`.execute(
    database,
  );
  await database.destroy();
  const second = await startService({ folder: first.folder, environment: ENVIRONMENT });
  service = second;
  expect((await correct(second, "Three.")).status).toBe(201);
  const refused = await correct(second, "Four.");
  expect(refused.status).toBe(409);
  expect(refused.json.message).toMatch(/10000/);
  expect((await call(second, "GET", `/v2/transcription/${id}/corrections`)).json.items).toHaveLength(10_000);
  expect((await call(second, "POST", "/v2/account/keys", { body: { name: "one more" } })).status).toBe(409);
  const { text } = await call(second, "GET", `/v2/transcription/${id}/transcript?format=txt`);
  expect(text).toContain("Three.");
});
