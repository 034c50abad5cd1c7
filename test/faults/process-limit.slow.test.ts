// A start with too few processes and threads says so. Limits do not apply to root, so that the service runs as another user here.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test } from "vitest";

/** Nobody else's on this machine: its processes are counted. */
const USER = 58_231;
const canLimit =
  process.getuid?.() === 0 &&
  spawnSync("unshare", ["--mount", "true"]).status === 0 &&
  spawnSync("prlimit", ["--version"]).status === 0;

/** Processes of a user, without zombies. */
function processesOf(user: number): string {
  const found = spawnSync("pgrep", ["-a", "--runstates", "D,R,S", "-u", String(user)], { encoding: "utf8" });
  // 1: no process.
  if (found.status !== 0 && found.status !== 1) throw new Error(`pgrep does not work: ${found.stderr}`);
  return found.stdout;
}

test.skipIf(!canLimit).each([12, 30])("%i processes and threads (skipped without root or prlimit)", async (limit) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-process-limit-"));
  const program = path.join(folder, "program");
  mkdirSync(program);
  for (const name of [folder, program]) chmodSync(name, 0o777);
  try {
    // A folder above the repository may be closed to other users.
    const script = `mount --bind "$0" "$1" && cd "$1" && exec setpriv --reuid ${USER + limit} --regid ${USER} --clear-groups prlimit --nproc=${limit} "$2" bin/parlance.js serve`;
    const { stderr, stdout, status } = spawnSync(
      "unshare",
      ["--mount", "sh", "-c", script, path.resolve("."), program, process.execPath],
      {
        env: {
          PATH: process.env["PATH"],
          PARLANCE_DATA_DIR: path.join(folder, "data"),
          PARLANCE_PORT: "0",
          PARLANCE_WORKERS: "2",
          PARLANCE_LOG_LEVEL: "silent",
        },
        encoding: "utf8",
        timeout: 90_000,
      },
    );
    expect(stderr, stdout).toMatch(/parlance: .*processes.*ulimit -u/);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(status).toBe(1);
    // Node.js may hang at its start if it gets no thread. The service must kill such a process, too.
    await expect.poll(() => processesOf(USER + limit)).toBe("");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
