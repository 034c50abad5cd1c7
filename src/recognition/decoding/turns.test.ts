import { expect, test } from "vitest";
import { Turns } from "./turns.ts";

const soon = () => new Promise((resolve) => setTimeout(resolve, 1));

test("one has the turn at a time; urgent texts go first, and others wait until they are done", async () => {
  const turns = new Turns();
  const order: string[] = [];
  let running = 0;
  const pass = (name: string, isUrgent: boolean) =>
    turns.take(isUrgent, async () => {
      expect(++running).toBe(1);
      await soon();
      order.push(name);
      running--;
    });
  const text = (name: string, isUrgent: boolean) =>
    turns.during(isUrgent, async () => {
      await pass(`${name}1`, isUrgent);
      await soon();
      await pass(`${name}2`, isUrgent);
    });
  await Promise.all([text("a", false), text("b", false), text("final", true)]);
  expect(order).toEqual(["a1", "final1", "final2", "b1", "a2", "b2"]);
});

test("a pass that fails gives its turn away", async () => {
  const turns = new Turns();
  const failing = turns.during(true, () => turns.take(true, () => Promise.reject(new Error("no"))));
  const other = turns.take(false, async () => "done");
  await expect(failing).rejects.toThrow("no");
  expect(await other).toBe("done");
});

test("as many as there are places have a turn at a time", async () => {
  const turns = new Turns(undefined, 2);
  let running = 0;
  const most: number[] = [];
  const work = async () => {
    most.push(++running);
    await soon();
    running--;
  };
  await Promise.all([1, 2, 3, 4, 5].map(() => turns.take(false, work)));
  expect(Math.max(...most)).toBe(2);
  expect(most.length).toBe(5);
});
