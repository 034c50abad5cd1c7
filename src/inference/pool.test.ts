// Real recogniser processes with the real model.
import { readFileSync } from "node:fs";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { childEnvironment } from "../config/load.ts";
import { ModelStore } from "../models/store.ts";
import { RecognitionPool } from "./pool.ts";
import { Scheduler, type Waiting } from "./scheduler.ts";

let pool: RecognitionPool;
beforeAll(async () => {
  pool = new RecognitionPool({
    workers: 1,
    models: new ModelStore("no-such-folder"),
    model: "moonshine-tiny-en",
    queueLimit: 3,
    taskTimeoutSeconds: 60,
    memoryLimitBytes: 6e9,
    environment: childEnvironment(),
    logger: pino({ level: "silent" }),
  });
  await pool.start();
});
afterAll(() => pool.stop());

const recorded = { priority: "recorded" } as const;

test("silence and noise shorter than anything give an answer", async () => {
  for (const length of [0, 1, 100, 1600, 16_000]) {
    const { words } = await pool.recognize("moonshine-tiny-en", { audio: new Float32Array(length) }, recorded);
    expect(words.length).toBeLessThan(10);
  }
});

test("a full queue is refused at once, and what was accepted is served", async () => {
  const tasks = Array.from({ length: 20 }, () => pool.voiceActivity(new Float32Array(16_000), undefined, recorded));
  const outcomes = await Promise.allSettled(tasks);
  const refused = outcomes.filter((outcome) => outcome.status === "rejected");
  expect(refused.length).toBeGreaterThan(0);
  for (const outcome of refused) expect(outcome.reason).toMatchObject({ code: "recognition.queue_full", status: 503 });
  expect(outcomes.filter((outcome) => outcome.status === "fulfilled").length).toBeGreaterThanOrEqual(3);
});

test.skipIf(process.platform !== "linux")(
  "a process that is killed fails the work it held and is replaced",
  async () => {
    const children = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, "utf8").trim().split(" ");
    const recogniser = children.find((id) => readFileSync(`/proc/${id}/cmdline`, "utf8").includes("inference"));
    const held = pool.recognize("moonshine-tiny-en", { audio: new Float32Array(160_000) }, recorded);
    process.kill(Number(recogniser), "SIGKILL");
    await expect(held).rejects.toMatchObject({ code: "process.died", retryable: true });
    const answer = await pool.voiceActivity(new Float32Array(5120), undefined, recorded);
    expect(answer.probabilities).toHaveLength(10);
  },
);

test("live work goes before recorded work", () => {
  const scheduler = new Scheduler<string>(10);
  const add = (task: string, priority: Waiting<string>["priority"]) =>
    scheduler.add({ task, priority, reject: () => undefined });
  add("a", "recorded");
  add("b", "live");
  add("c", "recorded");
  add("d", "live");
  expect([1, 2, 3, 4].map(() => scheduler.next()?.task)).toEqual(["b", "d", "a", "c"]);
});

test("waiting work whose owner left is dropped", () => {
  const scheduler = new Scheduler<string>(10);
  const abort = new AbortController();
  let rejected = "";
  scheduler.add({ task: "a", priority: "live", signal: abort.signal, reject: (error) => (rejected = error.message) });
  abort.abort();
  expect(scheduler.length).toBe(0);
  expect(rejected).not.toBe("");
});
