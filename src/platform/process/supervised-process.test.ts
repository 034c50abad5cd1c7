import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";
import { isRunning } from "../../../test/fixtures/processes.ts";
import { childEnvironment } from "../config/load.ts";
import { onErrorOutput } from "./error-output.ts";
import type { SupervisedOptions } from "./supervised-options.ts";
import { SupervisedProcess } from "./supervised-process.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "parlance-supervised-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A process whose program is `code`, which calls serveParent. */
function childOf<Request, Answer>(name: string, code: string, options: Partial<SupervisedOptions> = {}) {
  const file = path.join(folder, `${name}.mjs`);
  const module = pathToFileURL(path.resolve("dist/platform/process/child.js")).href;
  writeFileSync(file, `import { serveParent } from ${JSON.stringify(module)};\n${code}`);
  return new SupervisedProcess<Request, Answer>({
    name,
    file,
    readyTimeoutMilliseconds: 30_000,
    environment: childEnvironment(folder),
    ...options,
  });
}

test("a child that floods its standard error is answered as usual; its output is reported in a bounded number of pieces", async () => {
  const pieces: string[] = [];
  onErrorOutput(({ name }, text) => pieces.push(`${name} ${text}`));
  const child = childOf<string, string>(
    "flood",
    `import { writeSync } from "node:fs";
    serveParent(async (request) => {
      // As native libraries print: the call returns when all is written.
      for (let left = 5e6; left > 0; ) left -= writeSync(2, "x".repeat(50_000));
      return request;
    });`,
  );
  try {
    expect(await child.call("question", { timeoutMilliseconds: 30_000 })).toBe("question");
  } finally {
    await child.stop();
  }
  expect(pieces.length).toBeGreaterThan(0);
  expect(pieces.join("").length).toBeLessThan(100_000);
  expect(pieces.every((piece) => piece.startsWith("flood x"))).toBe(true);
});

test("a call that is made while its idle child is being ended, or after a kill, is answered by another child", async () => {
  const idleMilliseconds = 20;
  const code = "serveParent(async (request) => [request, process.pid]);";
  const child = childOf<number, [number, number]>("echo", code, { idleMilliseconds });
  const used = new Set<number>();
  try {
    for (let request = 0; request < 60; request++) {
      const call = child.call(request, { timeoutMilliseconds: 30_000 });
      const [answer, processId] = await call;
      expect(answer).toBe(request);
      used.add(processId);
      // Around the moment at which the idle child is ended, earlier and later by turns.
      const until = performance.now() + idleMilliseconds - 2 + (request % 9) / 2;
      while (performance.now() < until) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(used.size).toBeGreaterThan(1);
    await expect.poll(() => child.processId).toBeUndefined();
    const starting = child.call(60, { timeoutMilliseconds: 30_000 });
    while (child.processId === undefined) await new Promise((resolve) => setImmediate(resolve));
    // The first start is lost; the start is repeated.
    process.kill(child.processId, "SIGKILL");
    expect((await starting)[0]).toBe(60);
  } finally {
    await child.stop();
  }
});

test.skipIf(process.platform !== "linux")(
  "the supervisor kills the processes that a child has started when the child ends",
  async () => {
    const code = `import { spawn } from "node:child_process";
      serveParent(async () => spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" }).pid);`;
    const start = () => childOf<string, number>("parent", code, { leadsGroup: true });
    const call = { timeoutMilliseconds: 30_000 };
    const stopped = start();
    const first = await stopped.call("start", call);
    await stopped.stop();
    await expect.poll(() => isRunning(first)).toBe(false);
    // The test kills this child itself: the supervisor only receives its exit.
    const killed = start();
    const second = await killed.call("start", call);
    expect(isRunning(second)).toBe(true);
    if (killed.processId !== undefined) process.kill(killed.processId, "SIGKILL");
    await expect.poll(() => isRunning(second)).toBe(false);
  },
);

test("a child that has had no call for a second collects its garbage", async () => {
  const child = childOf<string, number>(
    "garbage",
    `let collections = 0;
    const registry = new FinalizationRegistry(() => collections++);
    serveParent(async (request) => {
      if (request === "make") registry.register({ garbage: [1] }, "");
      return collections;
    });`,
    { execArguments: ["--expose-gc"] },
  );
  const call = (request: string) => child.call(request, { timeoutMilliseconds: 30_000 });
  try {
    expect(await call("make")).toBe(0);
    await expect.poll(() => call("count"), { interval: 1_500, timeout: 20_000 }).toBe(1);
  } finally {
    await child.stop();
  }
});

test.skipIf(process.platform !== "linux")(
  "a start takes as long as the child works, and ends when it does nothing",
  async () => {
    const readyTimeoutMilliseconds = 1_200;
    const busy = "const until = Date.now() + 5_000; while (Date.now() < until) {}";
    const working = childOf<string, string>("working", `${busy}\nserveParent(async (request) => request);`, {
      readyTimeoutMilliseconds,
    });
    try {
      expect(await working.call("question", { timeoutMilliseconds: 30_000 })).toBe("question");
    } finally {
      await working.stop();
    }
    const quiet = childOf("quiet", "setInterval(() => {}, 1_000);", { readyTimeoutMilliseconds });
    await expect(quiet.start()).rejects.toThrow("The quiet process could not be started: it did nothing for 2 s");
    const loading = childOf<string, string>(
      "loading",
      `serveParent(async (request) => { if (request === "work") { ${busy} return request; } return new Promise(() => setInterval(() => {}, 1_000)); });`,
    );
    const limit = { timeoutMilliseconds: readyTimeoutMilliseconds, countsQuietTimeOnly: true };
    try {
      expect(await loading.call("work", limit)).toBe("work");
      await expect(loading.call("sleep", limit)).rejects.toMatchObject({ code: "process.timeout" });
    } finally {
      await loading.stop();
    }
  },
);
