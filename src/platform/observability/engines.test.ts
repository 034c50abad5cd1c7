import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Engines } from "./engines.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("an engine that answers is up, one that fails or does not answer is not, and a pending probe is not repeated", async () => {
  let asked = 0;
  let speak = () => {};
  const engines = new Engines({
    well: async () => undefined,
    broken: () => Promise.reject(new Error("no")),
    silent: () => {
      asked++;
      return new Promise<void>((resolve) => {
        speak = resolve;
      });
    },
  });
  const ask = async () => {
    const answer = engines.areUp();
    await vi.advanceTimersByTimeAsync(2_000);
    return Object.fromEntries(await answer);
  };
  expect(await ask()).toEqual({ well: true, broken: false, silent: false });
  expect(await ask()).toEqual({ well: true, broken: false, silent: false });
  expect(asked).toBe(1);
  speak();
  await vi.advanceTimersByTimeAsync(0);
  const again = engines.areUp();
  speak();
  expect(Object.fromEntries(await again)).toEqual({ well: true, broken: false, silent: true });
  expect(asked).toBe(2);
});
