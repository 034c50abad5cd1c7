// Servers of SRT that flood the caller with cheap messages. The caller disconnects them, and other work of the process is not delayed.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { readParts } from "../../../../../test/fixtures/scripted-server.ts";
import { readSrt } from "./srt-session.ts";

const FLOOD = path.join(import.meta.dirname, "../../../../../test/fixtures/srt-flood.mjs");
let child: ChildProcess | undefined;
afterEach(() => child?.kill("SIGKILL"));

test.each(["data", "jumps", "acknowledgments", "keys", "drops"])("a flood of %s", async (kind) => {
  child = spawn(process.execPath, [FLOOD, kind], { stdio: ["ignore", "pipe", "inherit"] });
  const [port] = await once(child.stdout as NodeJS.ReadableStream, "data");
  let [longest, turns, last] = [0, 0, performance.now()];
  const turning = setInterval(() => {
    const now = performance.now();
    [longest, turns, last] = [Math.max(longest, now - last), turns + 1, now];
  }, 1);
  const outcome = await readParts(
    readSrt,
    `srt://127.0.0.1:${String(port).trim()}?passphrase=0123456789&latency=200`,
    1_000_000,
  ).catch((error: unknown) => error);
  clearInterval(turning);
  expect(outcome).toMatchObject({
    code: "live.source_failed",
    message: expect.stringMatching(/sends more than 8388608 bytes a second|cannot be decrypted/),
  });
  expect(turns).toBeGreaterThan(10);
  // Measured: up to 160 ms while other tests run.
  expect(longest).toBeLessThan(2_000);
});
