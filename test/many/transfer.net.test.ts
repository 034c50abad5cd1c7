// From one machine with everything embedded to PostgreSQL and S3, and back: jobs, audio, corrections, keys, callbacks.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSession, LiveClient } from "../fixtures/live-client.ts";
import { sessionResult } from "../fixtures/live-invariants.ts";
import { hasPostgres, startPostgres } from "../fixtures/postgres.ts";
import { HELLO_MP3 } from "../fixtures/recordings.ts";
import { type S3Server, startS3, VERSITYGW } from "../fixtures/s3.ts";
import { call, finished, type RunningService, startService, submit, upload } from "../service.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-transfer-"));

function parlance(args: string[], environment: Record<string, string>, killAfterMilliseconds?: number) {
  const child = spawn(process.execPath, [path.resolve("bin/parlance.js"), ...args], {
    env: { PATH: process.env["PATH"] ?? "", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      output += chunk;
    });
  }
  if (killAfterMilliseconds) setTimeout(() => child.kill("SIGKILL"), killAfterMilliseconds);
  return new Promise<{ code: number | null; output: string }>((resolve) =>
    child.once("close", (code) => resolve({ code, output })),
  );
}

describe.skipIf(!hasPostgres || !VERSITYGW)("moving (skipped without PostgreSQL and versitygw)", () => {
  let postgres: Awaited<ReturnType<typeof startPostgres>>;
  let s3: S3Server;
  let key: string;
  let done: string;
  let waiting: string;
  const embedded = { PARLANCE_DATA_DIR: path.join(folder, "embedded") };
  const many = () => ({ PARLANCE_DATA_DIR: path.join(folder, "many"), DATABASE_URL: postgres.url, ...s3.environment });
  const again = { PARLANCE_DATA_DIR: path.join(folder, "again") };

  const check = async (service: RunningService) => {
    const job = await finished(service, done);
    expect(job.result.transcription.full_transcript).toMatch(/hello/i);
    expect(job.custom_metadata).toEqual({ project: "spring", n: 5 });
    const listed = await call(service, "GET", "/v2/transcription?custom_metadata[project]=spring");
    expect(listed.json.items).toHaveLength(1);
    expect((await call(service, "GET", `/v2/transcription/${done}/transcript?format=txt`)).text).toContain("Anna:");
    expect((await call(service, "GET", `/v2/pre-recorded/${done}/file`)).status).toBe(200);
    expect((await call(service, "GET", "/v2/account", { key })).json.name).toBe("default");
    // What waited is worked on.
    expect((await finished(service, waiting)).status).toBe("done");
    await expect
      .poll(async () => (await call(service, "GET", "/v2/transcription?search=hello")).json.items.length, {
        timeout: 30_000,
      })
      .toBe(2);
  };

  beforeAll(async () => {
    [postgres, s3] = [await startPostgres(), await startS3()];
    const service = await startService({ folder: embedded.PARLANCE_DATA_DIR });
    key = (await call(service, "POST", "/v2/account/keys", { body: { name: "moving" } })).json.key;
    done = await submit(service, readFileSync(HELLO_MP3), {
      diarization: true,
      custom_metadata: { project: "spring", n: 5 },
      callback: true,
      callback_config: { url: "http://127.0.0.1:9/gone" },
    });
    await finished(service, done);
    await call(service, "PATCH", `/v2/transcription/${done}/transcript`, {
      body: { speakers: [{ speaker: 0, name: "Anna" }] },
    });
    const { audio_url } = (await upload(service, readFileSync(HELLO_MP3))).json;
    waiting = (await call(service, "POST", "/v2/pre-recorded", { body: { audio_url } })).json.id;
    await service.kill();
  });
  afterAll(async () => {
    await s3?.remove();
    postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test("an interrupted export is not accepted as complete; the same command resumes it", async () => {
    const target = path.join(folder, "export");
    await parlance(["export", target], embedded, 1_200);
    const early = await parlance(["import", target], many());
    if (early.code !== 0) expect(early.output).toMatch(/not a complete export|no such file|ENOENT/);
    const whole = await parlance(["export", target], embedded);
    expect(whole, whole.output).toMatchObject({ code: 0 });
  });

  test("embedded to PostgreSQL and S3: all data is there, and waiting jobs continue; an import twice is one", async () => {
    for (let times = 0; times < 2; times++) {
      const taken = await parlance(["import", path.join(folder, "export")], many());
      expect(taken.code, taken.output).toBe(0);
    }
    const service = await startService({ folder: many().PARLANCE_DATA_DIR, environment: many() });
    await check(service);
    await service.stop();
  });

  test("an unfinished live session, which would not be exported, is reported", async () => {
    const grace = { ...many(), PARLANCE_LIVE_GRACE_SECONDS: "1" };
    const service = await startService({ folder: many().PARLANCE_DATA_DIR, environment: grace });
    const session = await createSession(service);
    const client = await LiveClient.connect(session.url);
    client.send(Buffer.alloc(3_200));
    await client.message(({ type }) => type === "audio_chunk");
    await service.kill();
    const refused = await parlance(["export", path.join(folder, "back")], many());
    expect(refused).toMatchObject({ code: 2, output: expect.stringMatching(/1 live session is unfinished/) });
    const again = await startService({ folder: many().PARLANCE_DATA_DIR, environment: grace });
    expect((await sessionResult(again, session.id)).status).toBe("done");
    expect((await call(again, "DELETE", `/v2/live/${session.id}`)).status).toBe(202);
    await again.stop();
  });

  test("and back into a folder with the embedded database", async () => {
    const target = path.join(folder, "back");
    expect((await parlance(["export", target], many())).code).toBe(0);
    expect((await parlance(["import", target], again)).code).toBe(0);
    const service = await startService({ folder: again.PARLANCE_DATA_DIR });
    await check(service);
    await service.stop();
  });

  test("into a database with jobs of its own is refused, and into a folder with other things, too", async () => {
    const refused = await parlance(["import", path.join(folder, "export")], { ...again });
    // It has what this import brings: the import continues.
    expect(refused.code).toBe(0);
    const other = path.join(folder, "other");
    const service = await startService({ folder: other });
    await finished(service, await submit(service, readFileSync(HELLO_MP3)));
    await service.stop();
    const used = await parlance(["import", path.join(folder, "export")], { PARLANCE_DATA_DIR: other });
    expect(used).toMatchObject({ code: 1, output: expect.stringMatching(/already contains jobs/) });
    const wrong = await parlance(["export", folder], embedded);
    expect(wrong).toMatchObject({ code: 2, output: expect.stringMatching(/name a new folder/) });
  });
});
