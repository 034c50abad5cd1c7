// What one account does costs another one nothing: long recordings, and hosts that trickle. tenants-hanging.slow.test.ts has what hangs.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MEMBERS } from "../fixtures/fleet-servers.ts";
import { isFleet } from "../fixtures/layout.ts";
import { longSilence } from "../fixtures/long-recordings.ts";
import { HELLO_MP3, silence, wav } from "../fixtures/recordings.ts";
import { decodeSpeech } from "../fixtures/speech.ts";
import type { Tenant } from "../fixtures/tenant.ts";
import { TrickleServer } from "../fixtures/trickle.ts";
import { DONE, startWithTenants } from "../fixtures/two-tenants.ts";
import type { RunningService } from "../service.ts";

const HELLO = readFileSync(HELLO_MP3);
const isOpen = ({ completed_at }: { completed_at: string | null }) => completed_at === null;

/** Of two seconds and a half of speech: some four minutes. */
const REPETITIONS = 100;
/** Addresses fetched at once for one account. */
const FETCHES = 4;

let service: RunningService;
let busy: Tenant;
let other: Tenant;

const start = async (environment: Record<string, string>) => {
  ({ service, busy, other } = await startWithTenants(environment));
};

describe("long recordings", () => {
  beforeAll(() => start({ PARLANCE_CONCURRENT_JOBS: "8" }));
  afterAll(() => service.remove());

  test("while those of one account are decoded, another one's upload and job are served, and so is its own upload", async () => {
    const address = await busy.upload(longSilence(10_800));
    const jobs = await Promise.all(Array.from({ length: 4 }, () => busy.transcribe(address)));
    await busy.until(jobs[0] as string, ({ status }) => status === "processing");
    const id = await other.transcribe(await other.upload(wav([silence(10)])));
    expect(await other.until(id)).toMatchObject(DONE);
    const own = await busy.transcribe(await busy.upload(HELLO));
    expect(await busy.until(own)).toMatchObject(DONE);
    const left = await Promise.all(jobs.map((job) => busy.job(job)));
    expect(left.every(isOpen)).toBe(true);
    await busy.cancel(jobs);
  });

  test("those that are recognised do not hold up another account's short one", { timeout: 400_000 }, async () => {
    const speech = await decodeSpeech();
    const long = new Float32Array(speech.length * REPETITIONS);
    for (let at = 0; at < REPETITIONS; at++) long.set(speech, at * speech.length);
    const address = await busy.upload(wav([long]));
    const short = await other.upload(HELLO);
    const jobs = await Promise.all(Array.from({ length: 6 }, () => busy.transcribe(address)));
    // The service takes the jobs in any order: the two that are recognised first need not be the two that were created first.
    let before: Awaited<ReturnType<Tenant["job"]>>[] = [];
    const countRecognized = async () => {
      before = await Promise.all(jobs.map((job) => busy.job(job)));
      return before.filter(({ progress }) => progress?.stage === "recognize").length;
    };
    await expect.poll(countRecognized).toBeGreaterThanOrEqual(2);
    const id = await other.transcribe(short);
    expect(await other.until(id)).toMatchObject(DONE);
    // On a busy machine, others may be about to end when the short one is created. Its upload does not take from their time.
    const isFarFromEnd = (at: number) => (before[at]?.progress?.share ?? 1) < 0.5;
    const far = jobs.filter((_, at) => isFarFromEnd(at));
    expect(far).not.toEqual([]);
    const left = await Promise.all(far.map((job) => busy.job(job)));
    expect(left.filter((job) => !isOpen(job))).toEqual([]);
    await busy.cancel(jobs);
  });

  test("an upload whose client leaves is given up, and its file is removed", async () => {
    const folder = path.join(service.folder, "objects", "audio");
    const files = () => (existsSync(folder) ? readdirSync(folder).length : 0);
    const before = files();
    const request = http.request(new URL("/v2/upload", service.base), {
      method: "POST",
      headers: { "x-service-key": busy.key, "content-type": "multipart/form-data; boundary=edge" },
    });
    request.on("error", () => undefined);
    request.write('--edge\r\ncontent-disposition: form-data; name="audio"; filename="audio.bin"\r\n\r\n');
    // The client never sends the rest.
    request.write(longSilence(20_000, 192_000, 2));
    await expect.poll(files).toBe(before + 1);
    request.destroy();
    await expect.poll(files).toBe(before);
  });
});

describe("hosts that trickle", () => {
  let trickle: TrickleServer;
  let host: http.Server;
  beforeAll(async () => {
    trickle = await TrickleServer.start();
    host = http.createServer((_, response) => response.end(HELLO));
    await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
    await start({ PARLANCE_ACCOUNT_CONCURRENT_FETCHES: String(FETCHES), PARLANCE_CONCURRENT_FETCHES: "8" });
  });
  afterAll(async () => {
    await service.remove();
    await trickle.stop();
    host.close();
  });
  const good = () => `http://127.0.0.1:${(host.address() as AddressInfo).port}/hello.mp3`;

  test("they take no job's place, not all fetches, and are given up", { timeout: 240_000 }, async () => {
    const stuck = await Promise.all(Array.from({ length: 16 }, () => busy.transcribe(trickle.url)));
    await busy.until(stuck[0] as string, ({ status }) => status === "processing");
    const byAddress = Array.from({ length: 6 }, () => busy.call("POST", "/v2/upload", { audio_url: trickle.url }));
    const uploaded = await busy.transcribe(await busy.upload(HELLO));
    const fetched = await other.transcribe(good());
    const fetchedUpload = await other.call("POST", "/v2/upload", { audio_url: good() });
    expect(fetchedUpload.status).toBe(200);
    const sent = await other.transcribe(fetchedUpload.json.audio_url);
    for (const [tenant, id] of [
      [busy, uploaded],
      [other, fetched],
      [other, sent],
    ] as const) {
      expect(await tenant.until(id)).toMatchObject(DONE);
    }
    const left = await Promise.all(stuck.map((id) => busy.job(id)));
    expect(left.every(isOpen)).toBe(true);
    // For the jobs of the account together, and for its uploads in each process that answers requests.
    const answering = isFleet() ? MEMBERS.filter(({ role }) => role === "api").length : 1;
    expect(trickle.requests).toBeLessThanOrEqual(FETCHES * (1 + answering));
    const first = await busy.until(stuck[0] as string);
    expect(first).toMatchObject({ status: "error", error_code: 424 });
    expect(first.error_message).toMatch(/its host sent \d+ bytes in \d+ s; at least 4000 bytes a second/);
    for (const { status, json } of await Promise.all(byAddress.slice(0, 1))) {
      expect(status).toBe(424);
      expect(json.message).toMatch(/its host sent/);
    }
    await busy.cancel(stuck);
    await Promise.all(byAddress);
  });
});
