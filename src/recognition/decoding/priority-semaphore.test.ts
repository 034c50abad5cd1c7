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
