// Standard output that is full, stalls or is closed: the service keeps answering and transcribing, and SIGTERM ends it.
import { type ChildProcess, execFileSync, type StdioOptions, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { freePort } from "../fixtures/free-port.ts";
import { linkPreparedGraphs } from "../fixtures/prepared-graphs.ts";
import { HELLO_MP3 } from "../fixtures/recordings.ts";
import { call, finished, ready, submit, TEST_KEY } from "../service.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-logs-"));
afterAll(() => {
  if (canMount) execFileSync("umount", ["-l", disk]);
  rmSync(folder, { recursive: true, force: true });
});

interface Started {
  base: string;
  child: ChildProcess;
  exit: Promise<number | null>;
}
const started: Started[] = [];
afterEach(async () => {
  for (const { child, exit } of started.splice(0)) {
    child.kill("SIGKILL");
    await exit;
  }
});

const SERVE = [process.execPath, path.resolve("bin/parlance.js"), "serve"];

async function start(stdio: StdioOptions, command = SERVE): Promise<Started> {
  const port = await freePort();
  const [program = "", ...rest] = command;
  const data = mkdtempSync(path.join(folder, "data-"));
  linkPreparedGraphs(data);
  const child = spawn(program, rest, {
    env: {
      PATH: process.env["PATH"] ?? "",
      PARLANCE_PORT: String(port),
      PARLANCE_DATA_DIR: data,
      PARLANCE_API_KEY: TEST_KEY,
      PARLANCE_WORKERS: "1",
      PARLANCE_FETCH_MODELS: "false",
    },
    stdio,
  });
  const exit = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
  const service = { base: `http://127.0.0.1:${port}`, child, exit };
  started.push(service);
  await expect
    .poll(
      () =>
        call(service, "GET", "/health", { key: null }).then(
          ({ status }) => status,
          () => 0,
        ),
      {
        timeout: 60_000,
      },
    )
    .toBe(200);
  await ready(service);
  return service;
}

const LONG_PATH = `/${"x".repeat(8_000)}`;
/** Requests until so many bytes were logged: each line has the request's path. */
async function log(service: Started, bytes: number): Promise<void> {
  for (let logged = 0; logged < bytes; logged += LONG_PATH.length) {
    await call(service, "GET", LONG_PATH);
  }
}

/** More than the lines that wait in memory and what the system holds take. */
const MANY_BYTES = 1_500_000;

async function droppedLines(service: Started): Promise<number> {
  const { text } = await call(service, "GET", "/metrics");
  return Number(/^parlance_log_lines_dropped_total (\d+)$/m.exec(text)?.[1]);
}

async function worksAsUsual(service: Started): Promise<void> {
  expect((await call(service, "GET", "/health", { key: null })).status).toBe(200);
  const job = await finished(service, await submit(service, readFileSync(HELLO_MP3)));
  expect(job.status).toBe("done");
}

/** Whether `command` works on this machine. */
const works = (program: string, ...rest: string[]) => spawnSync(program, rest, { stdio: "ignore" }).status === 0;

const disk = mkdtempSync(path.join(folder, "disk-"));
const canMount = works("mount", "-t", "tmpfs", "-o", "size=2m,mode=0777", "tmpfs", disk);

describe.skipIf(!canMount)("a log on a full disk (skipped where no disk can be mounted)", () => {
  test("lines are dropped and counted; with room again they resume after a line with the count", async () => {
    const logFile = path.join(disk, "log");
    const ballast = path.join(disk, "ballast");
    const descriptor = openSync(logFile, "a");
    const service = await start(["ignore", descriptor, descriptor]);
    expect(() => writeFileSync(ballast, Buffer.alloc(4_000_000))).toThrow(/ENOSPC/);
    await log(service, MANY_BYTES);
    await worksAsUsual(service);
    const dropped = await droppedLines(service);
    expect(dropped).toBeGreaterThan(0);
    rmSync(ballast);
    await expect.poll(() => readFileSync(logFile, "utf8"), { timeout: 30_000 }).toMatch(/log lines were dropped/);
    expect((await call(service, "GET", "/v2/transcription?limit=1")).status).toBe(200);
    service.child.kill("SIGTERM");
    expect(await service.exit).toBe(0);
    const lines = readFileSync(logFile, "utf8").trim().split("\n");
    const told = lines.findIndex((line) => line.includes("log lines were dropped"));
    expect(JSON.parse(lines[told] as string)).toMatchObject({ level: "warn", lines: expect.any(Number) });
    expect(lines.slice(told).some((line) => line.includes('"path":"/v2/transcription"'))).toBe(true);
    expect(JSON.parse(lines.at(-1) as string).msg).toBe("stopped");
  });
});

test("a reader that stalls: the service works, and SIGTERM ends it", async () => {
  const service = await start(["ignore", "pipe", "pipe"]);
  await log(service, MANY_BYTES);
  await worksAsUsual(service);
  expect(await droppedLines(service)).toBeGreaterThan(0);
  service.child.kill("SIGTERM");
  expect(await service.exit).toBe(0);
});

test("a reader that stalls and reads on: every line is whole, and one line has the count", async () => {
  const service = await start(["ignore", "pipe", "pipe"]);
  await log(service, MANY_BYTES);
  let output = "";
  service.child.stdout?.on("data", (chunk) => {
    output += chunk;
  });
  await expect.poll(() => output).toMatch(/log lines were dropped/);
  const ended = new Promise((resolve) => service.child.stdout?.once("close", resolve));
  service.child.kill("SIGTERM");
  expect(await service.exit).toBe(0);
  await ended;
  const lines = output.trim().split("\n");
  for (const line of lines) JSON.parse(line);
  expect(output).toMatch(/"msg":"Parlance serves on /);
  expect(JSON.parse(lines.at(-1) as string).msg).toBe("stopped");
});

test("a reader that closes the pipe: the service works, and SIGTERM ends it", async () => {
  const service = await start(["ignore", "pipe", "pipe"]);
  service.child.stdout?.destroy();
  service.child.stderr?.destroy();
  await call(service, "GET", "/v2/transcription");
  await worksAsUsual(service);
  expect(await droppedLines(service)).toBeGreaterThan(0);
  service.child.kill("SIGTERM");
  expect(await service.exit).toBe(0);
});

const canScript = works("script", "-qfec", "true", "/dev/null");

test.skipIf(!canScript)(
  "a terminal that is stopped: the service works, and SIGTERM ends it (takes script)",
  async () => {
    // `script` gives the service a terminal; it stops reading from it when its own output is not read.
    const pidFile = path.join(folder, "terminal.pid");
    const quoted = SERVE.map((part) => `'${part}'`).join(" ");
    const command = ["script", "-qfec", `echo $$ > '${pidFile}'; exec ${quoted}`, "/dev/null"];
    const service = await start(["ignore", "pipe", "pipe"], command);
    await log(service, MANY_BYTES);
    await worksAsUsual(service);
    expect(await droppedLines(service)).toBeGreaterThan(0);
    const processId = Number(readFileSync(pidFile, "utf8"));
    process.kill(processId, "SIGTERM");
    const isRunning = () => {
      try {
        return !/\) Z /.test(readFileSync(`/proc/${processId}/stat`, "utf8"));
      } catch {
        return false;
      }
    };
    await expect.poll(isRunning, { timeout: 30_000 }).toBe(false);
  },
);

test.each(["pipe", "file"])("lines before an uncaught error arrive, and the process ends with 1 (%s)", async (kind) => {
  const script = path.join(folder, "fatal.mjs");
  const module = pathToFileURL(path.resolve("dist/platform/observability/log.js")).href;
  writeFileSync(
    script,
    `import { createLogger, logProcessEvents } from ${JSON.stringify(module)};
    const logger = createLogger("info");
    logProcessEvents(logger);
    for (let line = 0; line < 400; line++) logger.info({ text: "x".repeat(1000) }, "line " + line);
    setTimeout(() => { throw new Error("unexpected"); });`,
  );
  const file = path.join(folder, "fatal.log");
  const child = spawn(process.execPath, [script], {
    stdio: ["ignore", kind === "pipe" ? "pipe" : openSync(file, "w"), "inherit"],
  });
  let output = "";
  child.stdout?.on("data", (chunk) => {
    output += chunk;
  });
  expect(await new Promise((resolve) => child.once("close", resolve))).toBe(1);
  const lines = (kind === "pipe" ? output : readFileSync(file, "utf8")).trim().split("\n");
  expect(lines).toHaveLength(401);
  expect(JSON.parse(lines[400] as string)).toMatchObject({ level: "fatal", err: { message: "unexpected" } });
});
