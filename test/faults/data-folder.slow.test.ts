// One process per data folder, whatever process ids say: two containers, a lock file of a process that is gone, a lock that a
// network file system lost.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { lockDirectory } from "../../src/platform/storage/directory-lock.ts";
import { tryKernelLock } from "../../src/platform/storage/kernel-lock.ts";
import { Quarantine } from "../../src/platform/storage/quarantine.ts";
import { call, type RunningService, startService } from "../service.ts";

let folder: string;
let started: RunningService[];

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "parlance-folder-"));
  started = [];
});
afterEach(async () => {
  await Promise.all(started.map((service) => service.stop()));
  rmSync(folder, { recursive: true, force: true });
});

async function start(environment: Record<string, string> = {}): Promise<RunningService> {
  const service = await startService({ folder, environment: { PARLANCE_WORKERS: "1", ...environment } });
  started.push(service);
  return service;
}

const generation = () => JSON.parse(readFileSync(path.join(folder, "parlance.lock"), "utf8")).generation;

const canUnshare = (() => {
  try {
    execFileSync("unshare", ["-p", "-f", "--mount-proc", "true"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

const environmentOf = (data: string) => ({
  PATH: process.env["PATH"] ?? "",
  PARLANCE_PORT: "0",
  PARLANCE_DATA_DIR: data,
  PARLANCE_WORKERS: "1",
  PARLANCE_FETCH_MODELS: "false",
});

/** A process of its own process id namespace, as in a container: it is process 1 there. */
function inContainer(): { child: ChildProcess; output(): string; ended: Promise<number | null> } {
  const child = spawn("unshare", ["-p", "-f", "--mount-proc", process.execPath, "bin/parlance.js", "serve"], {
    env: environmentOf(folder),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (text += chunk));
  const ended = new Promise<number | null>((resolve) => child.once("close", (code) => resolve(code)));
  return { child, output: () => text, ended };
}

describe.skipIf(!canUnshare)("two containers on one data folder (skipped where no namespaces can be made)", () => {
  test("the second one does not start, and says who has the folder", async () => {
    const first = inContainer();
    await expect.poll(first.output, { timeout: 60_000 }).toMatch(/Parlance serves on/);
    const second = inContainer();
    expect(await second.ended).toBe(1);
    expect(second.output()).toMatch(
      new RegExp(`The data folder ${folder} is in use by process 1 on ${os.hostname()} since \\S+\\. Stop that one`),
    );
    // unshare does not pass signals on.
    process.kill(Number(execFileSync("pgrep", ["-P", String(first.child.pid)])), "SIGTERM");
    await first.ended;
    await start();
  });
});

test("a start right after kill -9 takes the folder, before anybody has reaped the killed process", async () => {
  // A shell that never waits: its child stays a zombie.
  const script = `"${process.execPath}" bin/parlance.js serve & echo "child $!"; exec sleep 1000`;
  const shell = spawn("bash", ["-c", script], {
    env: environmentOf(folder),
    stdio: ["ignore", "pipe", "ignore"],
  });
  let output = "";
  shell.stdout?.on("data", (chunk) => (output += chunk));
  await expect.poll(() => output, { timeout: 60_000 }).toMatch(/Parlance serves on/);
  const child = Number(/child (\d+)/.exec(output)?.[1]);
  process.kill(child, "SIGKILL");
  await expect.poll(() => readFileSync(`/proc/${child}/stat`, "utf8")).toMatch(/\) Z /);
  await start();
  shell.kill("SIGKILL");
});

test.each([
  ["empty", ""],
  ["garbage", "\0\u0001%%"],
  ["of an earlier version, with an id that another process has now", String(process.ppid)],
  ["JSON of another kind", "null"],
  ["JSON with values of other kinds", '{"processId":"x","generation":1e99,"machine":7}'],
])("a lock file that is %s refuses no start", async (_, content) => {
  writeFileSync(path.join(folder, "parlance.lock"), content);
  const lock = await lockDirectory(folder);
  await expect(lockDirectory(folder)).rejects.toThrow(/is in use by process \d+ on/);
  await lock.release();
  await (await lockDirectory(folder)).release();
});

test.skipIf(process.platform === "win32")(
  "a database behind a link, with a postmaster.pid that a power cut emptied; each start has a higher generation",
  async () => {
    const first = await start();
    expect(generation()).toBe(1);
    await first.kill();
    const elsewhere = mkdtempSync(path.join(os.tmpdir(), "parlance-elsewhere-"));
    try {
      const database = path.join(folder, "database");
      renameSync(database, path.join(elsewhere, "database"));
      symlinkSync(path.join(elsewhere, "database"), database);
      for (const [at, damaged] of ["", "\0\0\0"].entries()) {
        writeFileSync(path.join(database, "postmaster.pid"), damaged);
        const next = await start();
        expect(generation()).toBe(at + 2);
        expect((await call(next, "GET", "/v2/transcription")).status).toBe(200);
        expect(await next.stop()).toBe(0);
      }
    } finally {
      rmSync(elsewhere, { recursive: true, force: true });
    }
  },
);

test.skipIf(process.platform === "win32")(
  "pipes in the places of the folder's own files do not hold a start up",
  async () => {
    mkdirSync(path.join(folder, "models", "broken"), { recursive: true });
    const own = ["language-model.json", "machine", "parlance.lock"];
    for (const name of [...own, "models/broken/model.json"]) execFileSync("mkfifo", [path.join(folder, name)]);
    const service = await start();
    expect((await call(service, "GET", "/v2/models")).status).toBe(200);
    const entries = await new Quarantine(folder).list();
    expect(entries.map(({ from }) => from).sort()).toEqual(own);
  },
);

test("a directory in the place of the lock file is moved to the quarantine", async () => {
  mkdirSync(path.join(folder, "parlance.lock"));
  const lock = await lockDirectory(folder);
  expect(await lock.isHeld()).toBe(true);
  expect((await new Quarantine(folder).list()).map(({ from }) => from)).toEqual(["parlance.lock"]);
  await lock.release();
});

test("many processes that take one folder at the same moment: one gets it, also while lock files are removed", async () => {
  const file = path.join(folder, "lock");
  for (let round = 0; round < 50; round++) {
    const locks = await Promise.all(Array.from({ length: 8 }, () => tryKernelLock(file)));
    const held = locks.filter((lock) => lock !== undefined);
    expect(held).toHaveLength(1);
    expect(await held[0]?.isInPlace()).toBe(true);
    await (round % 2 === 0 ? held[0]?.release() : held[0]?.releaseAndRemove());
  }
});

test("a process whose folder another one has taken over ends at once, and says so", async () => {
  const service = await start();
  const file = path.join(folder, "parlance.lock");
  const note = JSON.parse(readFileSync(file, "utf8"));
  expect(note).toMatchObject({ processId: service.processId, host: os.hostname(), generation: 1 });
  // What a second process would write where the file system gives both of them the lock.
  const other = { ...note, instance: note.instance.replaceAll(/[^-]/g, "0"), generation: 2 };
  // In place: the service restores its note where it finds the file empty.
  writeFileSync(file, JSON.stringify(other), { flag: "r+" });
  await expect
    .poll(() =>
      call(service, "GET", "/health").then(
        ({ status }) => status,
        () => "gone",
      ),
    )
    .toBe("gone");
  await expect.poll(() => service.log()).toMatch(/A newer process uses the data folder/);
});

test("a lock file that is removed is made again; the folder stays taken", async () => {
  const service = await start();
  rmSync(path.join(folder, "parlance.lock"));
  const note = () => JSON.parse(readFileSync(path.join(folder, "parlance.lock"), "utf8"));
  await expect
    .poll(() => {
      try {
        return note().processId;
      } catch {
        return 0;
      }
    })
    .toBe(service.processId);
  await expect(lockDirectory(folder)).rejects.toThrow(/is in use/);
  expect((await call(service, "GET", "/health")).status).toBe(200);
});

test("what cannot be a data folder is refused in one sentence", async () => {
  const file = path.join(folder, "file");
  writeFileSync(file, "");
  await expect(lockDirectory(path.join(file, "below"))).rejects.toThrow(/The data folder .* cannot be used: ENOTDIR/);
});
