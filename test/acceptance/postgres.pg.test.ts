// The same service on a PostgreSQL server: jobs, lists, live sessions, recovery after a kill.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDatabase } from "../../src/platform/storage/db/database.ts";
import { createSession, LiveClient } from "../fixtures/live-client.ts";
import { hasPostgres, startPostgres } from "../fixtures/postgres.ts";
import { Receiver } from "../fixtures/receiver.ts";
import { HELLO_MP3, silence, wav } from "../fixtures/recordings.ts";
import { decodeSpeech, encodePcm, repeated } from "../fixtures/speech.ts";
import { call, finished, type RunningService, startService, submit, upload } from "../service.ts";

describe.skipIf(!hasPostgres)("on PostgreSQL (skipped where it is not installed)", () => {
  let postgres: Awaited<ReturnType<typeof startPostgres>>;
  let service: RunningService;
  const speech = readFileSync(HELLO_MP3);

  beforeAll(async () => {
    postgres = await startPostgres();
    service = await startService({
      environment: { DATABASE_URL: postgres.url, PARLANCE_CALLBACK_FIRST_RETRY_SECONDS: "0.05" },
    });
  });
  afterAll(async () => {
    await service.remove();
    postgres.stop();
  });

  test("a recording is transcribed, is listed by its metadata, and is deleted", async () => {
    const id = await submit(service, speech, { custom_metadata: { n: 5, deep: { a: true } } });
    const job = await finished(service, id);
    expect(job.result.transcription.full_transcript).toMatch(/^Hello from/);
    for (const query of ["custom_metadata[n]=5", "custom_metadata[deep][a]=true", "status=done&kind=pre-recorded"]) {
      const { json } = await call(service, "GET", `/v2/transcription?${query}`);
      expect(json.items.map((item: { id: string }) => item.id)).toContain(id);
    }
    expect((await call(service, "DELETE", `/v2/pre-recorded/${id}`)).status).toBe(202);
    expect((await call(service, "GET", `/v2/pre-recorded/${id}`)).status).toBe(404);
  });

  test("a live session ends as a job", async () => {
    const session = await createSession(service, { endpointing: 0.3 });
    const client = await LiveClient.connect(session.url);
    client.send(encodePcm([await decodeSpeech()]));
    client.stop();
    expect((await client.closed).code).toBe(1000);
    const { json } = await call(service, "GET", `/v2/live/${session.id}`);
    expect(json.result.transcription.full_transcript).toMatch(/^Hello from/);
  });

  test("a callback fails, is tried again, and arrives; accounts are made by the command line", async () => {
    const receiver = await Receiver.start();
    receiver.answer = (_, count) => ({ status: count === 0 ? 500 : 200 });
    const id = await submit(service, wav([silence(0.2)]), { callback: true, callback_config: { url: receiver.url } });
    await receiver.until(() => receiver.of(id).length === 2);
    const shown = () => call(service, "GET", `/v2/transcription/${id}/deliveries`);
    while ((await shown()).json.items[0].status !== "delivered")
      await new Promise((resolve) => setTimeout(resolve, 20));
    const { json } = await shown();
    expect(json.items[0].attempts[0].response_status).toBe(500);
    await receiver.stop();
    const { stdout } = await promisify(execFile)(process.execPath, ["bin/parlance.js", "keys", "create"], {
      env: { PATH: process.env["PATH"] ?? "", DATABASE_URL: postgres.url },
    });
    expect((await call(service, "GET", "/v2/account", { key: stdout.trim() })).status).toBe(200);
  });

  test("jobs survive a kill of the process", async () => {
    const { json } = await upload(service, speech);
    const ids: string[] = [];
    for (let count = 0; count < 6; count++) {
      const body = { audio_url: json.audio_url };
      ids.push((await call(service, "POST", "/v2/pre-recorded", { body })).json.id);
    }
    await service.kill();
    // One recogniser: recordings of the next test take it longer than a second.
    service = await startService({
      folder: service.folder,
      environment: { DATABASE_URL: postgres.url, PARLANCE_WORKERS: "1" },
    });
    for (const id of ids) expect((await finished(service, id)).status).toBe("done");
  });

  test.skipIf(process.platform === "win32")(
    "a process that stalled for longer than its leases completes its jobs, with all words, once",
    async () => {
      // A stage is stored a second after its beginning, and a fast machine recognises 80 seconds in a second.
      const copies = 20;
      const long = wav([repeated(await decodeSpeech(), copies, 3)]);
      const client = new pg.Client(postgres.url);
      await client.connect();
      const column = async (name: string) =>
        (await client.query(`select ${name} as value from jobs where id = $1`, [id])).rows[0].value;
      const id = await submit(service, long);
      try {
        await expect.poll(() => column("stage"), { timeout: 60_000 }).toBe("recognize");
        process.kill(service.processId, "SIGSTOP");
        try {
          // As after 20 s, and as where another process has recovered the job meanwhile.
          await client.query("update jobs set lease_until = now() - interval '1 second' where id = $1", [id]);
        } finally {
          process.kill(service.processId, "SIGCONT");
        }
        const job = await finished(service, id);
        expect(job.result.transcription.full_transcript.match(/hello/gi)).toHaveLength(copies);
        expect(await column("attempt")).toBe(1);

        const again = await submit(service, long);
        await expect
          .poll(async () => (await client.query("select stage from jobs where id = $1", [again])).rows[0].stage, {
            timeout: 60_000,
          })
          .toBe("recognize");
        process.kill(service.processId, "SIGSTOP");
        try {
          await client.query("update jobs set status = 'queued', worker = null, lease_until = null where id = $1", [
            again,
          ]);
        } finally {
          process.kill(service.processId, "SIGCONT");
        }
        const second = await finished(service, again);
        expect(second.status).toBe("done");
        expect(second.result.transcription.full_transcript.match(/hello/gi)).toHaveLength(copies);
        const { rows } = await client.query("select attempt, result_key from jobs where id = $1", [again]);
        expect(rows).toEqual([{ attempt: 2, result_key: `results/${again}.2.json` }]);
      } finally {
        await client.end();
      }
    },
  );

  test("sessions do not compile statements", async () => {
    const client = new pg.Client(postgres.url);
    await client.connect();
    expect((await client.query("show jit")).rows).toEqual([{ jit: "on" }]);
    await client.end();
    const database = await openDatabase(postgres.url, service.folder);
    try {
      const { rows } = await sql<{ jit: string }>`show jit`.execute(database);
      expect(rows).toEqual([{ jit: "off" }]);
    } finally {
      await database.destroy();
    }
  });
});
