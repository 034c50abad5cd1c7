import { expect, test } from "vitest";
import { Interruption } from "./interruption.ts";

test("a wait has its result until the event occurs, and undefined from then on", async () => {
  const interruption = new Interruption();
  expect(await interruption.during(Promise.resolve("result"))).toBe("result");
  await expect(interruption.during(Promise.reject(new Error("lost")))).rejects.toThrow("lost");
  const waiting = interruption.during(new Promise(() => undefined));
  interruption.occur();
  expect(await waiting).toBeUndefined();
  expect(await interruption.during(Promise.resolve("result"))).toBeUndefined();
});
