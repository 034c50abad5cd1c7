// What a client reads of failures: never a path, a host name or a library's words of the server. test/faults/disk.disk.test.ts: what it
// reads when the disk is full.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Receiver } from "../fixtures/receiver.ts";
import { silence, wav } from "../fixtures/recordings.ts";
import { decodeSpeech } from "../fixtures/speech.ts";
import { call, finished, type RunningService, startService, submit, upload } from "../service.ts";

let service: RunningService;
let speech: Float32Array;
const answers: string[] = [];
beforeAll(async () => {
  speech = await decodeSpeech();
  service = await startService({ environment: { PARLANCE_RESERVE_BYTES: "0" } });
});
afterAll(() => service.remove());

const INTERNALS =
  /node_modules|node:|\bE[A-Z]{4,}:|ENOENT|ECONNREFUSED|EISDIR|ENOTDIR|onnx|ffmpeg|libav|sqlstate|pglite|kysely|undici|\bat .*\.js/i;

/** Nothing of the server in a text that a client got. */
function expectClean(text: string, what: string): void {
  expect(text, what).not.toContain(service.folder);
  expect(text, what).not.toContain(process.cwd());
  expect(text, what).not.toMatch(new RegExp(`\\b${os.hostname()}\\b`));
  expect(text, what).not.toMatch(/(^|[\s"'(])\/(tmp|root|home|work|usr|var|data)\b/);
  expect(text, what).not.toMatch(INTERNALS);
}

async function failed(id: string, what: string): Promise<void> {
  const job = await finished(service, id);
  expect(job.status, what).toBe("error");
  expectClean(JSON.stringify({ ...job, request_params: undefined }), what);
  answers.push(`${what}: ${job.error_code} ${job.error_message}`);
}

/** A job whose stage finds the service's own files in an unexpected state. */
async function sabotaged(what: string, sabotage: (objects: string, id: string, fileId: string) => void): Promise<void> {
  const uploaded = await upload(service, wav([speech]));
  const fileId = uploaded.json.audio_metadata.id;
  // The job's id is not known before: its folder is blocked for all.
  sabotage(path.join(service.folder, "objects"), "", fileId);
  const { json } = await call(service, "POST", "/v2/pre-recorded", { body: { audio_url: uploaded.json.audio_url } });
  await failed(json.id, what);
}

test("jobs that fail in each stage have a reason without a path", { timeout: 120_000 }, async () => {
  // fetch
  for (const address of ["http://127.0.0.1:1/a.mp3", "http://no-such-host.invalid/a.mp3", `${service.base}/nothing`]) {
    const { json } = await call(service, "POST", "/v2/pre-recorded", { body: { audio_url: address } });
    await failed(json.id, `fetch ${new URL(address).hostname}`);
  }
  // Fetched, and no media.
  const { json: page } = await call(service, "POST", "/v2/pre-recorded", {
    body: { audio_url: `${service.base}/docs/settings` },
  });
  await failed(page.id, "fetch of a page");
  // decode: the recording is gone, is a folder, is damaged.
  await sabotaged("decode without a file", (objects, _, file) => rmSync(path.join(objects, "audio", file)));
  await sabotaged("decode of a folder", (objects, _, file) => {
    rmSync(path.join(objects, "audio", file));
    mkdirSync(path.join(objects, "audio", file));
  });
  await sabotaged("decode of noise", (objects, _, file) =>
    writeFileSync(path.join(objects, "audio", file), "not audio at all"),
  );
  // decode, segment and later: the working folder cannot be made.
  const jobs = path.join(service.folder, "objects", "jobs");
  rmSync(jobs, { recursive: true, force: true });
  writeFileSync(jobs, "a file where the folder belongs");
  await sabotaged("work without a folder", () => undefined);
  rmSync(jobs);
  // assemble: the result cannot be written.
  const results = path.join(service.folder, "objects", "results");
  rmSync(results, { recursive: true, force: true });
  writeFileSync(results, "a file where the folder belongs");
  await sabotaged("assemble without a folder", () => undefined);
  rmSync(results);
  expect(answers.length).toBe(9);
  // And afterwards it works again.
  const job = await finished(service, await submit(service, wav([speech])));
  expect(job.status).toBe("done");
});

test("answers of the interface have a reason without a path", { timeout: 60_000 }, async () => {
  const id = await submit(service, wav([silence(0.3)]));
  await finished(service, id);
  rmSync(path.join(service.folder, "objects", "results"), { recursive: true });
  for (const name of readdirSync(path.join(service.folder, "objects", "audio"))) {
    rmSync(path.join(service.folder, "objects", "audio", name), { recursive: true });
  }
  for (const route of [
    `/v2/transcription/${id}`,
    `/v2/transcription/${id}/transcript?format=srt`,
    `/v2/transcription/${id}/file`,
    `/v2/transcription/${id}/peaks`,
    "/docs/pictures/..%2f..%2fpackage.json",
    "/docs/%2e%2e%2fpackage",
    "/assets/../../package.json",
    "/assets/%00",
  ]) {
    const { status, text } = await call(service, "GET", route);
    expect(status, route).toBeGreaterThanOrEqual(400);
    expectClean(text, route);
  }
  const { text } = await upload(service, Buffer.from("no audio"));
  expectClean(text, "upload");
});

test("callbacks of a failed job, and the record of attempts that fail", async () => {
  const receiver = await Receiver.start();
  try {
    const body = { audio_url: "http://127.0.0.1:1/a.mp3" };
    const told = await call(service, "POST", "/v2/pre-recorded", { body: { ...body, callback_url: receiver.url } });
    await failed(told.json.id, "callback");
    await receiver.until(() => receiver.received.length > 0);
    expectClean(receiver.received[0]?.text ?? "", "the callback");
    const lost = await call(service, "POST", "/v2/pre-recorded", {
      body: { ...body, callback_url: "http://127.0.0.1:1/" },
    });
    const attempts = async () =>
      (await call(service, "GET", `/v2/transcription/${lost.json.id}/deliveries`)).json.items[0]?.attempts ?? [];
    await expect.poll(async () => (await attempts()).length, { timeout: 20_000 }).toBeGreaterThan(0);
    expectClean(JSON.stringify(await attempts()), "the attempts");
  } finally {
    await receiver.stop();
  }
});
