// deploy/init.sh as PID 1 of a process namespace, as in the image: it collects orphans, forwards signals and exits with the service's code.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, describe, expect, test } from "vitest";

const NAMESPACE = ["--pid", "--fork", "--kill-child", "--mount-proc"];
const canUnshare = spawnSync("unshare", [...NAMESPACE, "true"]).status === 0;
const START_MILLISECONDS = 60_000;

describe.skipIf(!canUnshare)("deploy/init.sh as PID 1 (skipped where unshare needs root)", () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-init-"));
  let child: ChildProcess | undefined;
  let output = "";
  afterEach(() => {
    child?.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });

  /** Process ids of this machine whose parent is `parent`, with their states. */
  const childrenOf = (parent: number) =>
    readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => {
        try {
          const stat = readFileSync(`/proc/${name}/stat`, "utf8");
          const [state, ppid] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
          return Number(ppid) === parent ? [{ id: Number(name), state: state ?? "" }] : [];
        } catch {
          return [];
        }
      });
  const start = (...args: string[]) => {
    output = "";
    const started = spawn("unshare", [...NAMESPACE, "sh", "deploy/init.sh", ...args], {
      env: { PATH: process.env["PATH"], PARLANCE_DATA_DIR: folder, PARLANCE_PORT: "0", PARLANCE_WORKERS: "1" },
      stdio: ["pipe", "pipe", "pipe"],
    });
    child = started;
    for (const stream of [started.stdout, started.stderr]) stream?.on("data", (chunk) => (output += chunk));
    return started;
  };
  const codeOf = (started: ChildProcess) => new Promise((resolve) => started.once("exit", resolve));

  test.each(["SIGTERM", "SIGHUP"] as const)(
    "%s stops the service gracefully; orphans are collected",
    async (signal) => {
      const started = start("serve");
      const ended = codeOf(started);
      await expect.poll(() => output, { timeout: START_MILLISECONDS }).toMatch(/Parlance serves on/);
      const [init] = childrenOf(started.pid as number);
      const initId = init?.id as number;
      expect(childrenOf(initId)).toHaveLength(1);
      expect(output).not.toMatch(/PID 1/);

      // As a process does that docker exec started: its parent ends first, and PID 1 adopts it.
      const orphan = "( sleep 10 & ) ; exit 0";
      spawnSync("nsenter", ["--pid", "--mount", "--target", String(initId), "sh", "-c", orphan], { stdio: "ignore" });
      await expect.poll(() => childrenOf(initId).length).toBe(2);
      await expect.poll(() => childrenOf(initId).length).toBe(1);

      process.kill(initId, signal);
      expect(await ended).toBe(0);
      expect(output).toContain('"msg":"stopped"');
    },
  );

  test("its code and standard input are those of the command", async () => {
    const wrong = start("serve", "--unknown");
    expect(await codeOf(wrong)).toBe(2);
    const none = start("transcribe", "-");
    none.stdin?.end("this is no recording");
    expect(await codeOf(none)).toBe(1);
    expect(output).not.toMatch(/empty|no data/i);
  });
});
