// The first starts of a new installation: its key, the address by the names that platforms use, what is printed, and file permissions.
import { execFile, spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { createServer, type Server } from "node:net";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { silence, wav } from "../fixtures/recordings.ts";
import { call, type RunningService, startService, TEST_KEY } from "../service.ts";

const run = promisify(execFile);
const root = mkdtempSync(path.join(os.tmpdir(), "parlance-first-"));
const folder = path.join(root, "data");
let holder: Server;
beforeAll(async () => {
  holder = createServer();
  await new Promise<void>((resolve) => holder.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  holder.close();
  rmSync(root, { recursive: true, force: true });
});

const takenPort = () => String((holder.address() as { port: number }).port);
const withoutKey = { PARLANCE_API_KEY: "", PARLANCE_WORKERS: "1" };
const shownKey = ({ log }: Pick<RunningService, "log">) => /account key[^:]*: (parlance_[\w-]{43})/.exec(log())?.[1];
const keyFile = path.join(folder, "first-key");
/** Shown by the first start. */
let key = "";

test("the first key is shown until it has been used, also when the first start fails", async () => {
  const env = { PATH: process.env["PATH"], PARLANCE_DATA_DIR: folder, PARLANCE_PORT: takenPort(), ...withoutKey };
  const failed = await run(process.execPath, ["bin/parlance.js", "serve"], { env }).then(
    () => undefined,
    (error: { stderr: string; code: number }) => error,
  );
  expect(failed?.code).toBe(1);
  expect(failed?.stderr).toMatch(/^parlance: The service cannot listen on port \d+ of 127\.0\.0\.1: another program/);
  expect(failed?.stderr).not.toMatch(/^\s+at /m);
  expect(statSync(keyFile).mode & 0o777).toBe(0o600);

  // Platforms name the port and the address without a prefix.
  const environment = { ...withoutKey, PARLANCE_PORT: "", PORT: "0", HOST: "127.0.0.7" };
  const first = await startService({ folder, environment });
  await expect.poll(() => shownKey(first)).toBeDefined();
  key = shownKey(first) as string;
  expect(new URL(first.base).hostname).toBe("127.0.0.7");
  expect((await call(first, "GET", "/v2/account", { key: "parlance_wrong" })).status).toBe(401);
  await first.stop();
  for (const line of first.log().trim().split("\n")) JSON.parse(line);

  const second = await startService({ folder, environment });
  await expect.poll(() => shownKey(second)).toBe(key);
  expect((await call(second, "GET", "/v2/account", { key })).status).toBe(200);
  await expect.poll(() => existsSync(keyFile)).toBe(false);
  await second.stop();
});

test("a key that has been used is not shown again; the data folder and what is in it are for the service's user alone", async () => {
  const service = await startService({ folder, environment: withoutKey });
  try {
    const form = new FormData();
    form.append("audio", new Blob([wav([silence(0.2)]) as never]), "a.wav");
    const { audio_url } = (await call(service, "POST", "/v2/upload", { body: form, key })).json;
    const { id } = (await call(service, "POST", "/v2/pre-recorded", { body: { audio_url }, key })).json;
    const job = async () => (await call(service, "GET", `/v2/pre-recorded/${id}`, { key })).json;
    await expect.poll(async () => (await job()).status).toBe("done");
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const objects = path.join(folder, "objects");
    const files = (readdirSync(objects, { recursive: true }) as string[]).map((name) => path.join(objects, name));
    const stored = files.filter((file) => statSync(file).isFile());
    expect(stored.length).toBeGreaterThan(1);
    for (const file of stored) expect((statSync(file).mode & 0o777).toString(8), file).toBe("600");
  } finally {
    await service.stop();
  }
  expect(shownKey(service)).toBeUndefined();
});

test("on a file system that ignores case, no two names of the data folder are one", () => {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  expect(names.length).toBeGreaterThan(100);
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
});

test("an earlier version's data folder is closed to others; one that all users write to is left alone", async () => {
  const { chmodSync, mkdirSync } = await import("node:fs");
  const { lockDirectory } = await import("../../src/platform/storage/directory-lock.ts");
  for (const [name, before, after] of [
    ["open", 0o755, 0o700],
    ["group", 0o2770, 0o700],
    ["sticky", 0o1777, 0o1777],
  ] as const) {
    const place = path.join(root, name);
    mkdirSync(place);
    chmodSync(place, before);
    await (await lockDirectory(place)).release();
    expect((statSync(place).mode & 0o1777).toString(8), name).toBe(after.toString(8));
  }
});

test("a clone without build tools reports what is needed, without a stack", async () => {
  const clone = path.join(root, "clone");
  for (const name of ["bin", "src", "package.json"]) cpSync(name, path.join(clone, name), { recursive: true });
  const failed = await run(process.execPath, [path.join(clone, "bin/parlance.js"), "serve"]).then(
    () => undefined,
    (error: { stderr: string; code: number }) => error,
  );
  expect(failed?.code).toBe(1);
  expect(failed?.stderr).toMatch(
    /^parlance: the source must be compiled first, and typescript is not installed. Run npm ci/,
  );
  expect(failed?.stderr.trim().split("\n")).toHaveLength(1);
});

test("npm start stops the service when npm is stopped", async () => {
  const npm = spawn("npm", ["start"], {
    env: {
      PATH: process.env["PATH"],
      HOME: root,
      PARLANCE_PORT: "0",
      PARLANCE_DATA_DIR: path.join(root, "npm"),
      PARLANCE_API_KEY: TEST_KEY,
      PARLANCE_WORKERS: "1",
      npm_config_update_notifier: "false",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  npm.stdout.on("data", (chunk) => {
    output += chunk;
  });
  await expect.poll(() => output, { timeout: 60_000 }).toMatch(/Parlance serves on/);
  const address = /Parlance serves on (\S+)/.exec(output)?.[1] as string;
  // The pipe is open as long as the service runs.
  const closed = new Promise((resolve) => npm.stdout.once("close", resolve));
  npm.kill("SIGTERM");
  await closed;
  expect(output).toMatch(/"msg":"stopped"/);
  await expect(fetch(`${address}/health`)).rejects.toThrow();
});
