// The systemd unit: systemd's own checks, and the messages of Type=notify at a receiver of our own.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { SETTINGS } from "../../src/platform/config/settings.ts";
import { canNotify, NotifySocket } from "../fixtures/notify-socket.ts";
import { type RunningService, startService } from "../service.ts";

const UNIT = "deploy/systemd/parlance.service";
const canAnalyze = spawnSync("systemd-analyze", ["--version"]).status === 0;
/** systemd-analyze security: 0 is least exposed, 10 most. */
const MOST_EXPOSURE = 2;

/** Of all parts but the requests (src/compose/compose.ts). */
const STOP_SECONDS = 15;
const { drainSeconds, shutdownSeconds } = SETTINGS;

const text = readFileSync(UNIT, "utf8");
const seconds = (name: string) => Number(new RegExp(`^${name}=(\\d+)$`, "m").exec(text)?.[1]);

describe.skipIf(!canAnalyze)("the unit (skipped without systemd-analyze)", () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-unit-"));
  const file = path.join(folder, "parlance.service");
  writeFileSync(
    file,
    text
      .replace("/usr/bin/node /opt/parlance", `${process.execPath} ${path.resolve(".")}`)
      .replace("/opt/parlance", path.resolve(".")),
  );
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("has no mistake that systemd finds", () => {
    const { status, stdout, stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", file], { encoding: "utf8" });
    const own = (stdout + stderr).split("\n").filter((line) => line.includes("parlance.service"));
    expect(own).toEqual([]);
    expect(status).toBe(0);
  });

  test("exposes little of the system", () => {
    const args = ["security", "--offline=true", "--no-pager", `--threshold=${MOST_EXPOSURE * 10}`, file];
    const { status, stdout, stderr } = spawnSync("systemd-analyze", args, { encoding: "utf8" });
    expect(status, stdout + stderr).toBe(0);
  });
});

test("the unit leaves time for a stop, and for several signs of life", () => {
  expect(seconds("TimeoutStopSec")).toBeGreaterThan(drainSeconds.default + shutdownSeconds.default + STOP_SECONDS);
  expect(seconds("WatchdogSec")).toBeGreaterThanOrEqual(30);
});

describe.skipIf(!canNotify)("Type=notify (skipped without systemd-notify or Perl)", () => {
  let socket: NotifySocket;
  let service: RunningService;
  beforeEach(async () => {
    socket = await NotifySocket.open();
  });
  afterEach(async () => {
    await service?.remove();
    socket.close();
  });
  const start = async (environment: Record<string, string>) => {
    service = await startService({
      environment: { PARLANCE_WORKERS: "1", NOTIFY_SOCKET: socket.file, ...environment },
    });
  };
  const alive = () => socket.messages().filter((message) => message.startsWith("WATCHDOG=1")).length;

  test("ready when the models are loaded, signs of life while the event loop runs, stopping at a signal", async () => {
    await start({ WATCHDOG_USEC: "1500000" });
    await expect.poll(() => alive()).toBeGreaterThan(1);
    expect(socket.messages()[0]).toMatch(/^READY=1 STATUS=serves on http/);
    expect(service.log()).toContain("recognisers are ready");

    // A process that hangs sends none: systemd restarts it.
    process.kill(service.processId, "SIGSTOP");
    let before = -1;
    // A message that was under way may still arrive. After it, none arrives in more than two intervals.
    const more = () => {
      const former = before;
      before = alive();
      return before - former;
    };
    await expect.poll(more, { interval: 2_000 }).toBe(0);
    process.kill(service.processId, "SIGCONT");
    await expect.poll(() => alive()).toBeGreaterThan(before);

    expect(await service.stop()).toBe(0);
    await expect.poll(() => socket.messages()).toContainEqual(expect.stringMatching(/^STOPPING=1/));
    expect(service.log()).not.toMatch(/"level":"(warn|error)"/);
  });

  test("a watchdog for another process gets no signs of life", async () => {
    await start({ WATCHDOG_USEC: "300000", WATCHDOG_PID: "1" });
    await expect.poll(() => socket.messages().length, { timeout: 30_000 }).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(alive()).toBe(0);
  });

  test("without systemd-notify the service works and says so once", async () => {
    await start({
      WATCHDOG_USEC: "300000",
      PATH: "/nonexistent",
    });
    await expect.poll(() => service.log(), { timeout: 30_000 }).toMatch(/systemd cannot be notified/);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(service.log().match(/systemd cannot be notified/g)).toHaveLength(1);
    expect(socket.messages()).toEqual([]);
  });
});
