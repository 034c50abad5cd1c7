import { expect, test } from "vitest";
import { PrioritySemaphore } from "./priority-semaphore.ts";

const soon = () => new Promise((resolve) => setTimeout(resolve, 1));

test("one task runs at a time; urgent requests go first, and others wait until they are done", async () => {
  const semaphore = new PrioritySemaphore();
  const order: string[] = [];
  let running = 0;
  const pass = (name: string, isUrgent: boolean) =>
    semaphore.run(isUrgent, async () => {
      expect(++running).toBe(1);
      await soon();
      order.push(name);
      running--;
    });
  const text = (name: string, isUrgent: boolean) =>
    semaphore.runRequest(isUrgent, async () => {
      await pass(`${name}1`, isUrgent);
      await soon();
      await pass(`${name}2`, isUrgent);
    });
  await Promise.all([text("a", false), text("b", false), text("final", true)]);
  expect(order).toEqual(["a1", "final1", "final2", "b1", "a2", "b2"]);
});

test("a task that fails releases its permit", async () => {
  const semaphore = new PrioritySemaphore();
  const failing = semaphore.runRequest(true, () => semaphore.run(true, () => Promise.reject(new Error("no"))));
  const other = semaphore.run(false, async () => "done");
  await expect(failing).rejects.toThrow("no");
  expect(await other).toBe("done");
});

test("at most as many tasks as permits run at a time", async () => {
  const semaphore = new PrioritySemaphore(undefined, 2);
  let running = 0;
  const most: number[] = [];
  const work = async () => {
    most.push(++running);
    await soon();
    running--;
  };
  await Promise.all([1, 2, 3, 4, 5].map(() => semaphore.run(false, work)));
  expect(Math.max(...most)).toBe(2);
  expect(most.length).toBe(5);
});

test("tasks wait while the loads of the running ones are too large; urgent ones, and one alone, do not", async () => {
  const semaphore = new PrioritySemaphore(undefined, 8, 10);
  const running: string[] = [];
  const ends: (() => void)[] = [];
  const begin = (name: string, load: number, isUrgent = false) =>
    semaphore.run(
      isUrgent,
      () => {
        running.push(name);
        return new Promise<void>((resolve) => ends.push(resolve));
      },
      load,
    );
  const all = [begin("large", 50), begin("second", 6), begin("third", 6), begin("final", 99, true)];
  await soon();
  expect(running).toEqual(["large", "final"]);
  ends[1]?.();
  ends[0]?.();
  await soon();
  expect(running).toEqual(["large", "final", "second"]);
  ends[2]?.();
  await soon();
  expect(running).toEqual(["large", "final", "second", "third"]);
  ends[3]?.();
  await Promise.all(all);
});
