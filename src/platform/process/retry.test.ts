import { expect, test } from "vitest";
import { doubling, retry } from "./retry.ts";

const failing = (failures: number) => async (number: number) => {
  if (number <= failures) throw new Error(`attempt ${number}`);
  return number;
};

const atOnce = () => 0;

test("returns the first success, with the number of its attempt", async () => {
  expect(await retry(failing(3), { pauseAfter: atOnce })).toBe(4);
});

test("ends with the error that pauseAfter rejects", async () => {
  const pauses: number[] = [];
  const result = retry(failing(9), {
    pauseAfter: (_error, attempts) => doubling(0, 3)(attempts),
    onFailed: (_error, attempts) => pauses.push(attempts),
  });
  await expect(result).rejects.toThrow("attempt 3");
  expect(pauses).toEqual([1, 2]);
});

test("pauses double up to the last attempt", () => {
  const pause = doubling(100, 4);
  expect([1, 2, 3, 4].map(pause)).toEqual([100, 200, 400, undefined]);
});

test("an aborted signal ends a pause, and no further attempt is made", async () => {
  const stop = new AbortController();
  let attempts = 0;
  const result = retry(
    async () => {
      attempts++;
      throw new Error("still failing");
    },
    {
      pauseAfter: () => 3_600_000,
      signal: stop.signal,
      onFailed: () => queueMicrotask(() => stop.abort(new Error("stopped"))),
    },
  );
  await expect(result).rejects.toThrow("stopped");
  expect(attempts).toBe(1);
});

test("an error of onFailed ends the retries", async () => {
  const result = retry(failing(9), {
    pauseAfter: atOnce,
    onFailed: () => Promise.reject(new Error("not recorded")),
  });
  await expect(result).rejects.toThrow("not recorded");
});
