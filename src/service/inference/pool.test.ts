// Real recogniser processes with the real model.

import { readFileSync } from "node:fs";
import os from "node:os";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { childEnvironment } from "../../platform/config/load.ts";
import { childProcesses } from "../../platform/process/running-children.ts";
import { ModelStore } from "../models/store.ts";
import { RecognitionPool, type TaskOptions } from "./pool.ts";
import { Scheduler, type Waiting } from "./scheduler.ts";

const createPool = (workers: number) =>
  new RecognitionPool({
    workers,
    models: new ModelStore("no-such-folder"),
    model: "moonshine-tiny-en",
    queueLimit: 3,
    taskTimeoutSeconds: 60,
    memoryLimitBytes: 6e9,
    environment: childEnvironment(os.tmpdir()),
    logger: pino({ level: "silent" }),
  });

let pool: RecognitionPool;
beforeAll(async () => {
  pool = createPool(1);
  await pool.start();
});
afterAll(() => pool.stop());

const recogniserCount = () => [...childProcesses()].filter(([, name]) => name === "recogniser").length;

const recorded = { priority: "recorded" } as const;

test("silence and very short noise give a result", async () => {
  for (const length of [0, 1, 100, 1600, 16_000]) {
    const { words } = await pool.recognize("moonshine-tiny-en", { audio: new Float32Array(length) }, recorded);
    expect(words.length).toBeLessThan(10);
  }
});

test("a full queue rejects at once, and accepted tasks are completed", async () => {
  const tasks = Array.from({ length: 20 }, () => pool.voiceActivity(new Float32Array(16_000), undefined, recorded));
  const outcomes = await Promise.allSettled(tasks);
  const refused = outcomes.filter((outcome) => outcome.status === "rejected");
  expect(refused.length).toBeGreaterThan(0);
  for (const outcome of refused) expect(outcome.reason).toMatchObject({ code: "recognition.queue_full", status: 503 });
  expect(outcomes.filter((outcome) => outcome.status === "fulfilled").length).toBeGreaterThanOrEqual(3);
});

test("a suspect task waits for a process of its own; a cancelled one reserves none", async () => {
  const ended: string[] = [];
  const hear = (name: string, options: TaskOptions) =>
    pool.recognize("moonshine-tiny-en", { audio: new Float32Array(160_000) }, options).then(() => ended.push(name));
  const abort = new AbortController();
  const first = hear("first", recorded);
  const unwanted = hear("unwanted", { priority: "suspect", signal: abort.signal });
  const second = hear("second", recorded);
  abort.abort();
  await expect(unwanted).rejects.toMatchObject({ code: "work.aborted" });
  await Promise.all([first, second]);
  const third = hear("third", recorded);
  const suspect = hear("suspect", { priority: "suspect" });
  const fourth = hear("fourth", recorded);
  await Promise.all([third, suspect, fourth]);
  expect(ended).toEqual(["first", "second", "third", "suspect", "fourth"]);
});

test("suspect tasks of a crash delay neither live words nor other recordings until all of them have run", async () => {
  const ended: string[] = [];
  const hear = (name: string, options: TaskOptions) =>
    pool.recognize("moonshine-tiny-en", { audio: new Float32Array(80_000) }, options).then(() => ended.push(name));
  const suspects = ["suspect 1", "suspect 2", "suspect 3"].map((name) => hear(name, { priority: "suspect" }));
  const other = hear("other", { priority: "recorded", tenant: "b" });
  const live = hear("live", { priority: "live" });
  await Promise.all([...suspects, other, live]);
  expect(ended.indexOf("live")).toBeLessThan(ended.indexOf("suspect 2"));
  expect(ended.indexOf("other")).toBeLessThan(ended.indexOf("suspect 3"));
  expect(ended.filter((name) => name.startsWith("suspect"))).toEqual(["suspect 1", "suspect 2", "suspect 3"]);
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

test("one process starts with the pool, the others with the first task", { timeout: 60_000 }, async () => {
  const before = recogniserCount();
  const ofTwo = createPool(2);
  await ofTwo.start();
  expect(recogniserCount() - before).toBe(1);
  await ofTwo.recognize("moonshine-tiny-en", { audio: new Float32Array(1600) }, recorded);
  await expect.poll(() => ofTwo.idleCount).toBe(2);
  expect(recogniserCount() - before).toBe(2);
  await ofTwo.stop();
  // Without a start, as for voice activity.
  const unstarted = createPool(1);
  const answer = await unstarted.voiceActivity(new Float32Array(5120), undefined, recorded);
  expect(answer.probabilities).toHaveLength(10);
  await unstarted.stop();
});

test("live tasks precede those of recordings", () => {
  const scheduler = new Scheduler<string>(10);
  const add = (task: string, priority: Waiting<string>["priority"]) =>
    scheduler.add({ task, priority, reject: () => undefined });
  add("a", "recorded");
  add("b", "live");
  add("c", "recorded");
  add("d", "live");
  expect([1, 2, 3, 4].map(() => scheduler.next()?.task)).toEqual(["b", "d", "a", "c"]);
});

test("tasks of recordings fill a queue of their own, and refuse no live task", () => {
  const scheduler = new Scheduler<string>(1, 2);
  const add = (priority: Waiting<string>["priority"]) => () =>
    scheduler.add({ task: priority, priority, reject: () => undefined });
  add("recorded")();
  add("suspect")();
  expect(add("recorded")).toThrow(/busy|queue|full/i);
  add("live")();
  expect(add("partial")).toThrow(/busy|queue|full/i);
  expect([scheduler.length, scheduler.recorded, scheduler.suspects, scheduler.words]).toEqual([3, 1, 1, 1]);
});

test("speakers of live sessions come after their words and before recordings, and not on a process for live words", () => {
  const scheduler = new Scheduler<string>(10);
  const add = (task: string, priority: Waiting<string>["priority"]) =>
    scheduler.add({ task, priority, reject: () => undefined });
  add("recorded", "recorded");
  add("speakers", "speakers");
  add("partial", "partial");
  add("live", "live");
  expect([1, 2, 3].map(() => scheduler.next(false)?.task)).toEqual(["live", "partial", undefined]);
  expect([1, 2].map(() => scheduler.next()?.task)).toEqual(["speakers", "recorded"]);
});

test("accounts take turns in tasks of recordings", () => {
  const scheduler = new Scheduler<string>(10);
  const add = (task: string, tenant: string) =>
    scheduler.add({ task, tenant, priority: "recorded", reject: () => undefined });
  for (const task of ["a1", "a2", "a3"]) add(task, "a");
  add("b1", "b");
  expect([1, 2, 3, 4].map(() => scheduler.next()?.task)).toEqual(["a1", "b1", "a2", "a3"]);
});

test("cancelled tasks are removed from the queue", () => {
  const scheduler = new Scheduler<string>(10);
  const abort = new AbortController();
  let rejected = "";
  scheduler.add({ task: "a", priority: "live", signal: abort.signal, reject: (error) => (rejected = error.message) });
  abort.abort();
  expect(scheduler.length).toBe(0);
  expect(rejected).not.toBe("");
});
