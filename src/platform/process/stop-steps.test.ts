import { pino } from "pino";
import { expect, test } from "vitest";
import { StopSteps } from "./stop-steps.ts";

const logger = pino({ level: "silent" });

test("every step runs, last first, whatever the ones before it did", async () => {
  const steps = new StopSteps(logger);
  const ran: string[] = [];
  steps.push(() => ran.push("lock"));
  steps.push(async () => ran.push("database"));
  steps.push(() => new Promise(() => ran.push("hangs")), "hangs", 20);
  steps.push(() => Promise.reject(new Error("x")));
  steps.push(() => {
    ran.push("throws");
    throw new Error("y");
  });
  expect(await steps.run()).toBe(false);
  expect(ran).toEqual(["throws", "hangs", "database", "lock"]);
});

test("steps run once, and every caller waits for them", async () => {
  const steps = new StopSteps(logger);
  let times = 0;
  steps.push(async () => ++times);
  expect(await Promise.all([steps.run(), steps.run()])).toEqual([true, true]);
  expect(times).toBe(1);
});

test("when the time for all is used up, the rest still runs", async () => {
  const steps = new StopSteps(logger);
  let hasRun = false;
  steps.push(() => {
    hasRun = true;
  });
  steps.push(() => new Promise(() => undefined));
  expect(await steps.run(0)).toBe(false);
  expect(hasRun).toBe(true);
});
