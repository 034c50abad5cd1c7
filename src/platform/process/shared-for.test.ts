import { afterEach, expect, test, vi } from "vitest";
import { sharedFor } from "./shared-for.ts";

afterEach(() => vi.useRealTimers());

test("requests within the time share a reading, later ones make another; a failed one is not kept", async () => {
  vi.useFakeTimers();
  let count = 0;
  let fails = false;
  const get = sharedFor(1_000, async () => {
    count++;
    if (fails) throw new Error("no database");
    return count;
  });
  expect(await Promise.all([get(), get()])).toEqual([1, 1]);
  vi.advanceTimersByTime(1_000);
  expect(await get()).toBe(1);
  vi.advanceTimersByTime(1);
  fails = true;
  const failing = [get(), get()];
  for (const one of failing) await expect(one).rejects.toThrow("no database");
  fails = false;
  expect(await get()).toBe(3);
});
