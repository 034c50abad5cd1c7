import { expect, test } from "vitest";
import { OneRun } from "./one-run.ts";

function listOf(work: () => Promise<void> = async () => undefined) {
  const waiting: string[] = [];
  const done: string[] = [];
  let [runs, most] = [0, 0];
  const one = new OneRun(
    () => waiting.length > 0,
    async () => {
      most = Math.max(most, ++runs);
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        await work();
        done.push(next);
      }
      runs--;
    },
  );
  const add = (text: string) => {
    waiting.push(text);
    one.start();
  };
  return { one, done, add, most: () => most };
}

test.each([0, 1, 2, 3, 4, 5])(
  "work that is added %i moments after other work is done, in order and alone",
  async (moments) => {
    const { done, add, most } = listOf();
    add("first");
    for (let moment = 0; moment < moments; moment++) await Promise.resolve();
    add("second");
    await new Promise((resolve) => setImmediate(resolve));
    expect(done).toEqual(["first", "second"]);
    expect(most()).toBe(1);
  },
);

test.each([0, 1, 2, 3, 4, 5])(
  "settled resolves after work that was added %i moments after other work",
  async (moments) => {
    const { one, done, add } = listOf(() => new Promise((resolve) => setImmediate(resolve)));
    add("first");
    await one.settled();
    add("second");
    for (let moment = 0; moment < moments; moment++) await Promise.resolve();
    add("third");
    await one.settled();
    expect(done).toEqual(["first", "second", "third"]);
    expect(one.isRunning).toBe(false);
  },
);
