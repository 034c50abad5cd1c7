import { expect, test } from "vitest";
import { AdmissionSlots } from "./admission-slots.ts";

test("a free slot is acquired at once", () => {
  const slots = new AdmissionSlots(() => 2);
  const notified: string[] = [];
  const notify = () => notified.push("told");
  const leave = slots.tryAcquire(notify);
  expect(leave).toBeDefined();
  expect(slots.tryAcquire(notify)).toBeDefined();
  leave?.();
  expect(notified).toEqual([]);
});

test("the longest waiting caller is notified first; a caller that no longer needs a slot blocks no other", () => {
  const slots = new AdmissionSlots(() => 1);
  const notified: string[] = [];
  const leaving: (() => void)[] = [];
  const ask = (name: string) => {
    const leave = slots.tryAcquire(() => {
      notified.push(name);
      ask(name);
    });
    if (leave) leaving.push(leave);
  };
  ask("holder");
  slots.tryAcquire(() => notified.push("gone"));
  ask("next");
  ask("last");
  leaving.shift()?.();
  expect(notified).toEqual(["gone", "next"]);
  leaving.shift()?.();
  expect(notified).toEqual(["gone", "next", "last"]);
});
