// The disk has no room or no inodes left, or a process no file descriptors, while jobs and sessions run. They wait until the shortage
// ends, and then continue. No audio and no result is lost or damaged.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { createSession, LiveClient } from "../fixtures/live-client.ts";
import { sessionResult } from "../fixtures/live-invariants.ts";
import { childrenOf } from "../fixtures/processes.ts";
import { noise, wav } from "../fixtures/recordings.ts";
import { SmallDisk } from "../fixtures/small-disk.ts";
import { decodeSpeech, encodePcm, repeated } from "../fixtures/speech.ts";
import { call, finished, type RunningService, ready, startService, TEST_KEY, upload } from "../service.ts";

const DISK_MEGABYTES = 400;
const CHUNK_BYTES = 3_200;
const WAIT = { timeout: 60_000, interval: 100 };

/** Standard streams, loops, pipes: no process needs fewer. */
const NO_DESCRIPTORS = 3;

const canLimit = process.platform === "linux" && process.getuid?.() === 0;
const probe = SmallDisk.mount(1);
probe?.unmount();

let disk: SmallDisk | undefined;
let service: RunningService | undefined;
afterEach(async () => {
  await service?.kill();
  disk?.unmount();
  service = undefined;
  disk = undefined;
});

async function serviceOn(folder: string | undefined, reserveBytes = 0): Promise<RunningService> {
  const environment = { PARLANCE_RESERVE_BYTES: String(reserveBytes), PARLANCE_WORKERS: "1" };
  service = await startService({ ...(folder ? { folder: path.join(folder, "data") } : {}), environment });
  await ready(service);
  return service;
}

const speechOf = async (times: number) => repeated(await decodeSpeech(), times, 0.8);

/** Speech with a hiss: no stretch of it fits anywhere else. */
async function microphone(times: number): Promise<Buffer> {
  const hiss = noise(30, 0.0005);
  return encodePcm([(await speechOf(times)).map((sample, at) => sample + (hiss[at] ?? 0))]);
}

async function recordingOf(running: RunningService, id: string): Promise<Buffer> {
  const file = await fetch(`${running.base}/v2/live/${id}/file`, { headers: { "x-service-key": TEST_KEY } });
  return Buffer.from(await file.arrayBuffer()).subarray(44);
}

function sendInChunks(client: LiveClient, audio: Buffer): void {
  for (let at = 0; at < audio.length; at += CHUNK_BYTES) client.send(audio.subarray(at, at + CHUNK_BYTES));
}

/** A live session whose second half comes while `shorten` holds, until `relieve`. */
async function liveThrough(running: RunningService, shorten: () => void, relieve: () => void): Promise<void> {
  const audio = await microphone(4);
  const half = Math.floor(audio.length / 2 / CHUNK_BYTES) * CHUNK_BYTES;
  const session = await createSession(running, { endpointing: 0.3 });
  const client = await LiveClient.connect(session.url);
  sendInChunks(client, audio.subarray(0, half));
  await expect.poll(() => client.acknowledged, WAIT).toBe(half);
  await client.message(({ type, data }) => type === "transcript" && data.is_final);
  shorten();
  sendInChunks(client, audio.subarray(half));
  await expect.poll(() => running.log(), WAIT).toContain("a live session cannot be stored");
  expect(client.acknowledged).toBeLessThan(audio.length);
  relieve();
  await expect.poll(() => client.acknowledged, WAIT).toBe(audio.length);
  client.stop();
  await client.closed;
  expect((await sessionResult(running, session.id)).status).toBe("done");
  expect((await recordingOf(running, session.id)).equals(audio)).toBe(true);
}

/** A job that meets the shortage, and is done afterwards. */
async function jobThrough(running: RunningService, shorten: () => void, relieve: () => void): Promise<void> {
  const { audio_url } = (await upload(running, wav([await speechOf(8)]))).json;
  const before = await call(running, "POST", "/v2/pre-recorded", { body: { audio_url } });
  const expected = (await finished(running, before.json.id)).result.transcription;
  const created = await call(running, "POST", "/v2/pre-recorded", { body: { audio_url } });
  shorten();
  expect(created.status).toBe(201);
  await expect.poll(() => running.log(), WAIT).toMatch(/the job waits|cannot be stored yet|could not claim a job/);
  relieve();
  const job = await finished(running, created.json.id);
  expect(job.status).toBe("done");
  expect(job.result.transcription).toEqual(expected);
}

describe.skipIf(!probe)("a disk that another program fills (skipped where none can be mounted)", () => {
  test("with nothing kept back: a live session waits, and its recording is what was sent, byte for byte", async () => {
    disk = SmallDisk.mount(DISK_MEGABYTES) as SmallDisk;
    const small = disk;
    await liveThrough(
      await serviceOn(small.folder),
      () => small.fill(0),
      () => small.makeRoom(),
    );
  });

  test("with nothing kept back: a job waits", async () => {
    disk = SmallDisk.mount(DISK_MEGABYTES) as SmallDisk;
    const small = disk;
    await jobThrough(
      await serviceOn(small.folder),
      () => small.fill(0),
      () => small.makeRoom(),
    );
  });

  test("without inodes: a job waits, new work is refused with what to do, and the disk's room does not matter", async () => {
    disk = SmallDisk.mount(DISK_MEGABYTES, 4_000) as SmallDisk;
    const small = disk;
    const running = await serviceOn(small.folder, 10_000_000);
    await jobThrough(
      running,
      () => small.useUpInodes(),
      () => small.makeRoom(),
    );
    small.useUpInodes();
    const refused = await upload(running, wav([await speechOf(1)]));
    expect(refused.status).toBe(507);
    expect(refused.json.message).toMatch(/df -i/);
    small.makeRoom();
    expect((await upload(running, wav([await speechOf(1)]))).status).toBe(200);
  });
});

describe.skipIf(!canLimit)("file descriptors that are used up (skipped without root on Linux)", () => {
  const limit = (id: number, files: number) => {
    try {
      execFileSync("prlimit", ["--pid", String(id), `--nofile=${files}:`], { stdio: "pipe" });
    } catch (error) {
      // The process has ended in the meantime.
      if (!String((error as { stderr?: Buffer }).stderr).includes("No such process")) throw error;
    }
  };
  const limitOf = (id: number) =>
    Number(/Max open files\s+(\d+)/.exec(readFileSync(`/proc/${id}/limits`, "utf8"))?.[1]);

  test("of the service: a job waits", async () => {
    const running = await serviceOn(undefined);
    const before = limitOf(running.processId);
    const used = () => readdirSync(`/proc/${running.processId}/fd`).length;
    await jobThrough(
      running,
      () => limit(running.processId, Math.max(NO_DESCRIPTORS, used() - 20)),
      () => limit(running.processId, before),
    );
  });

  test("of the processes that decode, recognise and write: a job waits", async () => {
    const running = await serviceOn(undefined);
    const before = limitOf(running.processId);
    const limitAll = (files: number) => {
      for (const { id } of childrenOf(running.processId)) limit(id, files);
    };
    await jobThrough(
      running,
      () => limitAll(NO_DESCRIPTORS),
      () => limitAll(before),
    );
  });
});
