// The service on other addresses than 127.0.0.1: health check, doctor and command line find it there.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "../fixtures/free-port.ts";
import { parlanceWith } from "../fixtures/parlance.ts";
import { decodeSpeech, encodePcm, repeated } from "../fixtures/speech.ts";
import { type RunningService, startService, TEST_KEY } from "../service.ts";

const run = promisify(execFile);
const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-listen-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(["[::1]", "*", `unix:${path.join(folder, "service.sock")}`])("%s", (host) => {
  let service: RunningService;
  let environment: Record<string, string>;
  beforeAll(async () => {
    environment = { PARLANCE_HOST: host, PARLANCE_PORT: String(await freePort()), PARLANCE_WORKERS: "1" };
    service = await startService({ environment });
    environment = { ...environment, PARLANCE_DATA_DIR: service.folder, PARLANCE_API_KEY: TEST_KEY };
  });
  afterAll(() => service?.remove());

  test("the health check of the image finds it", async () => {
    await run(process.execPath, ["deploy/health.js"], { env: environment });
    if (host === "*") return;
    const elsewhere = { ...environment, PARLANCE_HOST: "127.0.0.4" };
    await expect(run(process.execPath, ["deploy/health.js"], { env: elsewhere })).rejects.toThrow();
  });

  test("the command line finds it", async () => {
    expect(JSON.parse(await parlanceWith(environment, "jobs", "list", "--json"))).toBeDefined();
    if (host === "*") return;
    const wrong = await parlanceWith({ ...environment, PARLANCE_HOST: "127.0.0.4" }, "jobs", "list").catch(
      (error: { stderr: string }) => error.stderr,
    );
    expect(wrong).toMatch(/no service answers at http:\/\/127\.0\.0\.4/);
    expect(wrong).not.toMatch(/ at .*\.js/);
  });

  if (host !== "[::1]" && !host.startsWith("unix:")) return;
  test("the doctor finds it", async () => {
    const { findings } = JSON.parse(
      await parlanceWith(environment, "doctor", "--json").catch((error: { stdout: string }) => error.stdout),
    );
    const port = findings.find(({ what }: { what: string }) => what === "port");
    expect(port).toMatchObject({ level: "good", detail: expect.stringMatching(/the service answers at /) });
  });

  if (!host.startsWith("unix:")) return;
  test("live speech goes through the Unix socket", async () => {
    const child = run(process.execPath, ["bin/parlance.js", "live", "--server", host, "--key", TEST_KEY], {
      env: { PATH: process.env["PATH"] },
    });
    child.child.stdin?.end(encodePcm([repeated(await decodeSpeech(), 1, 1)]));
    expect((await child).stdout).toMatch(/hello/i);
  });
});
