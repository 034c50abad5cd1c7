// `parlance transcribe` sends a large file to a service over a network that breaks, also while the service is killed and started again.
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCommand } from "../fixtures/command.ts";
import { startCuttingProxy } from "../fixtures/cutting-proxy.ts";
import { randomOf } from "../fixtures/random.ts";
import { afterJunk, wav } from "../fixtures/recordings.ts";
import { decodeSpeech } from "../fixtures/speech.ts";
import { call, newDataFolder, type RunningService, ready, startService, TEST_KEY } from "../service.ts";

const MEGABYTE = 1_000_000;

let folder: string;
let data: string;
let recording: string;
let size: number;
let service: RunningService;

const portOf = ({ base }: RunningService) => Number(new URL(base).port);
const stored = async () =>
  Number(/^parlance_resumable_upload_bytes_total (\d+)/m.exec((await call(service, "GET", "/metrics")).text)?.[1]);

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-resumable-"));
  recording = path.join(folder, "Sitzung – Öffentlich.wav");
  const random = randomOf(3);
  const junk = Uint32Array.from({ length: (30 * MEGABYTE) / 4 }, () => random() * 2 ** 32);
  const content = afterJunk(wav([await decodeSpeech()]), new Uint8Array(junk.buffer));
  writeFileSync(recording, content);
  size = content.length;
  data = await newDataFolder();
  service = await startService({ folder: data });
  await ready(service);
});
afterAll(async () => {
  await service?.remove();
  rmSync(folder, { recursive: true, force: true });
});

const transcribe = (base: string, onStart?: (kill: () => void) => void) =>
  runCommand(["transcribe", recording, "--server", base, "--key", TEST_KEY], {
    environment: { HOME: folder, PARLANCE_DATA_DIR: path.join(folder, "unused") },
    folder,
    ...(onStart ? { onStart } : {}),
  });

/** Files with which a later run continues. */
const records = () => {
  const state = path.join(folder, ".local", "state", "parlance", "uploads");
  return existsSync(state) ? readdirSync(state) : [];
};

/** The command is killed after so many bytes. @returns what the service has stored of the file */
async function killedAt(bytes: number): Promise<{ base: string; stored: number }> {
  let kill: () => void = () => undefined;
  const before = await stored();
  const proxy = await startCuttingProxy(portOf(service), [{ at: bytes, how: "reset", onBreak: () => kill() }]);
  const { code } = await transcribe(proxy.base, (end) => {
    kill = end;
  });
  expect(code, "the command was killed").toBeNull();
  await proxy.stop();
  return { base: proxy.base, stored: (await stored()) - before };
}

async function transcribed(base: string) {
  const { code, stdout, stderr } = await transcribe(base);
  expect(code, `${stdout}${stderr}`).toBe(0);
  expect(stdout).toMatch(/hello from the/i);
  const [job] = (await call(service, "GET", "/v2/pre-recorded")).json.items;
  expect(job.file.filename).toBe(path.basename(recording));
  const content = await fetch(`${service.base}/file/${job.file.id}`, { headers: { "x-service-key": TEST_KEY } });
  const hash = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
  expect(hash(new Uint8Array(await content.arrayBuffer()))).toBe(hash(readFileSync(recording)));
}

test("a network that breaks twice costs the bytes under way", async () => {
  const proxy = await startCuttingProxy(portOf(service), [
    { at: 5 * MEGABYTE, how: "reset" },
    { at: 22 * MEGABYTE, how: "reset" },
  ]);
  try {
    const before = await stored();
    await transcribed(proxy.base);
    // The service may have stored the last bytes of the killed run after the count.
    expect((await stored()) - before).toBeGreaterThanOrEqual(size);
    expect(proxy.sent()).toBeLessThan(size * 1.6);
  } finally {
    await proxy.stop();
  }
});

test("the service is killed and started again during an upload", async () => {
  const restart = async () => {
    await service.kill();
    service = await startService({ folder: data });
    proxy.aim(portOf(service));
  };
  const proxy = await startCuttingProxy(portOf(service), [
    { at: 20 * MEGABYTE, how: "reset", onBreak: () => restart() },
  ]);
  try {
    await transcribed(proxy.base);
    // What the killed process had stored is not sent again.
    expect(await stored()).toBeLessThan(size - 8 * MEGABYTE);
  } finally {
    await proxy.stop();
  }
});

test("a new run continues the upload of a run that was killed, and nothing is left behind", async () => {
  const before = await stored();
  const killed = await killedAt(20 * MEGABYTE);
  expect(killed.stored).toBeGreaterThan(8 * MEGABYTE);
  expect(records()).toHaveLength(1);
  const proxy = await startCuttingProxy(portOf(service), [], Number(new URL(killed.base).port));
  try {
    await transcribed(proxy.base);
    // Each byte of both runs is stored once.
    expect((await stored()) - before).toBe(size);
    expect(records()).toEqual([]);
  } finally {
    await proxy.stop();
  }
});

test("a file that has changed since is sent from its beginning, and the service keeps nothing of the former upload", async () => {
  const { base } = await killedAt(20 * MEGABYTE);
  utimesSync(recording, new Date(), new Date(Date.now() - 60_000));
  const before = await stored();
  const proxy = await startCuttingProxy(portOf(service), [], Number(new URL(base).port));
  try {
    await transcribed(proxy.base);
    // The service may have stored the last bytes of the killed run after the count.
    expect((await stored()) - before).toBeGreaterThanOrEqual(size);
    expect(records()).toEqual([]);
    const { text } = await call(service, "GET", "/metrics");
    expect(text).toMatch(/^parlance_resumable_uploads_total\{outcome="deleted"\} 1$/m);
  } finally {
    await proxy.stop();
  }
});
