// Clients of the protocol tus from the registries, unmodified: they upload through a network that breaks, and the file is transcribed.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startCuttingProxy } from "../fixtures/cutting-proxy.ts";
import { execute } from "../fixtures/execute.ts";
import { randomOf } from "../fixtures/random.ts";
import { wav } from "../fixtures/recordings.ts";
import { decodeSpeech } from "../fixtures/speech.ts";
import { call, finished, type RunningService, ready, startService, TEST_KEY } from "../service.ts";

const MEGABYTE = 1_000_000;
/** The versions that docs/uploads.md names. */
const JS_CLIENT = "tus-js-client@4.3.1";
const PYTHON_CLIENT = "tuspy==1.1.0";
const hasPython = spawnSync("python3", ["-m", "venv", "--help"]).status === 0;

const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-tus-"));
const recording = path.join(folder, "talk.wav");
let service: RunningService;

const JS_PROGRAM = `
import { createReadStream } from "node:fs";
import { Upload } from "tus-js-client";
const { SERVICE, KEY, RECORDING, CHUNK } = process.env;
let audioUrl;
await new Promise((resolve, reject) =>
  new Upload(createReadStream(RECORDING), {
    endpoint: SERVICE + "/v2/upload/resumable",
    headers: { "x-service-key": KEY },
    metadata: { filename: "talk.wav", filetype: "audio/wav" },
    chunkSize: CHUNK === "" ? Number.POSITIVE_INFINITY : Number(CHUNK),
    uploadDataDuringCreation: CHUNK !== "",
    retryDelays: [0, 200, 500, 1000, 2000, 5000],
    onAfterResponse: (request, response) => {
      audioUrl = response.getHeader("Parlance-Audio-Url") ?? audioUrl;
    },
    onSuccess: resolve,
    onError: reject,
  }).start(),
);
process.stdout.write(audioUrl);
`;
const PYTHON_PROGRAM = `
import os
from tusclient import client
tus = client.TusClient(os.environ["SERVICE"] + "/v2/upload/resumable", headers={"x-service-key": os.environ["KEY"]})
uploader = tus.uploader(os.environ["RECORDING"], chunk_size=4_000_000, metadata={"filename": "talk.wav"}, retries=5, retry_delay=1)
uploader.upload()
print(uploader.url, end="")
`;

beforeAll(async () => {
  service = await startService();
  await ready(service);
  const random = randomOf(5);
  const samples = Float32Array.from({ length: 10 * MEGABYTE }, () => (random() - 0.5) / 5_000);
  samples.set(await decodeSpeech());
  writeFileSync(recording, wav([samples]));
  writeFileSync(path.join(folder, "package.json"), JSON.stringify({ name: "tus", type: "module", private: true }));
  writeFileSync(path.join(folder, "program.js"), JS_PROGRAM);
  writeFileSync(path.join(folder, "program.py"), PYTHON_PROGRAM);
  await execute("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", JS_CLIENT], folder);
}, 300_000);
afterAll(async () => {
  await service?.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** What a program prints that uploads through a network which breaks twice. */
async function uploaded(chunk: string, ...command: string[]): Promise<string> {
  const proxy = await startCuttingProxy(Number(new URL(service.base).port), [
    { at: 6 * MEGABYTE, how: "reset" },
    { at: 15 * MEGABYTE, how: "reset" },
  ]);
  try {
    const settings = [`SERVICE=${proxy.base}`, `KEY=${TEST_KEY}`, `RECORDING=${recording}`, `CHUNK=${chunk}`];
    return await execute("env", [...settings, ...command], folder);
  } finally {
    await proxy.stop();
  }
}

async function expectTranscript(audioUrl: string): Promise<void> {
  const audio_url = new URL(new URL(audioUrl).pathname, service.base).href;
  const created = await call(service, "POST", "/v2/pre-recorded", { body: { audio_url } });
  expect(created.status, created.text).toBe(201);
  expect((await finished(service, created.json.id)).result.transcription.full_transcript).toMatch(/hello from the/i);
}

test.each([
  ["in one request", ""],
  ["in pieces of 3 MB", "3000000"],
])("tus-js-client uploads %s", async (_, chunk) => {
  await expectTranscript(await uploaded(chunk, process.execPath, "program.js"));
});

test.skipIf(!hasPython)("tuspy uploads (skipped without Python)", async () => {
  const python = path.join(folder, "venv", "bin", "python");
  await execute("python3", ["-m", "venv", "venv"], folder);
  await execute(python, ["-m", "pip", "install", "--quiet", PYTHON_CLIENT], folder);
  const place = await uploaded("", python, "program.py");
  const { upload } = (await call(service, "GET", new URL(place).pathname)).json;
  await expectTranscript(upload.audio_url);
});
