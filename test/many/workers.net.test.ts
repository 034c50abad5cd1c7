// Many machines, as processes with folders of their own: one answers requests, others work; PostgreSQL and an S3 server between.
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSession, LiveClient } from "../fixtures/live-client.ts";
import { hasPostgres, startPostgres } from "../fixtures/postgres.ts";
import { HELLO_MP3, wav } from "../fixtures/recordings.ts";
import { type S3Server, startS3, VERSITYGW } from "../fixtures/s3.ts";
import { decodeSpeech, encodePcm, repeated } from "../fixtures/speech.ts";
import { call, engineUp, finished, type RunningService, ready, startService, submit, upload } from "../service.ts";

/** As many as a worker is still busy with when a test stops it. */
const COPIES = 30;

describe.skipIf(!hasPostgres || !VERSITYGW)("many machines (skipped without PostgreSQL and versitygw)", () => {
  let postgres: Awaited<ReturnType<typeof startPostgres>>;
  let s3: S3Server;
  let api: RunningService;
  const machines: RunningService[] = [];
  let long: Buffer;

  const start = async (roles: string) => {
    const service = await startService({
      environment: {
        DATABASE_URL: postgres.url,
        ...s3.environment,
        PARLANCE_ROLES: roles,
        PARLANCE_WORKERS: "1",
      },
    });
    machines.push(service);
    await ready(service);
    return service;
  };
  const worked = ({ log }: RunningService, id: string) => log().includes(`"job":"${id}"`);

  beforeAll(async () => {
    [postgres, s3] = [await startPostgres(), await startS3()];
    api = await start("api");
    long = wav([repeated(await decodeSpeech(), COPIES, 3)]);
  });
  afterAll(async () => {
    for (const machine of machines) await machine.remove();
    await s3?.remove();
    postgres?.stop();
  });

  test("jobs without a worker wait; a worker that joins claims them without a request", async () => {
    const id = await submit(api, readFileSync(HELLO_MP3), { diarization: true, subtitles: true });
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect((await call(api, "GET", `/v2/pre-recorded/${id}`)).json.status).toBe("queued");
    const worker = await start("worker");
    const job = await finished(api, id);
    expect(job.result.transcription.full_transcript).toMatch(/hello from the/i);
    expect(worked(worker, id)).toBe(true);
    // All that people do with it works where it was not made.
    expect((await call(api, "GET", `/v2/transcription/${id}/transcript?format=txt`)).text).toMatch(/hello/i);
    expect((await call(api, "GET", `/v2/transcription/${id}/peaks`)).json.peaks.length).toBeGreaterThan(10);
    const stretch = { start: 0, end: 2, language: "en" };
    const again = await call(api, "POST", `/v2/transcription/${id}/recognition`, { body: stretch });
    expect(again.json.text).toMatch(/hello/i);
    expect((await call(api, "GET", `/v2/pre-recorded/${id}/file`)).status).toBe(200);
    // A worker answers no requests but those of the operator's own.
    expect((await call(worker, "GET", "/v2/pre-recorded")).status).toBe(404);
    expect((await call(worker, "GET", "/health", { key: null })).status).toBe(200);
  });

  test("two workers share the work", async () => {
    const second = await start("worker");
    const ids: string[] = [];
    const { audio_url } = (await upload(api, wav([repeated(await decodeSpeech(), 4, 3)]))).json;
    // More than one worker has slots for.
    for (let count = 0; count < 12; count++) {
      ids.push((await call(api, "POST", "/v2/pre-recorded", { body: { audio_url } })).json.id);
    }
    const jobs = await Promise.all(ids.map((id) => finished(api, id)));
    expect(jobs.map(({ status }) => status)).toEqual(ids.map(() => "done"));
    const [first] = machines.filter((machine) => machine !== api && machine !== second) as [RunningService];
    for (const id of ids) expect([worked(first, id), worked(second, id)].filter(Boolean)).toHaveLength(1);
    for (const machine of [first, second]) expect(ids.some((id) => worked(machine, id))).toBe(true);
  });

  test("a worker's machine is lost: another one finishes its job, and the job ends once", {
    timeout: 400_000,
  }, async () => {
    const id = await submit(api, long);
    const workers = machines.filter((machine) => machine !== api);
    await expect.poll(() => workers.filter((machine) => worked(machine, id)).length).toBe(1);
    const doomed = workers.find((machine) => worked(machine, id)) as RunningService;
    await expect
      .poll(async () => (await call(api, "GET", `/v2/pre-recorded/${id}`)).json.progress?.share, { timeout: 120_000 })
      .toBeGreaterThan(0.3);
    await doomed.kill();
    const job = await finished(api, id, 240_000);
    expect(job.status).toBe("done");
    expect(job.result.transcription.full_transcript.match(/hello/gi)).toHaveLength(COPIES);
  });

  test("a worker that was stalled lets go of the job that another one has by then", {
    timeout: 400_000,
  }, async () => {
    const replacement = await start("worker");
    const id = await submit(api, long);
    const workers = machines.filter((machine) => machine !== api);
    await expect.poll(() => workers.some((machine) => worked(machine, id))).toBe(true);
    const stalled = workers.find((machine) => worked(machine, id)) as RunningService;
    process.kill(stalled.processId, "SIGSTOP");
    // Its lease runs out; on this one machine, it would be seen to be alive.
    const job = await finished(api, id, 240_000);
    process.kill(stalled.processId, "SIGCONT");
    expect(job.status).toBe("done");
    const before = JSON.stringify(job.result.transcription);
    await new Promise((resolve) => setTimeout(resolve, 8_000));
    const after = await call(api, "GET", `/v2/pre-recorded/${id}`);
    expect(after.json.status).toBe("done");
    expect(JSON.stringify(after.json.result.transcription)).toBe(before);
    expect(/"level":"error"/.test(replacement.log())).toBe(false);
  });

  test("the object store is unavailable: uploads are answered 503, jobs wait, everything resumes when it is back", async () => {
    const { audio_url } = (await upload(api, readFileSync(HELLO_MP3))).json;
    await s3.stop();
    const refused = await upload(api, readFileSync(HELLO_MP3));
    expect(refused.status).toBe(503);
    expect(refused.json.message).toMatch(/does not answer; try again/);
    expect(await engineUp(api, "objects")).toBe(0);
    const id = (await call(api, "POST", "/v2/pre-recorded", { body: { audio_url } })).json.id;
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    expect(["queued", "processing"]).toContain((await call(api, "GET", `/v2/pre-recorded/${id}`)).json.status);
    await s3.start();
    expect((await finished(api, id)).status).toBe("done");
    await expect.poll(() => engineUp(api, "objects")).toBe(1);
    expect((await upload(api, readFileSync(HELLO_MP3))).status).toBe(200);
  });

  test("live sessions are had by the process for them; another one sends clients on", async () => {
    const live = await start("live");
    const session = await createSession(api);
    const at = (service: RunningService) => session.url.replace(new URL(session.url).host, new URL(service.base).host);
    const client = await LiveClient.connect(at(live));
    client.send(encodePcm([await decodeSpeech()]));
    await client.message(({ type }) => type === "audio_chunk");
    const other = await start("live");
    const stray = await LiveClient.connect(at(other));
    expect((await stray.closed).code).toBe(1012);
    client.stop();
    expect((await client.closed).code).toBe(1000);
    expect(client.text()).toMatch(/hello/i);
    const { result } = (await call(api, "GET", `/v2/live/${session.id}`)).json;
    expect(result.transcription.full_transcript).toMatch(/hello/i);
    expect((await call(api, "GET", `/v2/live/${session.id}/audio`)).status).toBe(200);
  });

  test("a role on its own without a shared database is refused at the start", async () => {
    await expect(startService({ environment: { PARLANCE_ROLES: "worker" } })).rejects.toThrow(/Set DATABASE_URL/);
    await expect(startService({ environment: { PARLANCE_ROLES: "cook" } })).rejects.toThrow(/api, live, worker/);
  });
});
