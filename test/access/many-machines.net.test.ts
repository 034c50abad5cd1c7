// Revocation and deletion reach sessions and jobs of other machines: processes with folders of their own, PostgreSQL and an S3
// server between.
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDatabase } from "../../src/platform/storage/db/database.ts";
import { LiveClient } from "../fixtures/live-client.ts";
import { parlanceWith } from "../fixtures/parlance.ts";
import { hasPostgres, startPostgres } from "../fixtures/postgres.ts";
import { wav } from "../fixtures/recordings.ts";
import { type S3Server, startS3, VERSITYGW } from "../fixtures/s3.ts";
import { decodeSpeech, encodePcm, repeated } from "../fixtures/speech.ts";
import { call, finished, type RunningService, ready, startService } from "../service.ts";

describe.skipIf(!hasPostgres || !VERSITYGW)("many machines (skipped without PostgreSQL and versitygw)", () => {
  let postgres: Awaited<ReturnType<typeof startPostgres>>;
  let s3: S3Server;
  let speech: Float32Array;
  const machines: RunningService[] = [];
  let [api, live, worker]: (RunningService | undefined)[] = [];

  const start = async (roles: string) => {
    const environment = { DATABASE_URL: postgres.url, ...s3.environment, PARLANCE_ROLES: roles, PARLANCE_WORKERS: "1" };
    const service = await startService({ environment });
    machines.push(service);
    await ready(service);
    return service;
  };
  beforeAll(async () => {
    [postgres, s3, speech] = [await startPostgres(), await startS3(), await decodeSpeech()];
    api = await start("api");
    live = await start("live");
    worker = await start("worker");
  }, 120_000);
  afterAll(async () => {
    for (const machine of machines) await machine.remove();
    await s3?.remove();
    postgres?.stop();
  });

  /** A session that the machine for live sessions has. */
  async function begin(key: string) {
    const { json } = await call(api as RunningService, "POST", "/v2/live", { body: { sample_rate: 16_000 }, key });
    const url = `${(live as RunningService).base.replace("http", "ws")}/v2/live${new URL(json.url).search}`;
    const client = await LiveClient.connect(url);
    client.send(Buffer.from(encodePcm([speech])));
    await client.message(({ type }) => type === "audio_chunk");
    return { id: json.id as string, url, client };
  }

  test("a key revoked on one machine ends its sessions on another one", async () => {
    const made = (await call(api as RunningService, "POST", "/v2/account/keys", { body: { name: "x" } })).json;
    const { id, url, client } = await begin(made.key);
    await call(api as RunningService, "DELETE", `/v2/account/keys/${made.id}`);
    expect((await client.closed).code).toBe(4401);
    expect((await (await LiveClient.connect(url)).closed).code).toBe(4401);
    const job = await finished(api as RunningService, id);
    expect(job.result.transcription.full_transcript).not.toBe("");
  });

  test("an account deleted by the command line is gone from every machine", { timeout: 300_000 }, async () => {
    const own = (...args: string[]) => parlanceWith({ DATABASE_URL: postgres.url }, ...args);
    await own("accounts", "create", "acme");
    const key = await own("keys", "create", "--account", "acme");
    const form = new FormData();
    form.append("audio", new Blob([wav([repeated(speech, 60, 0.3)]) as never]), "long.wav");
    const uploaded = (await call(api as RunningService, "POST", "/v2/upload", { body: form, key })).json;
    const body = { audio_url: uploaded.audio_url };
    const job = (await call(api as RunningService, "POST", "/v2/pre-recorded", { body, key })).json.id;
    const statusOf = async () =>
      (await call(api as RunningService, "GET", `/v2/transcription/${job}`, { key })).json.status;
    await expect.poll(statusOf, { timeout: 30_000 }).toBe("processing");
    const { id, client } = await begin(key);
    await own("accounts", "delete", "acme", "--yes");
    expect(String((await client.closed).code)).toMatch(/^440[13]$/);
    await expect.poll(() => own("accounts", "list"), { timeout: 60_000, interval: 1_000 }).not.toMatch(/acme/);
    const ids = [id, job, uploaded.audio_metadata.id];
    await expect.poll(() => existsSync(path.join((live as RunningService).folder, "objects", "live", id))).toBe(false);
    // Objects that the worker wrote before it detected the deletion are removed a minute later.
    const database = await openDatabase(postgres.url, "");
    try {
      const planned = async () =>
        (await sql<{ count: string }>`select count(*) as count from object_removals`.execute(database)).rows[0]?.count;
      await expect.poll(planned, { timeout: 140_000, interval: 1_000 }).toBe("0");
    } finally {
      await database.destroy();
    }
    const stored = readdirSync(s3.folder, { recursive: true }).map(String);
    expect(stored.filter((name) => ids.some((one) => name.includes(one)))).toEqual([]);
    const { log } = worker as RunningService;
    expect(log()).toMatch(/"audit":true,"account":"acme"/);
  });
});
